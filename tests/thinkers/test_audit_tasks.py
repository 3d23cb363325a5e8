"""What the last readers of a report are asked; `test_tasks` holds the rules of all tasks."""

from deepresearch_mcp.thinkers.audit_tasks import HoldRewordedSentences, HoldSentences
from pipeline_fakes import brief


def test_sentences_that_were_reworded_are_asked_like_others_under_a_name_of_their_own() -> None:
    first, again = HoldSentences(brief(), []), HoldRewordedSentences(brief(), [])

    assert (first.name, again.name) == ("hold", "again")
    assert first.sweeps == again.sweeps == {}
