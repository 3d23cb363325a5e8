"""The whole sentences around some words."""

from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.surroundings import surroundings
from drawn_texts import TEXT


def around(text: str, start: int, end: int, reach: int = 160) -> str:
    first, last = surroundings(text, start, end, reach)
    return text[first:last]


def test_the_context_is_whole_sentences_around_the_quote() -> None:
    text = (
        f"{'Far away stands this. ' * 20}Near before. The quote is here. Near after. {'Far behind stands that. ' * 20}"
    )
    start = text.index("The quote")

    context = around(text, start, start + len("The quote is here."), reach=14)

    assert context == "Near before. The quote is here. Near after."


def test_at_the_edges_of_a_page_the_context_ends_with_it() -> None:
    assert around("First. Second. Third.", 7, 14) == "First. Second. Third."


def test_the_whole_sentence_before_a_quote_belongs_to_its_context_and_the_quotes_own() -> None:
    before = f"Task.cancel() gives {'a chance, and ' * 20}a reason."
    own = f"It was, {'as it were, ' * 20}changed in version 3.9."
    text = f"{'Far away stands this. ' * 40}{before} {own} {'Far behind stands that. ' * 40}"
    start = text.index("changed in")

    context = around(text, start, start + len("changed in version 3.9."))

    assert context.startswith(f"{before} {own} Far behind")
    assert len(context) < len(before) + len(own) + 160


@given(TEXT, st.data())
def test_the_context_always_holds_the_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))

    context = around(text, start, end, reach=data.draw(st.integers(0, 50)))

    assert text[start:end] in context
    assert context in text
