"""The report of an engine that asks no model."""

from typing import Any

import pytest

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.report.composing import Composer
from deepresearch_mcp.records.evidence import Claim, Comparison
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import Heard, ScriptedThinker, brief, claim, page, part

ICE = page(
    "https://one.example/ice", "Ice floats on water. Lakes freeze from above. Fish live below the ice.", title="Ice"
)
TWIN = page("https://two.example/ice", "Ice floats on water.", title="Twin")
FLOATS, LAKES = claim(ICE, "Ice floats on water."), claim(ICE, "Lakes freeze from above.")
FISH = claim(ICE, "Fish live below the ice.", sub_question="q2")
SAME = claim(TWIN, "Ice floats on water.")
PLAN = Plan(sub_questions=(part("q1", "Why does ice float?"), part("q2", "Where do fish live?")))


def found(**given: Any) -> Findings:
    findings = Findings(brief(**given), plan=PLAN, documents={one.source_id: one for one in (ICE, TWIN)})
    findings.of("q1").claims += [FLOATS, LAKES]
    findings.of("q1").steps.append("verify/q1/1")
    findings.of("q2").claims.append(FISH)
    findings.of(WHOLE_QUESTION).claims.append(SAME)
    return findings


def composer(findings: Findings, thinker: ScriptedThinker, ready: Readiness | None = None, **settings: Any) -> Composer:
    if ready is None:
        ready = Readiness()
        ready.everything()
    return Composer(findings, thinker, ResearchSettings.model_validate(settings), Heard().append, ready)


def sentence(text: str, *claims: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in claims))


async def test_a_report_is_made_of_what_was_found():
    findings = found()

    await composer(findings, ScriptedThinker("extractive")).compose()

    assert findings.draft.title == findings.brief.question
    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)
    assert [section.heading for section in findings.draft.sections] == ["Why does ice float?", "Where do fish live?"]
    assert findings.removed == ()


async def test_claims_of_two_sources_that_say_the_same_are_one_sentence_with_both():
    findings = found()

    await composer(findings, ScriptedThinker("extractive")).compose()

    claims = findings.settled()
    stated = claims[findings.draft.in_short[0].claim_ids[0]]
    assert {quote.source_id for quote in stated.quotes} == {ICE.source_id, TWIN.source_id}


async def test_an_answer_is_one_opening_of_at_most_140_characters_and_no_section():
    findings = found(mode="answer")
    thinker = ScriptedThinker("extractive", conclude=lambda *given: [sentence("Ice floats on water, " * 10, FLOATS)])

    await composer(findings, thinker).compose()

    assert [call.method for call in thinker.calls if call.method != "repair"] == ["conclude"]
    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)
    assert findings.draft.sections == ()


async def test_a_repair_cannot_make_the_answer_longer_than_it_may_be():
    findings = found(mode="answer")
    said = [sentence("Penguins march over frozen southern plains.", FLOATS)]
    mended = [sentence("Ice floats on water, and on water ice floats, " * 4, FLOATS)]

    await composer(findings, ScriptedThinker("extractive", conclude=said, repair=mended)).compose()

    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)


async def test_an_opening_that_the_audit_took_out_gives_way_to_a_claim():
    findings = found()
    said = [sentence("Penguins march over frozen southern plains.", FLOATS)]

    await composer(findings, ScriptedThinker("extractive", conclude=said)).compose()

    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)
    assert [one.text for one in findings.removed] == [said[0].text]


async def test_without_claims_no_one_is_asked_for_prose():
    findings, thinker = Findings(brief(), plan=PLAN), ScriptedThinker("extractive")

    await composer(findings, thinker, critique=False).compose()

    assert [call.method for call in thinker.calls] == ["outline"]
    assert (findings.draft.in_short, findings.draft.sections) == ((), ())


SMALL_PAGE = page("https://small.example/1", "The hall holds 420 people.")
LARGE_PAGE = page("https://large.example/1", "The hall holds 450 people.")
SMALL = claim(SMALL_PAGE, SMALL_PAGE.text, sub_question="q1", score=9.0)
LARGE = claim(LARGE_PAGE, LARGE_PAGE.text, sub_question="q2", score=9.0)
AT_ODDS = Comparison(first=SMALL.claim_id, second=LARGE.claim_id, relation="contradict", reason="date")


def disputed(**asked: Any) -> Findings:
    """Two sub-questions whose claims contradict each other, as q1 found out."""
    findings = found(**asked)
    findings.of("q1").claims = [SMALL, LAKES]
    findings.of("q1").comparisons = [AT_ODDS]
    findings.of("q1").opponents = {one.claim_id: one for one in (SMALL, LARGE)}
    findings.of("q2").claims = [LARGE]
    findings.documents = {one.source_id: one for one in (ICE, SMALL_PAGE, LARGE_PAGE)}
    return findings


async def test_sources_that_differ_stand_side_by_side_and_the_writer_of_one_side_sees_the_other():
    findings, thinker = disputed(), ScriptedThinker("extractive")

    await composer(findings, thinker).compose()

    assert findings.draft.differences == (sentence(SMALL.text, SMALL), sentence(LARGE.text, LARGE))
    first = next(call for call in thinker.called("write") if SMALL.claim_id in {c.claim_id for c in call.args[2]})
    shown = {one.claim_id: one for one in first.args[2]}
    assert shown[SMALL.claim_id].disputes == (LARGE.claim_id,)
    assert shown[LARGE.claim_id].verdict == "disputed"


@pytest.mark.parametrize("opening", [[SMALL], [SMALL, LARGE]])
async def test_the_opening_states_both_sides_of_a_dispute_or_neither(opening: list[Claim]):
    findings = disputed()
    said = [sentence(one.text, one) for one in opening]

    await composer(findings, ScriptedThinker("extractive", conclude=lambda *given: said)).compose()

    stated = {name for one in findings.draft.in_short for name in one.claim_ids}
    sides = {SMALL.claim_id, LARGE.claim_id}
    assert stated
    assert stated & sides == (sides if len(opening) == 2 else set())


async def test_where_there_is_nothing_but_a_dispute_it_is_the_answer():
    findings = disputed(mode="answer")
    findings.of("q1").claims = [SMALL]
    findings.of(WHOLE_QUESTION).claims = []
    thinker = ScriptedThinker("extractive", conclude=lambda *given: [sentence(SMALL.text, SMALL)])

    await composer(findings, thinker).compose()

    assert findings.draft.in_short == (sentence(SMALL.text, SMALL), sentence(LARGE.text, LARGE))


async def test_a_claim_stands_where_it_fits_whatever_it_was_read_for():
    findings = found()
    findings.of("q1").claims = [FISH.model_copy(update={"sub_question": "q1"})]
    findings.of("q2").claims = []
    findings.of(WHOLE_QUESTION).claims = []
    thinker = ScriptedThinker("extractive")

    await composer(findings, thinker).compose()

    assert [call.args[1].sub_questions for call in thinker.called("write")] == [("q2",)]
