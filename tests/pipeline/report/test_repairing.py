"""Doubted sentences are worded anew in several calls at once."""

from typing import Any

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.pipeline.report.repairing import repaired
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.base import Doubt
from pipeline_fakes import ScriptedThinker, brief, claim, page

CLAIMS = [claim(page("https://one.example/", f"Fact {n} is so."), f"Fact {n} is so.") for n in range(20)]
KNOWN = {one.claim_id: one for one in CLAIMS}
DOUBTS = [Doubt(Sentence(text=one.text, claim_ids=(one.claim_id,)), "its sources say less", "") for one in CLAIMS]


def mend(brief: Any, doubts: Any, *rest: Any) -> list[Sentence]:
    return [one.sentence.model_copy(update={"text": f"Perhaps {one.sentence.text}"}) for one in doubts]


async def test_each_sentence_is_worded_anew_in_its_order_by_calls_that_see_only_its_claims():
    thinker = ScriptedThinker(repair=mend)

    found = await repaired(DOUBTS, KNOWN, brief(), thinker, Step("audit"))

    assert [one.text for one in found] == [f"Perhaps Fact {n} is so." for n in range(20)]
    calls = thinker.called("repair")
    assert [len(call.args[1]) for call in calls] == [8, 8, 4]
    assert all(
        {c.claim_id for c in call.args[2]} == {n for d in call.args[1] for n in d.sentence.claim_ids} for call in calls
    )


async def test_what_comes_after_a_call_that_failed_is_not_put_in_its_place():
    def second_fails(brief: Any, doubts: Any, *rest: Any) -> list[Sentence]:
        if doubts[0] is DOUBTS[8]:
            raise ProviderError("m", "gone")
        return mend(brief, doubts)

    found = await repaired(DOUBTS, KNOWN, brief(), ScriptedThinker(repair=second_fails), Step("audit"))

    assert [one.text for one in found] == [f"Perhaps Fact {n} is so." for n in range(8)]


async def test_no_doubt_asks_nothing():
    thinker = ScriptedThinker()

    assert await repaired([], {}, brief(), thinker, Step("audit")) == []
    assert thinker.calls == []
