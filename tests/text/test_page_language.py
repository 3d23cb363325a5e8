import pytest

from deepresearch_mcp.text.common_words import common_words
from deepresearch_mcp.text.page_language import CIPHER, PageLanguage, script_of

ENGLISH = "The pump is old, and it has been at work for many years in the cold of the north."
PAGE = PageLanguage.of(ENGLISH, common_words("en"))


def test_a_page_s_sentences_teach_its_words_and_its_strange_stretches_teach_none() -> None:
    start = ENGLISH.index("cold")

    assert {"pump", "cold", "the"} <= PAGE.known
    assert "cold" not in PageLanguage.of(ENGLISH, common_words("en"), [(start, start + 4)]).known


def test_words_that_a_page_s_language_has_weigh_against_a_stretch_and_strange_ones_for_it() -> None:
    assert PAGE.weight("pump") < 0 < PAGE.weight("kwaliteit")
    assert PAGE.weight("schrijf") > PAGE.weight("Schrijf")
    assert PAGE.weight("het") > PAGE.weight("Het") > 0
    assert PAGE.weight("pump's") < 0


@pytest.mark.parametrize(
    ("stretch", "language"),
    [
        ("schrijf dat het niet aan deze voor een wordt", "Dutch"),
        ("Schrijf Dat Het Niet Aan Deze Voor Een Wordt Zijn Haar", "Dutch"),
        ("тепловой насос работает", "Cyrillic"),
        ("热泵很好用", "Han"),
        ("zxqv wvkqj rfzzk pqwvx zkrrt jjqwx", CIPHER),
        ("Zxqv Wvkqj Rfzzk Pqwvx Zkrrt Jjqwx", ""),
        ("Jean Dupont and Marie Leclerc", ""),
        ("pump", ""),
    ],
)
def test_what_a_stretch_may_be_in(stretch: str, language: str) -> None:
    found = PAGE.languages(stretch)

    assert (language in found) if language else not found


def test_letters_are_of_a_script() -> None:
    assert [script_of(char) for char in "aяα热か한Ꭰ"] == [
        "Latin", "Cyrillic", "Greek", "Han", "Kana", "Korean", "another script",
    ]  # fmt: skip


def test_japanese_holds_chinese_characters() -> None:
    page = PageLanguage.of("これは熱ポンプの説明です。とても長く使えます。", frozenset())

    assert {"Kana", "Han"} <= page.scripts
    assert page.weight("熱") < 0
