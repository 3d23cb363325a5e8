"""A passage of a digest as Markdown."""

from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.report.quoted_passage import quoted_passage


def test_an_entry_has_its_term_in_bold_and_its_listing_as_code() -> None:
    text = "* undo(1)\n: Takes back.\n  ```\n  $ undo --last\n  ```\n  1. The first.\n\n  - Any *other*."

    assert quoted_passage(text, "[1a]").split("\n") == [
        "> **undo(1)**",
        ">",
        "> Takes back.",
        "> ```",
        "> $ undo --last",
        "> ```",
        "> 1. The first.",
        ">",
        "> - Any \\*other\\*. [1a]",
    ]


def test_a_table_without_its_head_row_is_still_a_table_and_the_mark_stands_below_it() -> None:
    shown = quoted_passage("| lock | shared |\n| wait | a`b |", "[2]")

    assert shown == "> |  |  |\n> | --- | --- |\n> | lock | shared |\n> | wait | a\\`b |\n>\n> [2]"
    assert quoted_passage("| a | b |\n| --- | --- |\n| c | d |", "") == "> | a | b |\n> | --- | --- |\n> | c | d |"


def test_a_long_passage_is_cut_behind_a_sentence_and_says_so() -> None:
    shown = quoted_passage(" ".join(f"Sentence number {n} has six words." for n in range(60)), "[3]")

    assert shown.endswith("has six words. … [3]")
    assert 100 < len(shown.split()) < 170


def test_the_bars_of_a_table_are_no_words_so_that_a_statement_of_accounts_is_shown_whole() -> None:
    rows = "\n".join(f"| Item | {n} | {n + 1} |" for n in range(100, 150))

    assert "…" not in quoted_passage(f"| Row | 2023 | 2022 |\n| --- | --- | --- |\n{rows}", "[3]")


def test_a_cut_within_a_listing_closes_it() -> None:
    shown = quoted_passage("Try:\n\n```\n" + "\n".join(f"one two three {n}" for n in range(90)) + "\n```", "[3]")

    assert shown.endswith("> ```\n>\n> … [3]")


@given(st.text(alphabet="`~|-#*: >[]()!\n<a1.", max_size=200))
def test_every_line_stays_within_the_quotation_and_no_listing_stays_open(text: str) -> None:
    lines = quoted_passage(text, "[1]").split("\n")

    assert all(line == ">" or line.startswith("> ") for line in lines)
    assert sum(line.startswith("> ```") for line in lines) % 2 == 0


def test_a_line_without_letters_or_digits_is_left_out() -> None:
    assert quoted_passage("Ice floats.\n\n .\n\n***", "[3]") == "> Ice floats. [3]"
    assert quoted_passage("Ice floats.\n\n .\n\nSalt sinks!", "[3]") == "> Ice floats.\n>\n>\n> Salt sinks! [3]"


def test_a_quoted_passage_keeps_its_full_stop_and_its_mark_cites_all_of_its_paragraph() -> None:
    shown = quoted_passage("Ice floats on water. Salt sinks in water.", "[1]")
    found = parse_cited_text(f"# Ice\n\n{shown}\n\n## References\n\n- [1] “Ice” [↗](<https://one.example/>)\n")

    assert shown == "> Ice floats on water. Salt sinks in water. [1]"
    assert [one.text for one in found.claims] == ["Ice floats on water.", "Salt sinks in water."]


def test_a_listing_on_one_line_is_a_listing_and_what_follows_is_none() -> None:
    assert quoted_passage("Try:\n```sql SELECT 1;```\nThen stop.", "[1]").split("\n") == [
        "> Try:",
        "> ```sql",
        "> SELECT 1;",
        "> ```",
        "> Then stop. [1]",
    ]
    assert quoted_passage("Write ```x = 1``` there.", "") == "> Write `x = 1` there."


def test_a_passage_that_begins_within_a_listing_shows_it_as_one_and_an_opening_without_a_listing_is_left_out() -> None:
    assert quoted_passage("x = 1\n```\n\nIt was set.", "[1]") == "> ```\n> x = 1\n> ```\n>\n> It was set. [1]"
    assert quoted_passage("It is set.\n\n```python", "[1]") == "> It is set. [1]"


def test_a_last_line_without_a_word_is_left_out() -> None:
    assert quoted_passage("It floats.\n\n.", "[1]") == "> It floats. [1]"


def test_a_listing_at_the_end_of_a_long_passage_is_shown_whole_or_not_at_all() -> None:
    told = "word " * 145 + "so:\n\n```\n"
    short = told + "a = 1\n" * 5 + "```\n\n" + "More words. " * 50
    long = told + "a = 1\n" * 60 + "```\n\nMore."

    assert quoted_passage(short, "[1]").count("> a = 1\n") == 5
    assert quoted_passage(short, "[1]").endswith("> ```\n>\n> … [1]")
    assert quoted_passage(long, "[1]").endswith("so: … [1]")
