"""Whether a passage answers a question at all."""

import pytest

from deepresearch_mcp.thinkers.extractive.relevance import FLOOR, relevance_of, relevance_of_text

FLOATS = ("Ice floats on water because it is less dense than liquid water.", "Most solids sink in their own liquid.")


def test_a_passage_on_the_subject_answers_and_one_on_another_does_not() -> None:
    about = relevance_of("why does ice float on water", FLOATS, "Ice")
    other = relevance_of("why does ice float on water", ("The harbour opened in spring.",), "Harbours")

    assert about.is_relevant
    assert about.score > FLOOR > other.score
    assert not other.is_relevant
    assert about.best == 0


def test_a_mention_in_a_long_passage_does_not_answer() -> None:
    long = ("The harbour has ice in January.", *(f"Ship number {name} came in the spring." for name in "abcdefgh"))

    assert not relevance_of("why does ice float on water", long, "Harbours").is_relevant


def test_nothing_asked_or_nothing_said_is_answered_by_nothing() -> None:
    assert not relevance_of("", FLOATS).is_relevant
    assert not relevance_of("why does ice float", ()).is_relevant


@pytest.mark.parametrize(
    ("heading", "relevant"),
    [
        ("Widget 3.2 notes › What is new in Widget 3.2", True),
        ("Widget 3.1 notes › What is new in Widget 3.1", False),
        ("First steps — Widget 3.2.25 › Start here", False),
    ],
)
def test_another_version_is_not_the_one_asked_for(heading: str, relevant: bool) -> None:
    said = ("Widget has new keys.",)

    assert relevance_of("What is new in Widget 3.2?", said, heading).is_relevant is relevant


def test_a_passage_must_speak_of_one_of_the_things_that_are_named() -> None:
    question = "How do Ora and Belvo protect stored data against corruption?"

    assert relevance_of_text(question, "Belvo protects stored data by checksums against corruption.").is_relevant
    assert not relevance_of_text(question, "Kestrel protects stored data by checksums against corruption.").is_relevant
    assert not relevance_of_text(question, "Belvo and Ora were released in spring.").is_relevant


def test_a_page_that_is_called_what_the_question_names_need_not_repeat_the_name() -> None:
    found = relevance_of_text("Who wrote Moby Dick?", "It is a novel of 1851 by Herman Melville.", "Moby Dick (novel)")

    assert found.about
    assert found.is_relevant
