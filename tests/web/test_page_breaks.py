import pytest

from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.web.page_breaks import joined_pages


def pages(*bodies: str) -> list[str]:
    return [f"Table of Contents\n{body}\n{number}" for number, body in enumerate(bodies, 7)]


def test_a_sentence_that_runs_over_the_end_of_a_page_is_whole() -> None:
    text = joined_pages(
        pages("All is well.", "We elected the fair value", "option to account for it.\nIt rose.", "So.")
    )

    said = [" ".join(text[start:end].split()) for start, end in sentences(text)]
    assert "We elected the fair value option to account for it." in said
    assert text.count("Table of Contents") == 3


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("It fell.", "and so on"),
        ("Net income 12 15", "of the year"),
        ("The board", "Risk Factors"),
        ("as follows:", "cash and all else"),
    ],
)
def test_pages_that_do_not_share_a_sentence_stand_apart_with_all_their_lines(last: str, first: str) -> None:
    held = pages("One.", last, first)

    assert joined_pages(held) == "\n\n".join(held)


def test_a_line_that_stands_on_two_pages_is_no_running_title() -> None:
    assert joined_pages(["it was said of\nthe old house", "the old house\nfell."]) == (
        "it was said of\nthe old house\nthe old house\nfell."
    )


@pytest.mark.parametrize(
    ("given", "text"), [([], ""), (["", ""], ""), (["a", "", "b"], "a\nb"), (["7", "8"], "7\n\n8")]
)
def test_empty_pages_leave_nothing_behind(given: list[str], text: str) -> None:
    assert joined_pages(given) == text
