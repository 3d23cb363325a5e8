"""Sections, drafts and the opening."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.events import SectionWritten
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.report.opening import ANSWER_CHARS
from deepresearch_mcp.pipeline.report.writer import (
    IN_SHORT_CHARS,
    Material,
    ReviewMaterial,
    Writer,
    arrange,
    opening_chars,
    stated,
)
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import Heard, MemoryJournal, ScriptedThinker, brief, claim, page, part

ICE = page("https://one.example/ice", "Ice is lighter than water. It floats. Lakes freeze from above. Fish live below.")
LIGHT = claim(ICE, "Ice is lighter than water.", score=3.0)
FLOATS = claim(ICE, "It floats.", "Ice floats.", score=2.0)
LAKES = claim(ICE, "Lakes freeze from above.", score=1.0)
FISH = claim(ICE, "Fish live below.", score=0.5)
WATER = part("q1", "Why does ice float on water?")
LIFE = part("q2", "How do fish live in winter lakes?")


def writer(thinker: ScriptedThinker, heard: Heard | None = None, **settings: object) -> Writer:
    tell = heard.append if heard is not None else Heard().append
    return Writer(brief(), thinker, ResearchSettings.model_validate(settings), tell)


def supply(*claims: Claim):
    async def give(section: SectionPlan) -> Material:
        return Material(claims, ("verify/1",))

    return give


def sentence(text: str, *claims: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in claims))


def test_every_sub_question_stands_in_exactly_one_section():
    proposed = Outline(
        title="# Ice  and\nwater ",
        sections=(
            SectionPlan(heading="## Why it floats", sub_questions=("q1", "q1", "q9")),
            SectionPlan(heading="Again", sub_questions=("q1",)),
            SectionPlan(heading="Empty"),
        ),
    )

    outline = arrange(proposed, [WATER, LIFE], "Why?")

    assert outline.title == "Ice and water"
    assert outline.sections == (
        SectionPlan(heading="Why it floats", sub_questions=("q1",)),
        SectionPlan(heading=LIFE.text, sub_questions=("q2",)),
    )


def test_a_missing_title_is_the_question_and_a_missing_heading_the_sub_question():
    outline = arrange(Outline(title=" ", sections=(SectionPlan(heading="# ", sub_questions=("q2",)),)), [LIFE], "Why?")

    assert (outline.title, outline.sections[0].heading) == ("Why?", LIFE.text)


async def test_sections_are_written_at_once_and_each_is_told_of():
    both, waiting = anyio.Event(), []

    async def write(_brief, section, claims, at):
        waiting.append(section.heading)
        if len(waiting) == 2:
            both.set()
        await both.wait()  # a writer that takes one section after the other never ends
        return [sentence("Ice floats.", FLOATS)]

    heard = Heard()
    outline = Outline(
        title="T",
        sections=(SectionPlan(heading="A", sub_questions=("q1",)), SectionPlan(heading="B", sub_questions=("q2",))),
    )

    draft, keys = await writer(ScriptedThinker(write=write), heard).draft(outline, supply(FLOATS))

    assert [section.heading for section in draft.sections] == ["A", "B"]
    assert {event.heading for event in heard.of(SectionWritten)} == {"A", "B"}
    assert len(keys) == 2


async def test_two_sections_that_rest_on_the_same_claims_are_two_steps():
    thinker = ScriptedThinker(journal=MemoryJournal())
    outline = Outline(
        title="T",
        sections=(SectionPlan(heading="A", sub_questions=("q1",)), SectionPlan(heading="B", sub_questions=("q2",))),
    )

    draft, _ = await writer(thinker).draft(outline, supply(FLOATS))

    assert len(draft.sections) == 2
    assert len(set(thinker.keys("write"))) == 2


async def test_many_claims_become_even_paragraphs_and_none_become_none():
    thinker = ScriptedThinker()
    outline = Outline(title="T", sections=(SectionPlan(heading="A", sub_questions=("q1",)),))

    full, _ = await writer(thinker, paragraph_claims=3).draft(outline, supply(LIGHT, FLOATS, LAKES, FISH))
    empty, keys = await writer(thinker).draft(outline, supply())

    assert [len(block.sentences) for block in full.sections[0].blocks] == [2, 2]
    assert (empty.sections, keys) == ((), ())


async def test_a_paragraph_that_came_back_empty_is_left_out():
    outline = Outline(title="T", sections=(SectionPlan(heading="A", sub_questions=("q1",)),))

    draft, _ = await writer(ScriptedThinker(write=[])).draft(outline, supply(FLOATS))

    assert draft.sections == ()


EVIDENCE = ReviewMaterial({FLOATS.claim_id: FLOATS}, {ICE.source_id: "Ice"})


def drafted(text: str) -> Draft:
    section = WrittenSection(heading="A", paragraphs=((sentence(text, FLOATS),),))
    return Draft(title="T", sections=(section,))


async def test_the_draft_with_the_best_marks_is_taken():
    def critique(_brief, draft, claims, at):
        assert claims == [FLOATS]
        return Critique(factuality=9 if draft.title == "T2" else 5)

    second = drafted("Ice does float.").model_copy(update={"title": "T2"})
    best, needs = await writer(ScriptedThinker(critique=critique)).improve(
        {1: drafted("Ice floats."), 2: second, 3: drafted("It floats.")}, EVIDENCE, ("write/1",)
    )

    assert best is second
    assert needs == ("write/1", "critique/2")


async def test_a_draft_is_revised_section_by_section_where_its_critic_has_notes():
    def revise(_brief, section, critique, claims, at):
        assert claims == [FLOATS]
        return section.model_copy(update={"heading": "Better"})

    thinker = ScriptedThinker(critique=Critique(notes=("too short",)), revise=revise)

    best, needs = await writer(thinker).improve({1: drafted("Ice floats.")}, EVIDENCE, ("write/1",))

    assert best.sections[0].heading == "Better"
    assert needs == ("revise/1",)
    assert thinker.called("revise")[0].step.depends_on == ("critique/1",)


async def test_the_outline_is_asked_for_with_the_claims_that_are_there():
    thinker = ScriptedThinker()

    outline = await writer(thinker).outline(
        [SubQuestionEvidence(WATER, (LIGHT,)), SubQuestionEvidence(LIFE, ())], ("verify/1",)
    )

    assert [section.sub_questions for section in outline.sections] == [("q1",), ("q2",)]
    assert thinker.called("outline")[0].step.depends_on == ("verify/1",)


@pytest.mark.parametrize(("mode", "limit"), [("answer", ANSWER_CHARS), ("report", IN_SHORT_CHARS)])
async def test_the_thinker_is_told_how_long_the_direct_answer_may_be(mode: str, limit: int):
    thinker = ScriptedThinker()
    asked = brief(mode=mode)

    said = await Writer(asked, thinker, ResearchSettings(), Heard().append).conclude((), [FLOATS], ("write/1",))

    assert said == (sentence("Ice floats.", FLOATS),)
    assert thinker.called("conclude")[0].args[-1] == limit == opening_chars(asked)


def test_claims_stated_by_a_draft_come_once_and_in_order():
    section = WrittenSection(
        heading="A",
        paragraphs=((sentence("x", LAKES, LIGHT),), (sentence("y", LIGHT), Sentence(text="z", claim_ids=("cx",)))),
    )

    assert stated(Draft(title="", sections=(section,)), {c.claim_id: c for c in (LIGHT, LAKES)}) == [LAKES, LIGHT]


@given(some.integers(min_value=0, max_value=40))
async def test_long_prose_becomes_paragraphs_that_a_reader_can_take_in(number: int) -> None:
    sentences = [Sentence(text=f"Fact {n}.", claim_ids=("c",)) for n in range(number)]
    thinker = ScriptedThinker(write=lambda *_: sentences)
    outline = Outline(title="Ice", sections=(SectionPlan(heading="Ice", sub_questions=("q1",)),))

    async def supply(_: SectionPlan) -> Material:
        return Material((LIGHT,), ())

    draft, _ = await writer(thinker).draft(outline, supply)

    paragraphs = [block.sentences for block in draft.sections[0].blocks] if draft.sections else []
    assert [sentence for paragraph in paragraphs for sentence in paragraph] == sentences
    assert all(1 <= len(paragraph) <= 5 for paragraph in paragraphs)


async def test_a_thinker_that_orders_whole_sections_is_given_them_whole() -> None:
    asked: list[int] = []

    def write(_brief: object, _section: object, claims: list[Claim], _at: object) -> list[Sentence]:
        asked.append(len(claims))
        return []

    class Wide(ScriptedThinker):
        paragraph_claims = 60

    outline = Outline(title="Ice", sections=(SectionPlan(heading="Ice", sub_questions=("q1",)),))

    async def supply(_: SectionPlan) -> Material:
        return Material((LIGHT, FLOATS, LAKES, FISH), ())

    await writer(Wide(write=write), paragraph_claims=2).draft(outline, supply)
    await writer(ScriptedThinker(write=write), paragraph_claims=2).draft(outline, supply)

    assert asked == [4, 2, 2]


def test_a_heading_with_an_address_or_a_figure_of_its_own_gives_way_to_what_was_asked():
    proposed = Outline(
        title="Visit http://evil.example",
        sections=(
            SectionPlan(heading="Ice since 1879", sub_questions=("q1",)),
            SectionPlan(heading="Fish in winter", sub_questions=("q2",)),
        ),
    )

    arranged = arrange(proposed, [WATER, LIFE], "Ice?")

    assert arranged.title == "Ice?"
    assert [section.heading for section in arranged.sections] == [WATER.text, "Fish in winter"]


def test_a_heading_may_call_by_name_what_the_claims_do():
    proposed = Outline(
        title="What Torricelli and Pascal found",
        sections=(SectionPlan(heading="Torricelli on ice", sub_questions=("q1",)),),
    )
    known = claim(page("https://one.example/t", "Torricelli weighed ice."), "Torricelli weighed ice.")

    arranged = arrange(proposed, [WATER], "Ice?", [known])

    assert (arranged.title, arranged.sections[0].heading) == ("Ice?", "Torricelli on ice")


async def test_a_draft_that_the_audit_would_take_apart_is_not_saved_by_its_marks():
    false = drafted("Ice floats, because it was blessed by the winter spirits.")

    def critique(_brief, draft, claims, at):
        return Critique(factuality=10 if draft is false else 7, coherence=8)

    best, _ = await writer(ScriptedThinker(critique=critique)).improve(
        {1: false, 2: drafted("Ice floats.")}, EVIDENCE, ()
    )

    assert best == drafted("Ice floats.")


@pytest.mark.parametrize("error", [ProviderError("openai", "away"), BudgetExceeded("max_usd", 1, 1)])
async def test_a_critic_or_reviser_that_fails_leaves_the_draft_as_it_is(error: Exception):
    def critique(_brief, draft, claims, at):
        return error if at.key == "critique/1" else Critique(factuality=9, coherence=9, notes=("Mend it.",))

    def critical(*given):
        answer = critique(*given)
        if isinstance(answer, Exception):
            raise answer
        return answer

    thinker = ScriptedThinker(critique=critical, revise=error)
    drafts = {1: drafted("Ice floats."), 2: drafted("Ice does float.")}

    best, needs = await writer(thinker).improve(drafts, EVIDENCE, ())

    assert (best, needs) == (drafts[2], ("revise/1",))


@pytest.mark.parametrize("method", ["critique", "revise"])
async def test_a_refused_key_stops_the_improving(method: str):
    script = {"critique": Critique(notes=("Mend it.",))} | {method: KeyRefused("openai", "no such key")}

    with pytest.raises(ExceptionGroup) as caught:
        await writer(ScriptedThinker(**script)).improve({1: drafted("Ice floats.")}, EVIDENCE, ())

    assert isinstance(leaf(caught.value), KeyRefused)


async def test_each_draft_has_its_own_angle_and_the_first_none():
    thinker = ScriptedThinker()
    outline = Outline(title="T", sections=(SectionPlan(heading="A", sub_questions=("q1",)),))

    for number in range(1, 6):
        await writer(thinker).draft(outline, supply(FLOATS), number)

    angles = [call.args[1].angle for call in thinker.called("write")]
    assert angles[0] == ""
    assert len(set(angles)) == 5


async def test_a_critic_sees_what_was_left_out_and_a_reviser_what_of_it_belongs_to_the_section():
    seen: dict[str, list[Claim]] = {}

    def critique(_brief, draft, claims, at):
        seen["critique"] = claims
        return Critique(notes=("Lakes are missing.",))

    def revise(_brief, section, critique, claims, at):
        seen["revise"] = claims
        return section

    other = FISH.model_copy(update={"sub_question": "q2"})
    evidence = ReviewMaterial(EVIDENCE.claims, EVIDENCE.titles, (LAKES, FLOATS, other))

    await writer(ScriptedThinker(critique=critique, revise=revise)).improve({1: drafted("Ice floats.")}, evidence, ())

    assert seen == {"critique": [FLOATS, LAKES, other], "revise": [FLOATS, LAKES]}
