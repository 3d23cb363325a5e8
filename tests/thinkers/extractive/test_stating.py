"""Whether a sentence states what is asked."""

import pytest

from deepresearch_mcp.thinkers.extractive.stating import states

WHY = "Why does ice float on water?"
CLOSED = "When was the bridge at Varn closed?"
DEFAULT = "What is the default lock level in Orasql?"


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (WHY, "Ice floats on water because ice is about 9 percent less dense than liquid water."),
        (WHY, "The open lattice of ice takes more room than liquid water, which is why ice floats on water."),
        (WHY, "The reason ice floats on water is that it is less dense."),
        (WHY, "Because it is less dense, ice floats on water."),
        (WHY, "Its low density makes ice float on water."),
        ("Why does Orasql not lock rows?", "Orasql does not lock rows in order to let readers pass."),
        (CLOSED, "The bridge at Varn was closed in 1999 because of a flood of the river."),
        ("When was Orasql 3.2 released?", "Orasql 3.2, released in April 2021, is supported for long."),
        ("Who wrote Halmar?", "Ada Lund wrote Halmar in 1950."),
        ("Who designed Halmar?", "Halmar was designed by Ada Lund for a friend."),
        ("Who is Ada Lund?", "Ada Lund is a writer of crime novels."),
        ("How many levels does the tower have?", "The tower has 12 levels and a roof."),
        ("How old is the tower?", "The tower is 120 years old."),
        ("Where was Ada Lund born?", "Ada Lund was born in Aarhus."),
        (DEFAULT, "Read Shared is the default lock level in Orasql."),
        (DEFAULT, "The default lock level in Orasql is Read Shared."),
        ("Which default does orasql.wait have?", "The default of orasql.wait is committed,loose."),
        (DEFAULT, "The default is typically Read Shared, but may not be if your disk does not support it."),
        ("What is entropy?", "Entropy is a measure of the disorder of a physical system."),
    ],
)
def test_a_sentence_that_says_just_what_is_asked_states_it(question: str, sentence: str) -> None:
    assert states(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (WHY, "Lakes freeze from the top because ice floats on water and keeps the water below from freezing."),
        (WHY, "Scientists know that ice floats on water because they measured it."),
        (WHY, "Ice does not float on water because it is heavy."),
        (WHY, "Ice floats on water and has done so for long."),
        (CLOSED, "The bridge at Varn was built in 1950 and closed because of a flood."),
        ("When was Orasql 3.2 released?", "Orasql 3.2 needs Varnlib 3.6, which was released in December 2016."),
        ("Who designed Halmar?", "Halmar was praised by Ada Lund, who reads much."),
        ("How many levels does the tower have?", "The tower has several levels and was built in 1950."),
        ("How old is the tower?", "The old tower was built in 1950."),
        ("Where was Ada Lund born?", "Ada Lund was born in 1950 and lives in Aarhus."),
        (DEFAULT, "The default lock level in Orasql is described in the next chapter."),
        (DEFAULT, "Orasql no longer defaults to Read Shared."),
        ("Is Orasql free?", "Orasql is free for anyone who wants it."),
    ],
)
def test_words_of_the_question_in_another_part_of_a_sentence_state_nothing(question: str, sentence: str) -> None:
    assert not states(question, sentence)


@pytest.mark.parametrize(
    ("sentence", "states_it"),
    [
        ("The VACUUM command rebuilds the database file, repacking it into less space.", True),
        ("Unless SQLite is running in full mode, it leaves behind empty space when data is deleted.", False),
        ("VACUUM is not allowed within a transaction.", False),
        ("When VACUUM is run, the VACUUM command copies the contents of the database.", False),
    ],
)
def test_what_a_thing_does_is_said_by_a_sentence_that_it_is_the_subject_of(sentence: str, states_it: bool) -> None:
    assert states("What does VACUUM do in SQLite?", sentence) is states_it


def test_a_clause_that_only_leads_in_defines_nothing() -> None:
    said = "Since the stash entry is applied on top of the commit, it restores the state with no conflicts."

    assert not states("What is a stash entry?", said)
