import pytest

from deepresearch_mcp.web.documents.words import has_letters, is_caseless


@pytest.mark.parametrize(("letter", "caseless"), [("水", True), ("ア", True), ("a", False), ("я", False), ("ﬁ", False)])
def test_scripts_without_spaces_are_known(letter: str, caseless: bool) -> None:
    assert is_caseless(letter) is caseless


def test_a_figure_is_no_letter() -> None:
    assert not has_letters("12 (3) %")
    assert has_letters("12 я")
