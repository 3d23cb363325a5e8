from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import NoMoreEvidence
from deepresearch_mcp.pipeline.report.report_facts import ReportFacts
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, ClaimDraft, FollowUp
from deepresearch_mcp.records.report import Draft, ThinSpot
from deepresearch_mcp.thinkers.tasks import WriteOpening
from pipeline_fakes import Heard, ScriptedThinker, brief, claim, page

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze. Fish live below.")
FLOATS, LAKES = claim(ICE, "Ice floats.", weight=3), claim(ICE, "Lakes freeze.")
FALSE = claim(ICE, "Fish live below.", "Fish fly.", verdict="unsupported")
DRAFTS = {"n1": ClaimDraft(text="x", quote="y", passage_id="s:0")}


class Failing(NoMoreEvidence):
    def __init__(self, error: Exception) -> None:
        self._error = error

    async def from_pages(self, spots: Sequence[ThinSpot], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        raise self._error

    async def from_search(self, queries: Sequence[FollowUp], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        raise self._error

    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        raise self._error


def known(more: Any = None, thinker: ScriptedThinker | None = None, heard: Heard | None = None) -> ReportFacts:
    findings = Findings(brief(), documents={ICE.source_id: ICE})
    findings.of("q1").claims += [FLOATS, LAKES]
    emit = (Heard() if heard is None else heard).append
    found = ReportFacts(findings, thinker or ScriptedThinker(), emit, more or NoMoreEvidence())
    found.settle()
    return found


async def test_what_was_found_meanwhile_is_known_even_where_the_findings_do_not_hold_it():
    facts = known()
    new = claim(ICE, "Fish live below.")

    assert [one.claim_id for one in facts.settle([new, FALSE])] == [new.claim_id]
    assert {one.claim_id for one in facts.facts} == {FLOATS.claim_id, LAKES.claim_id, new.claim_id}
    assert facts.standing(["cgone", LAKES.claim_id, LAKES.claim_id]) == (LAKES.claim_id,)


async def test_what_weighs_and_is_not_told_comes_by_weight_and_what_was_lost_before_the_rest():
    facts = known()
    other = claim(ICE, "Fish live below.")
    facts.settle([other])

    unused = facts.unused([facts.claims[FLOATS.claim_id]], [other])

    assert [one.claim_id for one in unused] == [other.claim_id, LAKES.claim_id]


@pytest.mark.parametrize("error", [ProviderError("m", "gone"), BudgetExceeded("max_usd", 1, 1)])
async def test_evidence_that_cannot_be_had_adds_nothing(error: Exception):
    facts = known(Failing(error))

    assert await facts.from_pages([ThinSpot(missing="x", query="ice on water")]) == []
    assert await facts.from_search([FollowUp(sub_question="q1", query="ice on water")]) == []
    assert await facts.proposed(DRAFTS) == {}
    assert facts.failed == [error] * 3


async def test_without_evidence_on_demand_nothing_is_added_either():
    facts = known()

    assert await facts.from_pages([ThinSpot(missing="x", query="ice on water")]) == []
    assert await facts.from_search([FollowUp(sub_question="q1", query="ice on water")]) == []
    assert await facts.proposed(DRAFTS) == {}


async def test_a_refused_key_passes_on():
    facts = known(Failing(KeyRefused("m", "no")), ScriptedThinker(opening=KeyRefused("m", "no")))

    with pytest.raises(KeyRefused):
        await facts.from_pages([ThinSpot(missing="x", query="ice on water")])
    with pytest.raises(KeyRefused):
        await facts.ask(WriteOpening(facts.brief, Draft(title=""), (), facts.facts), Step("opening"), ())


async def test_a_thinker_that_cannot_be_asked_is_told_of():
    heard = Heard()
    facts = known(None, ScriptedThinker(opening=ProviderError("m", "gone")), heard)

    assert await facts.ask(WriteOpening(facts.brief, Draft(title=""), (), facts.facts), Step("opening"), ()) == ()
    assert "write the direct answer" in str(heard[0])
