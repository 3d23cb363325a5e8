import pytest

from deepresearch_mcp.web.pages.hiding_styles import is_hidden


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ({"display": "none"}, True),
        ({"font": "0 a"}, True),
        ({"transform": "translatex(-9999px)"}, True),
        ({"clip-path": "inset(100%)"}, True),
        ({"overflow": "hidden", "height": "0"}, True),
        ({"color": "red"}, False),
        ({"transform": "translatex(-10px)"}, False),
        ({"clip": "auto"}, False),
        ({}, False),
    ],
)
def test_declarations_that_leave_nothing_to_see_hide(style: dict[str, str], *, hidden: bool) -> None:
    assert is_hidden(style) is hidden
