import pytest

from deepresearch_mcp.thinkers.extractive.answers import defines, expected, fits, suits
from deepresearch_mcp.thinkers.extractive.terms import wanted


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("When did Rome fall?", "date"),
        ("How many moons has Mars?", "number"),
        ("Where is Rome?", "place"),
        ("Who founded Rome?", "name"),
        ("Why is the sky blue?", "reason"),
        ("Python: how does import work?", "manner"),
        ("Is tea healthy?", "polarity"),
        ("What is entropy?", "meaning"),
        ("Heat pumps", "any"),
    ],
)
def test_the_question_word_tells_what_sort_of_answer_is_wanted(question: str, sort: str) -> None:
    assert expected(question) == sort


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        ("When did Rome fall?", "Rome fell in 476 and in 1453 again.", "Rome fell slowly."),
        ("How many moons has Mars?", "Mars has two moons.", "Mars has moons."),
        ("Where is Rome?", "Rome lies in Italy.", "Rome lies there."),
        ("Who founded Rome?", "It was founded by Romulus.", "Rome was founded."),
        ("Why is the sky blue?", "The sky is blue because light scatters.", "The sky is blue."),
        ("How does import work?", "Modules are found by a search.", "Modules are files."),
        ("Is tea healthy?", "Tea is healthy.", "Tea, green."),
        ("What is entropy?", "Entropy is a measure of disorder.", "Entropy, disorder."),
    ],
)
def test_a_sentence_with_the_right_sort_of_words_fits(question: str, good: str, bad: str) -> None:
    sort = expected(question)

    assert fits(sort, good, question)
    if sort != "date":
        assert not fits(sort, bad, question)


def test_where_nothing_special_is_asked_nothing_fits() -> None:
    assert not fits("any", "Rome fell in 1453.")


def test_only_words_of_some_sorts_mark_an_answer() -> None:
    assert suits("date", "Rome fell in 476 and in 1453.")
    assert not suits("date", "Rome fell slowly.")
    assert not suits("reason", "Rome fell because it was old.")
    assert not suits("any", "Rome fell in 476.")


def test_what_a_thing_is_is_told_without_figures() -> None:
    assert suits("meaning", "Entropy is a measure of disorder.")
    assert not suits("meaning", "Entropy was first named in 1865.")


def test_a_definition_opens_with_its_subject() -> None:
    subject = wanted("What are lists?")

    assert defines("Lists are mutable sequences.", subject)
    assert not defines("Examples of containers are tuples, lists and dictionaries.", subject)
    assert not defines("Lists grow.", subject)
    assert not defines("Lists are mutable.", ())
