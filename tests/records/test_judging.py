import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.judging import AnswerKey, KeyedQuestion, RunMarks, overall


def test_a_run_is_marked_60_percent_by_its_answer_and_40_by_its_process() -> None:
    marks = RunMarks(complete=9, founded=8, clear=10, searching=3, sources=4, checking=2)

    assert (marks.answer, marks.process, overall(marks)) == (9.0, 3.0, 6.6)


def test_keys_may_be_numbered_and_hold_more_than_is_read() -> None:
    asked = KeyedQuestion.model_validate(
        {"question": "Why?", "where": "x", "keys": [{"id": 7, "fact": "So.", "url": "x", "words": "y"}]}
    )

    assert asked.keys == (AnswerKey(id="7", weight=1, kind="fact", fact="So."),)


def test_a_key_without_weight_in_the_sum_is_refused() -> None:
    with pytest.raises(ValidationError):
        AnswerKey.model_validate({"id": "1", "fact": "So.", "weight": 0})
