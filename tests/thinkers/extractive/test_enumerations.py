"""Lists inside a question."""

import pytest

from deepresearch_mcp.thinkers.extractive.enumerations import enumeration


def test_the_same_is_asked_of_each_item_and_what_stands_behind_the_list_by_itself() -> None:
    found = enumeration("Compare A and B on (a) price, (b) speed and (c) safety, and recommend one for a small shop.")

    assert found is not None
    assert found.items == ("price", "speed", "safety")
    assert found.clauses == (
        "Compare A and B on price",
        "Compare A and B on speed",
        "Compare A and B on safety",
        "recommend one for a small shop.",
    )


def test_items_of_a_question_are_questions() -> None:
    found = enumeration("Since which version does Ora have (1) windows, (2) doors?")

    assert found is not None
    assert found.clauses == ("Since which version does Ora have windows?", "Since which version does Ora have doors?")


@pytest.mark.parametrize(
    "sentence",
    ["What is new in Ora?", "Cover: (1) what it is; (2) what it costs.", "(a) What is it? (b) What does it cost?"],
)
def test_items_that_stand_by_themselves_are_no_such_list(sentence: str) -> None:
    assert enumeration(sentence) is None
