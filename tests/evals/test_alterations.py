import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.evals.alterations import falsified, restyled, restyled_page
from deepresearch_mcp.text.normalise import normalise

QUOTE = 'In March 2019 the "Northern Observatory" was not able to measure 42 kilometres of official coastline at night'


def letters(text: str) -> str:
    return "".join(char for char in normalise(text).text if char.isalnum())


def test_restyled_copies_keep_every_letter_but_those_behind_the_ellipsis():
    copies = dict(restyled(QUOTE))

    assert set(copies) == {
        "typography",
        "spacing",
        "case",
        "hyphenation",
        "soft hyphens",
        "markup",
        "ellipsis",
        "unicode",
    }
    assert {kind for kind, copy in copies.items() if letters(copy) == letters(QUOTE)} == set(copies) - {"ellipsis"}
    assert "…" in copies["ellipsis"]


def test_a_page_is_set_otherwise_around_the_same_words():
    page = f"Before. {QUOTE}. After."

    copies = dict(restyled_page(QUOTE, page))

    assert set(copies) == {"typography", "spacing", "hyphenation", "markup"}
    assert all(letters(copy) == letters(page) and copy != page for copy in copies.values())
    assert list(restyled_page("not there", page)) == []


def test_falsified_copies_change_each_kind_of_detail():
    copies = list(falsified(QUOTE, ["Southern", "Atlantic"]))

    assert {kind for kind, _ in copies} == {"number", "date", "unit", "name", "negation"}
    assert all(letters(copy) != letters(QUOTE) for _, copy in copies)


@pytest.mark.parametrize(
    ("quote", "kind", "copy"),
    [
        ("it took seven years", "number", "it took thirteen years"),
        ("the lake is deep", "negation", "the lake is not deep"),
        ("it happened in June", "date", "it happened in October"),
        ("prices rose 5%", "unit", "prices rose 5 percentage points"),
    ],
)
def test_a_change_reads_as_someone_might_have_miswritten_it(quote: str, kind: str, copy: str):
    assert (kind, copy) in list(falsified(quote, []))


@given(st.text(max_size=120))
def test_no_quote_breaks_the_making_of_copies(quote: str):
    assert all(copy != quote for _, copy in restyled(quote))
    assert all(copy != quote for _, copy in falsified(quote, ["Anywhere"]))
