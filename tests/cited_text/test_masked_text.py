from deepresearch_mcp.cited_text.masked_text import MaskedText, ReferenceIndex
from deepresearch_mcp.cited_text.references import Reference


def test_what_is_painted_over_leaves_every_offset_and_line_as_it_was() -> None:
    canvas = MaskedText("one [1]\ntwo `x`")
    canvas.blank(4, 11)
    canvas.blank(5, 8)
    canvas.hide(12, 15)

    assert canvas.text == "one    \n       "
    assert canvas.bared() == "one    \n    `x`"


def test_a_book_knows_its_keys_and_makes_marks_that_lead_there() -> None:
    book = ReferenceIndex(
        [Reference("1", "https://a.example", "Ice", 50, 60), Reference("", "https://b.example", "", 60, 70)]
    )

    assert "1" in book
    assert "" not in book
    assert book.mark("note", 0, 4, "^1").url == "https://a.example"
    assert book.mark("number", 0, 3, "2").dangles
