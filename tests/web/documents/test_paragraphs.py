import pytest

from deepresearch_mcp.web.documents.paragraphs import Block, Vocabulary, blocks_of, body_size
from deepresearch_mcp.web.documents.words import PageWords, Word


def page(*lines: tuple[str, float, float], bold: bool = False) -> PageWords:
    """Lines of words, each with its height and font size; letters are half as wide as their size."""
    words: list[Word] = []
    for text, base, size in lines:
        left = 72.0
        for part in text.split():
            right = left + 0.5 * size * len(part)
            words.append(Word(part, left, right, base, size, bold))
            left = right + 0.25 * size
    return PageWords(words, [])


def blocks(found: PageWords, size: float = 10.0) -> list[Block]:
    return blocks_of(found, size, Vocabulary([found]))


def test_a_larger_line_is_a_heading() -> None:
    assert blocks(page(("Ice and water", 700, 16), ("Ice floats on water.", 670, 10))) == [
        Block("## Ice and water", "heading"),
        Block("Ice floats on water."),
    ]


def test_a_bold_line_is_a_lower_heading() -> None:
    assert blocks(page(("Ice and water", 700, 10), bold=True)) == [Block("### Ice and water", "heading")]


def test_a_small_note_is_told_from_text() -> None:
    assert blocks(page(("1 See the annex.", 80, 7))) == [Block("1 See the annex.", "note")]


def test_items_of_a_list_stay_apart() -> None:
    found = blocks(page(("• Ice floats", 700, 10), ("• Water sinks", 688, 10)))

    assert [one.text for one in found] == ["• Ice floats", "• Water sinks"]


@pytest.mark.parametrize(
    ("former", "latter", "joined"),
    [
        ("the expan-", "sion of ice", "the expansion of ice"),
        ("a well-", "known fact", "a well-known fact"),
        ("the 10-", "inch screen", "the 10-inch screen"),
        ("Ice", "floats", "Ice floats"),
        ("氷は", "浮く", "氷は浮く"),
        ("soft\u00ad", "ware", "software"),
    ],
)
def test_the_document_s_own_words_tell_a_hyphen_from_a_divided_word(former: str, latter: str, joined: str) -> None:
    known = Vocabulary([page(("the well-known expansion", 700, 10))])

    assert known.joined(former, latter) == joined


def test_the_size_of_most_letters_is_that_of_the_text() -> None:
    assert body_size([page(("TITLE", 700, 20), ("much more text than the title has", 680, 9))]) == 9
    assert body_size([]) == 10
