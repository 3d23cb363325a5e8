import pytest

from deepresearch_mcp.thinkers.extractive.parts import aspect, listed, sentence_case


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Why is the sky blue?", "reasons"),
        ("When did Rome fall?", "date"),
        ("When should I use a lock?", ""),
        ("How many moons has Mars?", "number"),
        ("How do TCP and UDP differ?", "comparison"),
        ("What are the phases of the moon?", "list"),
        ("Is tea healthy?", "evidence"),
        ("Heat pumps", ""),
    ],
)
def test_the_form_of_a_question_gives_a_word_that_its_pages_hold(question: str, word: str) -> None:
    assert aspect(question) == word


@pytest.mark.parametrize(
    ("text", "cased"), [("ice floats", "Ice floats"), ("iPhone sales", "iPhone sales"), ("os_path is", "os_path is")]
)
def test_a_sentence_begins_with_a_capital_unless_its_first_word_has_its_own_spelling(text: str, cased: str) -> None:
    assert sentence_case(text) == cased


def test_things_are_listed_as_in_a_sentence() -> None:
    assert listed(["A"]) == "A"
    assert listed(("A", "B", "C"), "or") == "A, B or C"
