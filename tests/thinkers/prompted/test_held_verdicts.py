"""What an answer on a finished sentence says of it."""

import pytest

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldSentences
from deepresearch_mcp.thinkers.base import HeldStatement
from deepresearch_mcp.thinkers.prompted import held_verdicts, holding, lines
from deepresearch_mcp.thinkers.prompted.answers import SentenceVerdict
from deepresearch_mcp.thinkers.prompted.material import Labels
from filled_prompts import filled
from thinkers.prompted.test_holding import MakeClaim, answered, posed


@pytest.mark.parametrize(("written", "read"), [("Does not follow", "does_not_follow"), (" *partly*. ", "partly")])
def test_a_word_is_read_as_it_may_be_written(written: str, read: str) -> None:
    assert held_verdicts.word(written) == read


def test_a_sentence_holds_with_a_claim_of_another_that_the_answer_names(brief: Brief, claim: MakeClaim) -> None:
    first, second = claim(1, verdict="supported"), claim(2, verdict="supported")
    asked = [posed(claim, 1, "Both hold."), posed(claim, 2, "It holds.")]
    sheet = filled(holding.HOLD, HoldSentences(brief, asked, frozenset(), {"s1": [first], "s2": [second]}))
    lacking = {"sentence_id": "s1", "verdict": "partly", "fault": "elsewhere"}

    [whole] = answered(sheet, verdicts=[lacking | {"shown_by_id": "c2"}])
    [own] = answered(sheet, verdicts=[lacking | {"shown_by_id": "c1"}])
    [unknown] = answered(sheet, verdicts=[lacking | {"shown_by_id": "c9"}])
    in_lines = lines.hold("s1 | partly | elsewhere | c2")
    assert in_lines
    [read] = answered(sheet, **in_lines.model_dump())

    assert (whole.verdict, whole.also, whole.reason) == ("supported", second.claim_id, "")
    assert [(one.verdict, one.also, one.reason) for one in (own, unknown)] == [
        ("partly", "", "the source does not say it")
    ] * 2
    assert read == whole


def test_a_judgement_follows_with_a_premise_of_another_that_the_answer_names(brief: Brief, claim: MakeClaim) -> None:
    first, second = claim(1, verdict="supported"), claim(2, verdict="supported")
    held = [HeldStatement("j9", "Take it.", (first,), ""), HeldStatement("j8", "Leave it.", (second,), "")]
    sheet = filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, held))

    [found] = answered(
        sheet, judgements=[{"judgement_id": "j1", "verdict": "partly", "fault": "elsewhere", "shown_by_id": "c2"}]
    )
    [none] = answered(sheet, judgements=[{"judgement_id": "j1", "verdict": "partly", "fault": "elsewhere"}])

    assert (found.verdict, found.also) == ("supported", second.claim_id)
    assert (none.verdict, none.reason) == ("partly", "it brings in a fact that its premises do not give")


def test_a_reason_has_the_page_s_words_where_a_claim_shows_the_fault(brief: Brief, claim: MakeClaim) -> None:
    labels: Labels[Claim] = Labels("c", [claim(1)])
    shown = SentenceVerdict(sentence_id="s1", verdict="partly", fault="number", shown_by_id="c1")

    assert held_verdicts.reason(shown, labels) == "the source gives another number, or none: “words 1”"
