import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.web.documents import page_breaks
from deepresearch_mcp.web.documents.paragraphs import Block, Vocabulary


def joined_pages(pages: list[str]) -> str:
    """The text of pages whose lines are blocks, with one line break for two."""
    return joined(pages).text.replace("\n\n", "\n")


def joined(pages: list[str]) -> page_breaks.JoinedPages:
    return page_breaks.joined_pages(
        [[Block(line) for line in page.split("\n") if line] for page in pages], Vocabulary([])
    )


def pages(*bodies: str) -> list[str]:
    return [f"Table of Contents\n{body}\n{number}" for number, body in enumerate(bodies, 7)]


def test_a_sentence_that_runs_over_the_end_of_a_page_is_whole() -> None:
    text = joined_pages(
        pages("All is well.", "We elected the fair value", "option to account for it.\nIt rose.", "So.")
    )

    said = [" ".join(text[start:end].split()) for start, end in sentences(text)]
    assert "We elected the fair value option to account for it." in said


def test_page_numbers_are_dropped_and_running_titles_shown_once() -> None:
    assert joined_pages(pages("One.", "Two.", "Three.")) == "Table of Contents\nOne.\nTwo.\nThree."


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("It fell.", "and so on"),
        ("Net income 12 15", "of the year"),
        ("The board", "Risk Factors"),
        ("as follows:", "cash and all else"),
    ],
)
def test_pages_that_do_not_share_a_sentence_stand_apart(last: str, first: str) -> None:
    assert f"{last}\n\n{first}" in joined(pages("One.", last, first)).text


def test_a_footnote_stands_behind_the_sentence_that_crosses_its_page_and_keeps_its_page() -> None:
    found = page_breaks.joined_pages(
        [[Block("We elected the"), Block("1 See below.", "note")], [Block("option."), Block("So.")]], Vocabulary([])
    )

    assert found.text == "We elected the option.\n\n1 See below.\n\nSo."
    assert found.pages == [(0, 1), (15, 2), (24, 1), (38, 2)]


def test_a_table_is_never_continued() -> None:
    found = page_breaks.joined_pages([[Block("| a | b |", "table")], [Block("and c")]], Vocabulary([]))

    assert found.text == "| a | b |\n\nand c"


def test_a_line_that_stands_on_two_pages_is_no_running_title() -> None:
    assert joined_pages(["it was said of\nthe old house", "the old house\nfell."]) == (
        "it was said of\nthe old house the old house\nfell."
    )


@pytest.mark.parametrize(("given", "text"), [([], ""), (["", ""], ""), (["a", "", "b"], "a b"), (["7", "8"], "7\n8")])
def test_empty_pages_leave_nothing_behind(given: list[str], text: str) -> None:
    assert joined_pages(given) == text


@pytest.mark.parametrize(
    "given",
    [
        ["The dues rose from 100 to\n300", "in 2020 and fell later."],
        ["The dues rose from 100 to\n300", "400\nin 2020 and fell later.", "500\nin 2021."],
        ["It fell to\nTotal 300", "in 2020 to\nTotal 450", "in 2021 to\nTotal 980", "in 2022."],
        ["It fell to\n300\n7", "in 2020 to\n310\n8", "in 2021 to\n999\n9", "in 2022.\n10"],
    ],
)
def test_no_figure_at_the_edge_of_a_page_is_lost(given: list[str]) -> None:
    figures = [figure for page in given for figure in re.findall(r"\d{3,}", page)]

    assert re.findall(r"\d{3,}", joined_pages(given)) == figures


def test_page_numbers_and_titles_that_count_the_pages_are_left_out_within_a_sentence() -> None:
    said = ["We saw the", "old house and the", "new mill by the", "water."]
    titled = [f"{line}\nActs of 1999 | Form 10-Q | {number}" for number, line in enumerate(said, 30)]
    numbered = [f"{line}\n- {number} -" for number, line in enumerate(said, 4)]

    assert " ".join(said) in joined_pages(numbered)
    assert joined_pages(titled).count("Acts of 1999") == 1


@given(st.lists(st.text(st.sampled_from("ab 3,7\n"), min_size=1, max_size=40), max_size=6))
def test_no_word_is_lost_but_what_stands_at_the_edges_of_three_pages(given: list[str]) -> None:
    words = re.findall(r"\w+", joined_pages(given))

    if len(given) < 3:
        assert words == re.findall(r"\w+", " ".join(given))
    assert Counter(words) <= Counter(re.findall(r"\w+", " ".join(given)))
