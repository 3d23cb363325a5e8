"""The report's stages in order: all evidence, the writing, the audit."""

from typing import Any

import anyio
import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.readiness import Readiness
from deepresearch_mcp.pipeline.report.composing import Composer
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.report import (
    Block,
    Review,
    SectionDraft,
    SectionPlan,
    Sentence,
    Sketch,
    SpotFill,
    WrittenSection,
)
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import Heard, ScriptedThinker, brief, claim, idle, page, part, prose

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


async def test_a_report_is_made_of_all_that_was_found_once_the_research_is_over():
    findings, ready, thinker = found(), Readiness(), ScriptedThinker()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(composer(findings, thinker, ready).compose)
        ready.last.set()
        ready.done("q1")
        await idle()
        assert thinker.calls == []
        ready.everything()

    assert [call.method for call in thinker.calls] == ["sketch", "section", "section", "edit", "review"]
    assert findings.draft.title == findings.brief.question
    assert [one.text for one in findings.draft.in_short] == [FLOATS.text]
    assert [section.heading for section in findings.draft.sections] == ["On q1", "On q2"]
    assert findings.removed == ()


async def test_claims_of_two_sources_that_say_the_same_are_one_sentence_with_both():
    findings = found()

    await composer(findings, ScriptedThinker()).compose()

    claims = findings.settled()
    stated = claims[findings.draft.in_short[0].claim_ids[0]]
    assert {quote.source_id for quote in stated.quotes} == {ICE.source_id, TWIN.source_id}


async def test_an_answer_is_one_opening_of_at_most_140_characters_and_no_section():
    findings = found(mode="answer")
    thinker = ScriptedThinker(opening=lambda *given: [sentence("Ice floats on water, " * 10, FLOATS)])

    await composer(findings, thinker).compose()

    assert [call.method for call in thinker.calls if call.method != "repair"] == ["opening"]
    assert thinker.called("opening")[0].args[4] == 140
    assert findings.draft.in_short == (sentence(FLOATS.text, findings.settled()[FLOATS.claim_id]),)
    assert findings.draft.sections == ()


async def test_an_opening_that_the_audit_took_out_gives_way_to_a_claim():
    findings = found()
    said = (sentence("Penguins march over 40 frozen plains.", FLOATS),)
    thinker = ScriptedThinker(edit=lambda brief, draft, *rest: draft.model_copy(update={"in_short": said}))

    await composer(findings, thinker).compose()

    assert [one.text for one in findings.draft.in_short] == [FLOATS.text]
    assert [one.text for one in findings.removed] == [said[0].text]


async def test_without_claims_no_one_is_asked_for_prose():
    findings, thinker = Findings(brief(), plan=PLAN), ScriptedThinker()

    await composer(findings, thinker).compose()

    assert thinker.calls == []
    assert (findings.draft.in_short, findings.draft.sections) == ((), ())


@pytest.mark.parametrize("error", [BudgetExceeded("max_usd", 1, 1), ProviderError("m", "gone")])
async def test_where_no_section_can_be_written_the_reason_passes_on(error: Exception):
    with pytest.raises((BudgetExceeded, ProviderError)) as caught:
        await composer(found(), ScriptedThinker(section=error)).compose()

    assert caught.value is error


async def test_a_refused_key_stops_the_composing():
    with pytest.raises((KeyRefused, ExceptionGroup)) as caught:
        await composer(found(), ScriptedThinker(section=KeyRefused("openai", "no such key"))).compose()

    error = caught.value
    assert isinstance(leaf(error) if isinstance(error, ExceptionGroup) else error, KeyRefused)


async def test_an_engine_of_rules_makes_a_digest_of_the_pages_and_is_asked_nothing():
    findings, thinker = found(), ScriptedThinker(name="extractive")

    await composer(findings, thinker).compose()

    assert thinker.calls == []
    assert findings.digest
    assert {block.kind for section in findings.draft.sections for block in section.blocks} <= {"passage"}


async def test_without_critique_nobody_reviews():
    thinker = ScriptedThinker(review=Review(rewrite=()))

    await composer(found(), thinker, critique=False).compose()

    assert not thinker.called("review")


async def test_the_answer_without_research_is_cut_where_a_short_one_was_asked_for():
    findings = Findings(brief(mode="answer"))

    await composer(findings, ScriptedThinker(direct=" Because it is light. " * 20)).direct()

    assert len(findings.direct) <= 140


async def test_prose_told_twice_is_told_once():
    findings = found()
    thinker = ScriptedThinker(
        edit=lambda brief, draft, *rest: draft.model_copy(
            update={"sections": (prose("One", FLOATS, LAKES), prose("Two", LAKES, FISH))}
        )
    )

    await composer(findings, thinker).compose()

    assert [[one.text for one in section.sentences] for section in findings.draft.sections] == [
        [FLOATS.text, LAKES.text], [FISH.text],
    ]  # fmt: skip


@pytest.mark.parametrize(("trifling", "told"), [(False, 2), (True, 0)])
async def test_where_sources_differ_leaves_out_what_the_author_calls_a_trifle(trifling: bool, told: int):
    other = claim(TWIN, "Ice floats on water.", "Ice floats on salt water.")
    one = claim(ICE, "Ice floats on water.", disputes=(other.claim_id,), verdict="disputed")
    other = other.model_copy(update={"disputes": (one.claim_id,), "verdict": "disputed"})
    findings = Findings(brief(), plan=PLAN, documents={each.source_id: each for each in (ICE, TWIN)})
    findings.of("q1").claims += [one, other]
    plan = SectionPlan(heading="On ice", claim_ids=(one.claim_id, other.claim_id))
    sketch = Sketch(title="Ice", sections=(plan,), trifles=(one.claim_id,) if trifling else ())

    await composer(findings, ScriptedThinker(sketch=sketch)).compose()

    assert len(findings.draft.differences) == told


async def test_an_empty_cell_is_looked_up_before_the_report_is_audited() -> None:
    findings, empty = found(), Sentence(text="–")
    rows = (
        (Sentence(text="Floating"), sentence("on water", FLOATS), empty),
        (Sentence(text="Freezing"), sentence("from above", LAKES), sentence("from above", LAKES)),
        (Sentence(text="Fish"), empty, empty),
    )
    table = Block(kind="table", head=("Matter", "Ice", "Lakes"), rows=rows)
    section = SectionDraft(section=WrittenSection(heading="On ice", blocks=(table,)))
    fill = SpotFill(spot=1, text="below the ice", claim_ids=(FISH.claim_id,))
    plan = Sketch(title="Ice", sections=(SectionPlan(heading="On ice", form="table", claim_ids=(FLOATS.claim_id,)),))
    thinker = ScriptedThinker(sketch=plan, section=section, fill=[fill])

    await composer(findings, thinker, critique=False).compose()

    [spots] = [call.whole.spots for call in thinker.called("fill")]
    assert [one.place.partition(" (")[0] for one in spots] == [
        "cell of “On ice”, row “Floating”, column “Lakes”",
        "cell of “On ice”, row “Fish”, column “Ice”",
        "cell of “On ice”, row “Fish”, column “Lakes”",
    ]
    shown, rest = findings.draft.sections[0].blocks
    assert [[cell.text for cell in row] for row in shown.rows][2] == ["Fish", "below the ice"]
    # A column that is still mostly empty is told below the table.
    assert [(one.label, one.text) for one in rest.sentences] == [("Lakes", "Freezing: from above.")]
