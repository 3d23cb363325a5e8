"""The report's stages in order."""

from typing import Any

import anyio
import pytest

from deepresearch_mcp.events import Degraded
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.report.composing import Composer, renamed
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.records.evidence import Claim, Comparison
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.report import Critique, Draft, Sentence, WrittenSection
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import Heard, ScriptedThinker, brief, claim, idle, page, part

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

    await composer(findings, ScriptedThinker()).compose()

    assert findings.draft.title == findings.brief.question
    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)
    assert [section.heading for section in findings.draft.sections] == ["Why does ice float?", "Where do fish live?"]
    assert findings.removed == ()


async def test_a_section_is_written_before_the_other_sub_questions_are_done():
    findings, ready, thinker = found(), Readiness(), ScriptedThinker()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(composer(findings, thinker, ready).compose)
        await idle()
        assert thinker.calls == []  # there may be another round
        ready.last.set()
        await idle()
        assert [call.method for call in thinker.calls] == ["outline"]
        ready.done(WHOLE_QUESTION)
        ready.done("q1")
        await idle()
        assert [call.method for call in thinker.calls] == ["outline", "write"]
        assert LAKES.claim_id in {one.claim_id for one in thinker.called("write")[0].args[2]}
        ready.everything()

    assert [call.method for call in thinker.calls] == ["outline", "write", "write", "critique", "conclude"]


async def test_the_steps_of_a_section_need_only_what_it_rests_on():
    findings, thinker = found(), ScriptedThinker()

    await composer(findings, thinker).compose()

    needs = {call.args[1].heading: call.step.depends_on for call in thinker.called("write")}
    assert needs["Why does ice float?"] == ("outline", "verify/q1/1")
    assert needs["Where do fish live?"] == ("outline",)


async def test_claims_of_two_sources_that_say_the_same_are_one_sentence_with_both():
    findings = found()

    await composer(findings, ScriptedThinker()).compose()

    claims = findings.settled()
    stated = claims[findings.draft.in_short[0].claim_ids[0]]
    assert {quote.source_id for quote in stated.quotes} == {ICE.source_id, TWIN.source_id}


async def test_an_answer_is_one_opening_of_at_most_140_characters_and_no_section():
    findings = found(mode="answer")
    thinker = ScriptedThinker(conclude=lambda *given: [sentence("Ice floats on water, " * 10, FLOATS)])

    await composer(findings, thinker).compose()

    assert [call.method for call in thinker.calls if call.method != "repair"] == ["conclude"]
    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)
    assert findings.draft.sections == ()


async def test_a_repair_cannot_make_the_answer_longer_than_it_may_be():
    findings = found(mode="answer")
    said = [sentence("Penguins march over 40 frozen plains.", FLOATS)]
    mended = [sentence("Ice floats on water, and on water ice floats, " * 4, FLOATS)]

    await composer(findings, ScriptedThinker(conclude=said, repair=mended)).compose()

    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)


async def test_an_opening_that_the_audit_took_out_gives_way_to_a_claim():
    findings = found()
    said = [sentence("Penguins march over 40 frozen plains.", FLOATS)]

    await composer(findings, ScriptedThinker(conclude=said)).compose()

    assert findings.draft.in_short == (sentence(FLOATS.text, FLOATS),)
    assert [one.text for one in findings.removed] == [said[0].text]


async def test_without_claims_no_one_is_asked_for_prose():
    findings, thinker = Findings(brief(), plan=PLAN), ScriptedThinker()

    await composer(findings, thinker, critique=False).compose()

    assert [call.method for call in thinker.calls] == ["outline"]
    assert (findings.draft.in_short, findings.draft.sections) == ((), ())


async def test_of_several_drafts_the_best_is_taken_and_each_is_written_by_itself():
    findings = found(drafts=3)
    thinker = ScriptedThinker(
        critique=lambda brief, draft, claims, at: Critique(factuality=9 if at.key == "critique/2" else 5)
    )

    await composer(findings, thinker, critique=False).compose()

    assert sorted(thinker.keys("critique")) == ["critique/1", "critique/2", "critique/3"]
    assert len(set(thinker.keys("write"))) == 6
    assert findings.draft.sections


async def test_one_draft_without_critique_waits_for_no_one_who_would_read_it():
    findings, thinker = found(), ScriptedThinker()

    await composer(findings, thinker, critique=False).compose()

    assert thinker.called("critique") == []


async def test_a_direct_answer_keeps_to_the_length_that_was_asked_for():
    spoken = "Because ice is lighter than water. " * 9
    short, long = Findings(brief(depth=0, mode="answer")), Findings(brief(depth=0))

    await composer(short, ScriptedThinker(direct=spoken)).direct()
    await composer(long, ScriptedThinker(direct=spoken)).direct()

    assert len(short.direct) <= 140
    assert short.direct.endswith("…")
    assert long.direct == spoken.strip()


