from typing import Any, cast, get_args

import pytest

from deepresearch_mcp.exceptions import AnswerCut, AnswerRefused, BudgetExceeded, ContextOverflow, UnreadableAnswer
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.evidence import Comparison, Reading
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Block, Draft, SectionPlan, Sentence, Sketch, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.audit_tasks import RepairSentences
from deepresearch_mcp.thinkers.base import Doubt, SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.prompted.thinker import Prompted
from deepresearch_mcp.thinkers.tasks import (
    AnswerDirectly,
    AssessCoverage,
    ConsolidateClaims,
    EditReport,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
    ReviewReport,
    SketchReport,
    WriteOpening,
    WriteSection,
)

AT = Step("read/q1/3f", ("fetch/a",))
OVERFLOW = ContextOverflow("test:scripted", "too long")
GOOD = {"claims": [{"claim": "Ice is light.", "quote": "Text 1", "passage_id": "p1"}], "leads": []}


async def read(thinker: Thinker, brief: Brief, sub_question: SubQuestion, passages: list[Passage]) -> Reading:
    return await thinker.ask(ReadPassages(brief, sub_question, passages, 6), AT)


async def test_a_call_names_its_step_its_role_and_the_shape_wanted(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [GOOD]

    reading = await read(thinker, brief, sub_question, passages)

    [call] = model.calls
    assert (call.key, call.needs, call.role, call.schema_name) == (AT.key, AT.depends_on, "reader", "read")
    assert call.schema["additionalProperties"] is False
    assert "Today is 2026-11-20." in call.prompt
    assert "2026" not in call.system
    assert [draft.passage_id for draft in reading.claims] == ["p10"]


async def test_two_calls_of_a_role_begin_with_the_same_words(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [GOOD, GOOD]

    await read(thinker, brief, sub_question, passages[:1])
    await read(thinker, brief, sub_question.model_copy(update={"text": "Why?"}), passages)

    assert model.calls[0].system == model.calls[1].system


async def test_a_model_without_json_is_asked_for_plain_lines(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = ["I like ice.", "Really.", 'p2 | Ice is light. | "Text 2"']

    reading = await read(thinker, brief, sub_question, passages)

    assert [call.key for call in model.calls] == [AT.key, f"{AT.key}/again", f"{AT.key}/plain"]
    assert (model.calls[-1].schema, model.calls[-1].needs) == (None, AT.depends_on)
    assert "Answer in plain lines" in model.prompt
    assert [(draft.passage_id, draft.quote) for draft in reading.claims] == [("p20", "Text 2")]


async def test_a_model_that_never_comes_to_an_end_is_asked_for_plain_lines(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [AnswerCut("test:scripted", "cut"), 'p2 | Ice is light. | "Text 2"']

    reading = await read(thinker, brief, sub_question, passages)

    assert [(draft.passage_id, draft.quote) for draft in reading.claims] == [("p20", "Text 2")]


async def test_an_answer_in_the_right_shape_with_nothing_usable_is_asked_for_plainly_too(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [{"claims": [{"claim": "x", "quote": "y", "passage_id": "invented-1"}]}, "NONE"]

    assert await read(thinker, brief, sub_question, passages) == Reading()


@pytest.mark.parametrize("last", ["Sorry, I cannot.", 'p9 | Ice is light. | "Text 2"'])
async def test_a_model_that_manages_neither_passes_on_as_unreadable(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage], last: str
) -> None:
    model.script = ["Hm.", "Hm.", last]

    with pytest.raises(UnreadableAnswer, match="neither in JSON nor in plain lines"):
        await read(thinker, brief, sub_question, passages)


async def test_material_too_long_for_the_model_is_halved_once(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [OVERFLOW, GOOD]

    reading = await read(thinker, brief, sub_question, passages)

    assert [call.key for call in model.calls] == [AT.key, f"{AT.key}/less"]
    assert "Text 2." in model.prompt
    assert "Text 3." not in model.prompt
    assert len(reading.claims) == 1


async def test_half_that_is_still_too_long_gives_way_to_the_best_of_it_and_then_to_the_one_who_thinks_instead(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [OVERFLOW, OVERFLOW, GOOD]

    assert len((await read(thinker, brief, sub_question, passages)).claims) == 1
    assert [call.key for call in model.calls] == [AT.key, f"{AT.key}/less", f"{AT.key}/notes"]

    model.script = [OVERFLOW, OVERFLOW, OVERFLOW]
    with pytest.raises(ContextOverflow):
        await read(thinker, brief, sub_question, passages)


async def test_that_less_had_to_do_is_told_for_each_kind_of_question(
    model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage], claim: Any
) -> None:
    heard: list[Any] = []
    roles = cast("tuple[Role, ...]", get_args(Role))
    thinker = Prompted({role: Structured(model) for role in roles}, "test:scripted", "8f3a", heard.append)
    verdicts = [{"verdicts": [{"claim_id": "c1", "verdict": "supported"}]} for _ in range(2)]
    model.script = [OVERFLOW, GOOD, OVERFLOW, OVERFLOW, GOOD, OVERFLOW, *verdicts]

    await read(thinker, brief, sub_question, passages)
    await read(thinker, brief, sub_question, passages)
    judged = await thinker.ask(JudgeClaims(brief, [claim(1), claim(2)]), Step("k"))

    assert [one.claim_id for one in judged] == ["cfact1", "cfact2"]

    assert [event.what for event in heard] == [
        *["test:scripted could not take all the material at once to read passages; half of it was used."] * 2,
        "test:scripted could not take all the material at once to read passages; the best fifth of it was used.",
        "test:scripted could not take all the material at once to check claims; it was asked in parts.",
    ]


async def test_parts_that_overflow_are_parted_once_more_and_then_pass_on(
    thinker: Prompted, model: Any, brief: Brief, claim: Any
) -> None:
    model.script = [OVERFLOW] * 3

    with pytest.raises(ContextOverflow):
        await thinker.ask(JudgeClaims(brief, [claim(n) for n in range(1, 9)]), Step("k"))
    assert [call.key for call in model.calls] == ["k", "k/first", "k/first/first"]

    model.script = [OVERFLOW]
    with pytest.raises(ContextOverflow):
        await thinker.ask(RepairSentences(brief, [Doubt(Sentence(text="Ice sinks."), "wrong")], []), Step("k"))


async def test_the_same_words_are_not_sent_twice_where_nothing_can_be_left_out(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage]
) -> None:
    model.script = [OVERFLOW]

    with pytest.raises(ContextOverflow):
        await read(thinker, brief, sub_question, passages[:1])


@pytest.mark.parametrize("error", [BudgetExceeded("max_usd", 0.5, 0.5), AnswerRefused("test:scripted", "no")])
async def test_what_asking_again_cannot_mend_passes_on_at_once(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, passages: list[Passage], error: Exception
) -> None:
    model.script = [error]

    with pytest.raises(type(error)):
        await read(thinker, brief, sub_question, passages)

    assert len(model.calls) == 1


async def test_each_method_asks_its_own_prompt(
    thinker: Prompted, model: Any, brief: Brief, sub_question: SubQuestion, claim: Any
) -> None:
    claims, said = [claim(1)], Sentence(text="Ice floats.", claim_ids=("cfact1",))
    draft = Draft(title="Ice", sections=(WrittenSection(heading="Ice", blocks=(Block(rows=((said,),)),)),))
    part = SubQuestionEvidence(sub_question, (claim(1),))
    model.script = [
        {"goal": "", "sub_questions": [{"question": "Why?", "priority": "high", "queries": ["ice density"]}]},
        {"verdicts": [{"claim_id": "c1", "verdict": "supported"}]},
        {"same": [{"claim_ids": ["c1", "c2"]}]},
        {"sufficiency": 7, "parts": [{"id": "q1", "answered": True, "queries": []}]},
        {"title": "Ice", "sections": [{"heading": "Density", "facts": ["c1"]}]},
        "Ice floats [c1].",
        "# Ice\n\nIt floats [c1].\n\n## Ice\n\nIt is lighter [c1].",
        "It is lighter [!c1].",
        {"worth": 9},
        {"sentences": [{"n": 1, "text": "Ice may float."}]},
    ]
    at = Step("k")

    plan = await thinker.ask(PlanResearch(brief, 4, 8), at)
    [judgement] = await thinker.ask(JudgeClaims(brief, claims), at)
    [comparison] = await thinker.ask(ConsolidateClaims(brief, [[claim(1), claim(2)]]), at)
    assessment = await thinker.ask(AssessCoverage(brief, [part], 4), at)
    sketch = await thinker.ask(SketchReport(brief, claims, {}, 900), at)
    section = await thinker.ask(WriteSection(brief, SectionPlan(heading="Ice"), sketch, claims, [], {}, 90), at)
    edited = await thinker.ask(EditReport(brief, draft, [], claims, {}, 900), at)
    [opening] = await thinker.ask(WriteOpening(brief, draft, [], claims), at)
    review = await thinker.ask(ReviewReport(brief, draft, [], [], 3), at)
    [repaired] = await thinker.ask(RepairSentences(brief, [Doubt(said, "too strong")], claims), at)

    assert [call.schema_name for call in model.calls] == [
        "plan", "judge", "consolidate", "assess", "sketch", "answer", "answer", "answer", "review", "repair",
    ]  # fmt: skip
    assert (plan.made_by, judgement.verdict, assessment.sufficiency, sketch.title) == (
        "test:scripted", "supported", 7, "Ice",
    )  # fmt: skip
    assert [one.claim_ids for one in section.section.sentences] == [("cfact1",)]
    assert [one.text for one in edited.sections[0].sentences] == ["It is lighter."]
    assert (opening.premises, review.worth) == (("cfact1",), 9)
    assert comparison == Comparison(first="cfact1", second="cfact2", relation="same")
    assert repaired.text == "Ice may float."


async def test_no_one_is_asked_about_nothing(thinker: Prompted, brief: Brief, sub_question: SubQuestion) -> None:
    at = Step("k")

    assert await thinker.ask(ReadPassages(brief, sub_question, [], 6), at) == Reading()
    assert await thinker.ask(JudgeClaims(brief, []), at) == ()
    assert await thinker.ask(ConsolidateClaims(brief, []), at) == ()
    empty = await thinker.ask(WriteSection(brief, SectionPlan(heading="Ice"), Sketch(title=""), [], [], {}, 90), at)
    assert empty.section == WrittenSection(heading="Ice")
    assert await thinker.ask(WriteOpening(brief, Draft(title=""), [], []), at) == ()
    assert await thinker.ask(EditReport(brief, Draft(title="Ice"), [], [], {}, 9), at) == Draft(title="Ice")
    assert await thinker.ask(RepairSentences(brief, [], []), at) == ()


async def test_a_direct_answer_is_plain_text(thinker: Prompted, model: Any, brief: Brief) -> None:
    model.script = ["It is less dense than water.\n"]

    assert await thinker.ask(AnswerDirectly(brief), Step("direct")) == "It is less dense than water."
    assert (model.calls[0].schema, model.calls[0].role) == (None, "writer")
    assert "a few short paragraphs" in model.prompt


async def test_a_model_that_does_not_know_has_no_direct_answer(thinker: Prompted, model: Any, brief: Brief) -> None:
    model.script = ["**UNKNOWN**."]
    short = brief.model_copy(update={"request": brief.request.model_copy(update={"mode": "answer"})})

    assert await thinker.ask(AnswerDirectly(short), Step("direct")) == ""
    assert "at most 140 characters" in model.prompt


async def test_a_direct_answer_can_do_with_half_of_what_is_known_from_before(
    thinker: Prompted, model: Any, brief: Brief
) -> None:
    model.script = [OVERFLOW, "Yes."]

    assert (
        await thinker.ask(AnswerDirectly(brief.model_copy(update={"background": "abcdefgh"})), Step("direct")) == "Yes."
    )
    assert model.calls[-1].key == "direct/less"
    assert "<background>\nabcd\n</background" in model.prompt

    model.script = [OVERFLOW]
    with pytest.raises(ContextOverflow):
        await thinker.ask(AnswerDirectly(brief), Step("direct"))
