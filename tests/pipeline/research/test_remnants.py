"""Few passages wait for the end of their round and are read together."""

from typing import Any

import anyio

from deepresearch_mcp.pipeline.research.reader import Material
from deepresearch_mcp.pipeline.research.remnants import Remnants
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.records.evidence import Assessment, ClaimDraft, FollowUp, OpenPoint, Reading
from deepresearch_mcp.records.plan import Deliverable, Hypothesis, Scope, SubQuestion
from deepresearch_mcp.records.sources import Passage
from pipeline_fakes import FakeEngine, ScriptedThinker, lead, page
from research_world import FACTS, PLAN, World, finds, world

ICE = SubQuestion(id="q1", text="Why does ice float?")
SNOW = SubQuestion(id="q2", text="How dense is snow?")
DENSE = Hypothesis(id="h1", statement="Snow is lighter than ice.", query="snow density")


def material(part: SubQuestion, *names: str, chars: int = 200) -> Material:
    text = "x" * chars
    passages = [Passage(passage_id=one, source_id=one, start=0, end=chars, text=text, heading="Page") for one in names]
    documents = {one: page(f"https://{one}.example/", text) for one in names}
    return Material(part, passages, documents, (), tuple(f"fetch/{one}" for one in names), own=(DENSE,))


async def collected(remnants: Remnants, *parts: Material) -> list[str]:
    """What a live round joins, if these are all the choices that it makes."""
    remnants.expect([one.sub_question.id for one in parts])
    found: list[str] = []

    async def collect() -> None:
        found.extend(await remnants.collected())

    async with anyio.create_task_group() as group:
        group.start_soon(collect)
        for one in parts:
            await remnants.takes(one, SubQuestionState())
        for one in parts:
            assert not found
            remnants.over(one.sub_question.id)
    return found


async def test_few_passages_wait_and_many_do_not() -> None:
    remnants = Remnants(chars=1_000)

    assert await collected(remnants, material(ICE, "a"), material(SNOW, "b", "c")) == ["a"]


async def test_what_comes_after_the_choices_of_a_round_is_read_at_once() -> None:
    remnants = Remnants(chars=1_000)
    await collected(remnants, material(ICE, "a"))

    assert not await remnants.takes(material(ICE, "b"), SubQuestionState())


async def test_a_resumed_run_joins_what_was_joined_before_however_its_choices_come() -> None:
    remnants = Remnants(chars=1_000)
    remnants.expect(["q1", "q2"])
    taken: dict[str, bool] = {}

    async with anyio.create_task_group() as group:
        group.start_soon(remnants.complete, ["a", "b"])
        await anyio.wait_all_tasks_blocked()
        for one in (material(SNOW, "late"), material(SNOW, "b"), material(ICE, "a")):
            taken[one.passages[0].passage_id] = await remnants.takes(one, SubQuestionState())

    assert taken == {"late": False, "b": True, "a": True}
    [joined] = remnants.joined(())
    assert [one.passage_id for one in joined.passages] == ["a", "b"]
    assert not await remnants.takes(material(ICE, "a"), SubQuestionState())


async def test_a_resumed_run_does_not_wait_for_passages_that_no_choice_brings() -> None:
    remnants = Remnants(chars=1_000)
    remnants.expect(["q1"])

    async with anyio.create_task_group() as group:
        group.start_soon(remnants.complete, ["a", "gone"])
        await anyio.wait_all_tasks_blocked()
        await remnants.takes(material(ICE, "a"), SubQuestionState())
        remnants.over("q1")

    assert [one.passage_id for part in remnants.joined(()) for one in part.passages] == ["a"]