def test_a_sentence_stands_once_in_the_sections_under_the_claim_that_stands_for_its_own():
    twice = Draft(
        title="T",
        in_short=(sentence("Ice floats.", SAME),),
        sections=(
            WrittenSection(heading="A", paragraphs=((sentence("Ice floats.", SAME, FLOATS), sentence("– –", LAKES)),)),
            WrittenSection(heading="B", paragraphs=((sentence("ICE floats!", FLOATS),),)),
        ),
        differences=(sentence("Ice floats.", SAME),),
    )

    draft = renamed(twice, {SAME.claim_id: FLOATS, FLOATS.claim_id: FLOATS})

    assert draft.in_short == draft.differences == (sentence("Ice floats.", FLOATS),)
    assert draft.sections == (
        WrittenSection(heading="A", paragraphs=((sentence("Ice floats.", FLOATS), sentence("– –", LAKES)),)),
    )


@pytest.mark.parametrize("error", [ProviderError("openai", "away"), BudgetExceeded("max_usd", 1, 1)])
async def test_a_draft_that_fails_does_not_sink_the_others(error: Exception):
    findings, heard = found(drafts=3), Heard()

    def write(_brief, section, claims, at):
        if at.key.startswith("write/2/"):
            raise error
        return [sentence(one.text, one) for one in claims]

    thinker, ready = ScriptedThinker(write=write), Readiness()
    ready.everything()
    await Composer(findings, thinker, ResearchSettings(), heard.append, ready).compose()

    assert findings.draft.sections
    assert sorted(thinker.keys("critique")) == ["critique/1", "critique/3"]
    assert "1 of 3 drafts" in heard.of(Degraded)[0].what


async def test_where_every_draft_fails_the_reason_passes_on():
    findings = found(drafts=2)

    with pytest.raises(BudgetExceeded):
        await composer(findings, ScriptedThinker(write=BudgetExceeded("max_usd", 1, 1))).compose()


async def test_a_refused_key_stops_the_composing():
    with pytest.raises(ExceptionGroup) as caught:
        await composer(found(), ScriptedThinker(write=KeyRefused("openai", "no such key"))).compose()

    assert isinstance(leaf(caught.value), KeyRefused)


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
    findings, thinker = disputed(), ScriptedThinker()

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

    await composer(findings, ScriptedThinker(conclude=lambda *given: said)).compose()

    stated = {name for one in findings.draft.in_short for name in one.claim_ids}
    sides = {SMALL.claim_id, LARGE.claim_id}
    assert stated
    assert stated & sides == (sides if len(opening) == 2 else set())


async def test_where_there_is_nothing_but_a_dispute_it_is_the_answer():
    findings = disputed(mode="answer")
    findings.of("q1").claims = [SMALL]
    findings.of(WHOLE_QUESTION).claims = []
    thinker = ScriptedThinker(conclude=lambda *given: [sentence(SMALL.text, SMALL)])

    await composer(findings, thinker).compose()

    assert findings.draft.in_short == (sentence(SMALL.text, SMALL), sentence(LARGE.text, LARGE))


async def test_asked_in_rounds_the_direct_answer_is_written_beside_the_sections_from_what_matters_most():
    findings, asked = found(), anyio.Event()

    async def write(brief: Any, section: Any, claims: Any, at: Any) -> list[Sentence]:
        await asked.wait()
        return [sentence(one.text, one) for one in claims]

    async def conclude(brief: Any, sections: Any, claims: Any, limit: int, at: Any) -> list[Sentence]:
        assert sections == ()
        asked.set()
        return [sentence(FISH.text, FISH)]

    thinker = ScriptedThinker(write=write, conclude=conclude)
    ready = Readiness()
    ready.everything()
    settings = ResearchSettings(critique=False)
    with anyio.fail_after(5):
        await Composer(findings, thinker, settings, Heard().append, ready, at_once=True).compose()

    assert [one.text for one in findings.draft.in_short] == [FISH.text]
    assert len(findings.draft.sections) == 2


@pytest.mark.parametrize(("at_once", "takes", "under"), [(True, 0, ["q2"]), (False, 60, ["q2"]), (False, 0, ["q1"])])
async def test_where_all_sections_are_written_at_one_time_or_in_no_time_a_claim_stands_where_it_fits(
    at_once: bool, takes: int, under: list[str]
):
    findings = found()
    findings.of("q1").claims = [FISH.model_copy(update={"sub_question": "q1"})]
    findings.of("q2").claims = []
    findings.of(WHOLE_QUESTION).claims = []
    written: list[str] = []

    def write(brief: Any, section: Any, claims: Any, at: Any) -> list[Sentence]:
        written.extend(section.sub_questions)
        return [sentence(one.text, one) for one in claims]

    ready = Readiness()
    ready.everything()
    settings = ResearchSettings(critique=False)
    thinker = ScriptedThinker(write=write)
    thinker.paragraph_claims = takes
    await Composer(findings, thinker, settings, Heard().append, ready, at_once=at_once).compose()

    assert written == under
