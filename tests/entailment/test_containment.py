"""Whether words hold a statement as it stands, or clause by clause."""

from deepresearch_mcp.entailment.containment import is_verbatim, repeats, restates

QUOTE = "The old lighthouse on the cape was sold to a hotel in 1990."


def test_a_stretch_that_is_most_of_a_quote_is_taken_at_its_word() -> None:
    assert is_verbatim("the old lighthouse on the cape was sold to a hotel", QUOTE)
    assert not is_verbatim("The old lighthouse", QUOTE)
    assert not is_verbatim("The old lighthouse was sold to a hotel in 1990", QUOTE)
    assert not is_verbatim("", QUOTE)


def test_words_behind_one_that_takes_them_back_are_no_statement() -> None:
    assert not is_verbatim(QUOTE, f"The mayor denied that {QUOTE}")


def test_a_repetition_has_its_words_one_behind_the_other() -> None:
    assert repeats("the cape was sold", ["Nothing.", QUOTE])
    assert not repeats("the lighthouse was sold", [QUOTE])


def test_a_restatement_has_each_clause_in_order_in_one_sentence() -> None:
    assert restates("The lighthouse was sold to a hotel.", [QUOTE])
    assert not restates("A hotel was sold to the lighthouse.", [QUOTE])
    assert restates("Ice floats on water, and lead sinks in water.", ["Ice floats on water.", "Lead sinks in water."])
    assert not restates("Lead floats on water.", ["Ice floats on water.", "Lead sinks in water."])