async def test_what_waits_is_joined_in_one_order_and_each_passage_keeps_its_sub_question() -> None:
    parts = (material(ICE, "a"), material(SNOW, "b"), material(ICE, "c"))
    made: list[Any] = []
    for order in (parts, parts[::-1]):
        remnants = Remnants(chars=1_000)
        await collected(remnants, *order)
        [joined] = remnants.joined(())
        made.append(joined)
        assert remnants.joined(()) == []
        assert set(remnants.states) == {"q1", "q2"}

    first, second = made
    assert first == second
    assert [one.passage_id for one in first.passages] == ["a", "c", "b"]
    assert first.parts == (ICE, SNOW)
    assert [first.home(name) for name in ("a", "b", "c")] == [ICE, SNOW, ICE]
    assert set(first.needs) == {"fetch/a", "fetch/b", "fetch/c"}
    assert first.hypotheses == (DENSE,)


async def test_a_passage_that_two_sub_questions_chose_is_read_once() -> None:
    remnants = Remnants(chars=1_000)
    await collected(remnants, *(material(part, "a") for part in (ICE, SNOW)))

    [joined] = remnants.joined(())
    assert [one.passage_id for one in joined.passages] == ["a"]


async def test_more_than_a_batch_holds_is_read_in_several() -> None:
    remnants = Remnants(chars=1_000)
    await collected(remnants, *(material(ICE, name) for name in "abcdefgh"))

    assert [len(one.passages) for one in remnants.joined(())] == [4, 4]


def later_round() -> World:
    """A second round with a query for each of two sub-questions, on pages that the first round did not find."""
    late = [
        page("https://late1.example/seals", "Ice below seals is dense water. They dive deep.", title="Seals"),
        page(
            "https://late2.example/bears", "Floating ice of lakes brings bears to fish. They hunt seals.", title="Bears"
        ),
    ]
    early = [page(f"https://site{at}.example/ice", f"{FACTS[at]} It is so.", title=f"Ice {at}") for at in range(4)]
    known = {"why is ice dense water": late[0], "floating ice lakes fish": late[1]}
    usual = finds(*early)

    def answer(query: Any) -> Any:
        return finds(known[query.text])(query)[:1] if query.text in known else usual(query)

    def assess(brief: Any, parts: Any, queries: int, step: Any) -> Assessment:
        asked = (
            FollowUp(sub_question="q1", query="why is ice dense water", point="d1"),
            FollowUp(sub_question="q2", query="floating ice lakes fish", point="d1"),
        )
        missing = (OpenPoint(point="d1", missing="Which animals live on the ice"),)
        return Assessment(sufficiency=2, open=missing, follow_ups=asked if queries else ())

    def read(brief: Any, part: Any, passages: Any, limit: int, step: Any) -> Reading:
        drafts = tuple(
            ClaimDraft(text=said, quote=said, passage_id=one.passage_id)
            for one in passages
            for said in [one.text.split(".")[0] + "."]
        )
        return Reading(claims=drafts, leads=(lead(query="what bears eat"),))

    scope = Scope(deliverables=(Deliverable(id="d1", kind="explanation", text="Why ice floats"),))
    thinker = ScriptedThinker(plan=PLAN.model_copy(update={"scope": scope}), assess=assess, read=read)
    return world(thinker=thinker, documents=[*early, *late], engines=[FakeEngine(answer)], depth=2)


async def test_the_remnants_of_a_round_are_one_reading_and_each_claim_belongs_to_its_sub_question() -> None:
    run = later_round()
    await run.run()

    joined = [task for task in run.thinker.tasks if getattr(task, "others", ())]
    assert len(joined) == 1
    assert {joined[0].sub_question.id, *(one.id for one in joined[0].others)} == {"q1", "q2"}
    of = {claim.text: claim.sub_question for claim in run.findings.claims}
    assert of["Ice below seals is dense water."] == "q1"
    assert of["Floating ice of lakes brings bears to fish."] == "q2"
    held = {name: {claim.text for claim in run.findings.of(name).claims} for name in ("q1", "q2")}
    assert "Ice below seals is dense water." in held["q1"] - held["q2"]
    assert "Floating ice of lakes brings bears to fish." in held["q2"] - held["q1"]
    assert "what bears eat" in run.findings.of("q1").leads
