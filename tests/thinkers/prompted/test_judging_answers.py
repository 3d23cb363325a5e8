import pytest

from deepresearch_mcp.thinkers.prompted.judging_answers import RunMarksAnswer, keys, run_marks, weighing


def test_keys_are_read_from_plain_lines() -> None:
    found = keys("Here they are:\nk1 | yes | no\nk2 | partly\nnothing | else")

    assert found is not None
    assert [(one.key, one.a, one.b) for one in found.keys] == [("k1", "yes", "no"), ("k2", "partly", "")]
    assert keys("I cannot say.") is None


def test_a_weighing_is_read_from_plain_lines() -> None:
    found = weighing(
        "d1 | yes | partly\nA | 7 | 6 | 8/10 | 7 | 9.5\nB | 1 | 2 | 3 | 4 | 5\npreferred | A\nwhy | [A] says why"
    )

    assert found is not None
    assert found.b is not None
    assert (found.a.instructions, found.a.trust, found.b.trust, found.preferred) == (8, 9.5, 5, "A")
    assert (found.deliverables[0].b, found.why) == ("partly", "[A] says why")


@pytest.mark.parametrize("text", ["A | 7 | 6 | 8 | 7", "A | good | 6 | 8 | 7 | 9", "no marks"])
def test_marks_that_are_not_there_are_not_made_up(text: str) -> None:
    assert weighing(text) is None


def test_marks_of_a_run_are_read_and_kept_between_0_and_10() -> None:
    lines = "complete | 8\nfounded | 12\nclear | 7\nsearching | 6\nsources | 5\nchecking | 0\nwhy | Sound."

    assert run_marks(lines) == RunMarksAnswer(
        complete=8, founded=10, clear=7, searching=6, sources=5, checking=0, why="Sound."
    )
    assert run_marks("complete | 8") is None
