"""Few passages wait for the end of their round and are read together."""

from typing import Any

import anyio

from deepresearch_mcp.pipeline.research.reader import Material
from deepresearch_mcp.pipeline.research.remnants import Remnants
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.records.plan import Hypothesis, SubQuestion
from deepresearch_mcp.records.sources import Passage
from pipeline_fakes import page

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
