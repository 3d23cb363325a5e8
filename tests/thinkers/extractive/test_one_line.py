"""The one sentence that is the answer."""

import pytest

from deepresearch_mcp.thinkers.extractive.one_line import ANSWER_CHARS, one_line

BRIDGE = (
    "It is a long bridge. The bridge at Varn was closed in 1999 because of a flood of the river. "
    "Many people liked the bridge at Varn and crossed it every day."
)


def test_a_date_is_answered_by_the_sentence_that_has_it() -> None:
    found = one_line("When was the bridge at Varn closed?", BRIDGE, "Varn", "en", 100)

    assert found is not None
    assert found.text == "The bridge at Varn was closed in 1999 because of a flood of the river."
    assert BRIDGE[found.span.start - 100 : found.span.end - 100] == found.text


@pytest.mark.parametrize(
    "question",
    [
        "How was the bridge at Varn closed?",
        "When was the bridge at Torm closed?",
        "How do bridges at Varn and Torm differ?",
    ],
)
def test_what_takes_more_than_a_sentence_or_stands_nowhere_has_none(question: str) -> None:
    assert one_line(question, BRIDGE, "Varn", "en") is None


def test_a_meaning_is_told_by_a_sentence_that_opens_with_the_term() -> None:
    text = "Entropy is a measure of the disorder of a physical system."

    assert one_line("What is entropy?", text, "", "en") is not None


def test_an_answer_of_few_characters_is_the_nearest_sentence_that_fits() -> None:
    found = one_line("How was the bridge at Varn closed?", BRIDGE, "Varn", "en", strict=False)

    assert found is not None
    assert len(found.text) <= ANSWER_CHARS


def test_in_an_entry_on_a_setting_its_name_stands_above() -> None:
    text = "Sets how many locks are held at most. The default is 64, which cannot be changed later."
    question = "What is the default value of max_locks in Orasql?"

    found = one_line(question, text, "Locks — Orasql 3.2 Manual › max_locks (integer)", "en")

    assert found is not None
    assert found.text == "The default is 64, which cannot be changed later."
    assert one_line(question, text, "Locks — Orasql 3.2 Manual › max_rows (integer)", "en") is None
