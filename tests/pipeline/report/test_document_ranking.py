"""Passages of long documents, ranked for a topic."""

from deepresearch_mcp.pipeline.report.document_ranking import ranked_passages
from deepresearch_mcp.text.ranking import TermCounts, term_counts

TABLE = (
    "Figures are as follows:\n\n|  | 2023 | 2022 |\n| --- | --- | --- |\n| Net sales | 81 | 82 |\n| Cost | 45 | 47 |"
)
RISK = "Changes of taste could reduce what customers buy from us, and competitors could harm the revenue of our shops."
LEASES = "We rent most of our buildings, and leases end within ten years of the time when they begin."


def given(*texts: str, heading: str = "Report") -> list[tuple[str, str, TermCounts]]:
    return [(heading, text, term_counts(f"{heading}\n{text}")) for text in texts]


def test_a_table_with_the_row_asked_for_comes_before_a_sentence_that_mentions_it() -> None:
    found = ranked_passages("What was the revenue in this report?", given(RISK, TABLE, LEASES))

    assert [one.at for one in found] == [1, 0]
    assert found[0].row > found[1].row == 0


def test_a_section_that_is_called_like_the_topic_comes_first() -> None:
    own = given("The court heard both sides and will tell in May.", heading="Report › Legal Proceedings")
    other = given("We may be party to legal proceedings, or to other proceedings.", heading="Report › Risks")

    found = ranked_passages("Which legal proceedings were disclosed?", [*other, *own, *given(LEASES)])

    assert found[0].at == 1


def test_a_topic_that_tells_nothing_is_that_of_the_whole_question() -> None:
    found = ranked_passages("What could be the implications?", given(LEASES, TABLE), "What were net sales?")

    assert [one.at for one in found] == [1]


def test_a_line_under_the_right_heading_comes_behind_a_passage_that_says_something() -> None:
    line = given("See the notes on 4.", heading="Report › Net sales")

    found = ranked_passages("What were net sales?", [*line, *given(TABLE, LEASES)])

    assert [one.at for one in found] == [1, 0]


def test_nothing_answers_a_topic_that_no_passage_holds() -> None:
    assert ranked_passages("How many whales were seen?", given(TABLE, LEASES)) == []
    assert ranked_passages("Whales?", []) == []
