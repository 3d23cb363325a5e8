"""Quarters and years of account."""

import pytest

from deepresearch_mcp.text.periods import Period, asks_for_newest, found_quarters, quarters, years


@pytest.mark.parametrize(
    "text", ["Q3 2022", "2022 Q3", "2022_q3", "3Q 2022", "third quarter of 2022", "the third fiscal quarter of 2022"]
)
def test_a_quarter_is_found_however_it_is_written(text: str) -> None:
    assert quarters(f"Sales in {text} rose.") == [Period(2022, 3)]


def test_a_quarter_without_a_year_and_a_part_of_a_longer_number_are_none() -> None:
    assert quarters("Q3 was good, 20223 Q3x, item 2022 Q9") == []


def test_a_quarter_stands_where_it_is_told() -> None:
    [(_, start, end)] = found_quarters("In Q1 2023 it fell")

    assert "In Q1 2023 it fell"[start:end] == "Q1 2023"


def test_years_stand_alone() -> None:
    assert years("In 2022, $2,022, 2022-05 and 12022 shares; 2023") == [Period(2022), Period(2023)]


@pytest.mark.parametrize(
    ("question", "newest"),
    [
        ("What was the margin in the latest filing?", True),
        ("What was the margin in the most recent quarter?", True),
        ("How does the most recent quarter compare to previous quarters?", False),
        ("How has the margin changed?", False),
    ],
)
def test_the_newest_report_is_asked_for_unless_it_is_compared_with_others(question: str, newest: bool) -> None:
    assert asks_for_newest(question) is newest
