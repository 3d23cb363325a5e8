"""Rows of tables that hold what is asked for."""

from deepresearch_mcp.pipeline.report.row_match import (
    account_stems,
    has_rows,
    heading_match,
    introduced,
    row_match,
    same_stem,
    spelt_out,
)

WANTED = dict.fromkeys(account_stems("research and development expenses"), 1.0)
OWN = "|  | 2023 |\n| --- | --- |\n| Research and development | 7,442 |\n| Other assets | 5 |"
OTHER = "|  | 2023 |\n| --- | --- |\n| Development of land and of buildings in towns | 7,442 |\n| Other assets | 5 |"


def test_a_row_whose_label_is_asked_for_matches_and_a_longer_one_less() -> None:
    assert row_match(WANTED, OWN, set()) > row_match(WANTED, OTHER, set()) > 0
    assert row_match(WANTED, "Research and development cost 7,442.", set()) == 0
    assert row_match({}, OWN, set()) == 0


def test_a_heading_above_adds_to_a_row() -> None:
    assert row_match(WANTED, OWN, set(account_stems("Operating expenses"))) > row_match(WANTED, OWN, set())


def test_words_of_accounts_that_mean_the_same_are_one() -> None:
    assert account_stems("revenue") == account_stems("sales")
    assert same_stem("ice") == "ice"
    assert spelt_out("R&D and EPS") == "research and development and earnings per share"


def test_a_heading_is_what_is_asked_for_if_it_says_no_more() -> None:
    assert heading_match(WANTED, "Note 7: Research and Development Expenses") > 0.9
    assert heading_match(WANTED, "Development of towns") < heading_match(WANTED, "Research and development")
    assert heading_match(WANTED, "Land") == 0.0


def test_what_stands_before_a_table_introduces_it() -> None:
    assert introduced(f"Costs were as follows:\n\n{OWN}") == "\nCosts were as follows:"
    assert introduced("No table | here") == ""


def test_a_table_of_figures_has_rows_and_a_list_in_a_table_has_none() -> None:
    assert has_rows(OWN)
    assert not has_rows("| --- | --- |\n| • | one thing |\n| • | another |")
