"""Words of a statement that its evidence does not know."""

from deepresearch_mcp.entailment.unknown_words import mostly_unknown, unknown_clause

PAGE = "Sea ice covers 15 million square kilometres of polar ocean in March."


def test_a_statement_of_strange_words_is_mostly_unknown() -> None:
    assert mostly_unknown("Devastating floods destroyed villages and polar towns.", PAGE)
    assert not mostly_unknown("Polar sea ice covers the ocean.", PAGE)


def test_forms_of_one_word_and_words_that_only_report_are_known() -> None:
    assert not mostly_unknown("The covering of the polar oceans, researchers found.", PAGE)


def test_figures_alone_state_nothing_here() -> None:
    assert not mostly_unknown("1999 2000 2001", PAGE)


def test_the_first_clause_that_no_source_knows_is_told() -> None:
    assert unknown_clause("Sea ice covers polar ocean, and villages drowned.", PAGE) == "and villages drowned."
    assert unknown_clause("Sea ice covers polar ocean in March.", PAGE) == ""


def test_one_strange_word_may_be_a_synonym() -> None:
    assert unknown_clause("Sea ice blankets polar ocean.", PAGE) == ""


def test_three_strange_words_in_a_row_are_told_wherever_they_stand() -> None:
    clause = "Sea ice covers square kilometres of polar ocean with devastating floods downstream in March."

    assert unknown_clause(clause, PAGE) == clause
