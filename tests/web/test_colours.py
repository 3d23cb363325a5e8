import pytest

from deepresearch_mcp.web.colours import colour_of, is_near


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("white", "ffffff"),
        ("#fff", "ffffff"),
        ("#12ab34", "12ab34"),
        ("rgb(254, 0, 999)", "fe00ff"),
        ("rgba(1 2 3 / 50%)", "010203"),
        ("hsl(1 2 3)", ""),
        ("", ""),
    ],
)
def test_a_colour_is_read_as_it_is_most_often_written(written: str, read: str) -> None:
    assert colour_of(written) == read


def test_colours_are_near_where_no_eye_tells_them_apart() -> None:
    assert is_near("fefefe", "ffffff")
    assert not is_near("eeeeee", "ffffff")
    assert not is_near("ffff00", "ffffff")
    assert not is_near("", "ffffff")
