import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.web.documents.page_breaks import joined_pages


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
    numbered = [f"{line}\n\n- {number} -" for number, line in enumerate(said, 4)]

    assert joined_pages(titled) == "\n".join([*said, "Acts of 1999 | Form 10-Q | 33"])
    assert joined_pages(numbered) == "\n".join([*said, "", "- 7 -"])


@given(st.lists(st.text(st.sampled_from("ab 3,7\n"), min_size=1, max_size=40), max_size=6))
def test_no_word_is_lost_but_what_stands_at_the_edges_of_three_pages(given: list[str]) -> None:
    words = re.findall(r"\w+", joined_pages(given))

    if len(given) < 3:
        assert words == re.findall(r"\w+", " ".join(given))
    assert Counter(words) <= Counter(re.findall(r"\w+", " ".join(given)))
