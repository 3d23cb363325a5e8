"""The library, as a program uses it."""

import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from deepresearch_mcp import DeepResearch, InvalidRequest, Progress, RunEvent, SettingsError, UnknownRun
from small_web import QUESTION, SmallWeb, settings_for, small_web
from thinking import Mind


@pytest.fixture
async def web() -> AsyncGenerator[SmallWeb]:
    async with small_web() as one:
        yield one


async def test_a_question_is_researched_to_its_end_with_progress(tmp_path: Path, web: SmallWeb):
    heard: list[Progress] = []

    async def hear(progress: Progress) -> None:
        heard.append(progress)

    async def listen(event: RunEvent) -> None:
        events.append(event)

    events: list[RunEvent] = []
    async with DeepResearch(settings_for(tmp_path, web.base)) as research:
        run = await research.research(QUESTION, effort="quick", on_progress=hear, on_event=listen)
        stored = [one async for one in research.events(run.run_id)]
        again = await research.research(QUESTION, effort="quick")
        anew = await research.start(QUESTION, effort="quick", fresh=True)
        assert await research.get(run.run_id) == run

    assert run.status == "completed"
    assert run.quotes.located == run.quotes.total > 0
    assert heard
    assert events == stored
    assert (events[0].kind, events[-1].kind) == ("started", "ended")
    assert again == run
    assert anew != run.run_id


async def test_a_run_can_be_followed_for_a_while_and_cancelled(tmp_path: Path):
    async with small_web(held=True) as held, DeepResearch(settings_for(tmp_path, held.base)) as research:
        run_id = await research.start(QUESTION, effort="quick")

        lasting = await research.follow(run_id, wait_seconds=0)
        ended = await research.cancel(run_id)

    assert (lasting.status, lasting.report) == ("running", "")
    assert ended.status == "cancelled"
    assert "The run was cancelled before anything was found." in ended.report


async def test_cancelling_the_call_only_detaches(tmp_path: Path):
    async with small_web(held=True) as held, DeepResearch(settings_for(tmp_path, held.base)) as research:
        run_id = await research.start(QUESTION, effort="quick")
        with anyio.CancelScope() as scope:

            async def hear(progress: Progress) -> None:
                scope.cancel()

            await research.research(QUESTION, effort="quick", on_progress=hear)

        assert (await research.get(run_id)).status == "running"
        held.open.set()
        assert (await research.follow(run_id)).status == "completed"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"question": " "}, "empty"),
        ({"question": "Why?", "depth": 9}, "depth"),
        ({"question": "Why?", "dept": 1}, "dept"),
    ],
)
async def test_a_wrong_argument_is_our_own_error_also_outside_the_block(
    tmp_path: Path, arguments: dict[str, object], said: str
):
    with pytest.raises(InvalidRequest, match=said):
        async with DeepResearch(settings_for(tmp_path)) as research:
            await research.research(**arguments)


async def test_an_unknown_run_is_our_own_error(tmp_path: Path):
    async with DeepResearch(settings_for(tmp_path)) as research:
        for ask in (research.get, research.follow, research.cancel):
            with pytest.raises(UnknownRun):
                await ask("nobody")


async def test_it_is_used_in_its_block(tmp_path: Path):
    research = DeepResearch(settings_for(tmp_path))
    with pytest.raises(RuntimeError, match="async with"):
        await research.get("r1")
    async with research:
        pass
    with pytest.raises(RuntimeError, match="async with"):
        await research.get("r1")


async def test_it_can_be_opened_again(tmp_path: Path):
    research = DeepResearch(settings_for(tmp_path))
    for _ in range(2):
        async with research:
            with pytest.raises(UnknownRun):
                await research.get("r1")


def test_settings_can_be_given_by_their_dotted_names(tmp_path: Path):
    assert DeepResearch(**{"home": str(tmp_path), "model.use": "extractive"})
    with pytest.raises(SettingsError, match=r"model\.usee"):
        DeepResearch(**{"model.usee": "extractive"})


async def test_a_text_is_checked_and_comes_back_with_its_verdicts(tmp_path: Path, web: SmallWeb):
    async with DeepResearch(settings_for(tmp_path, web.base)) as research:
        run = await research.check(
            f"Fish survive the winter in the water below the floating ice [1].\n\n[1]: {web.base}/lakes"
        )
        again = await research.check(run_id=run.run_id)

    assert [one.verdict for one in run.checks] == ["supported"]
    assert [one.before for one in again.checks] == ["supported"]


async def test_a_plan_comes_back_to_be_approved_and_is_answered(tmp_path: Path, web: SmallWeb):
    async with DeepResearch(settings_for(tmp_path, web.base)) as research:
        asked = await research.research(QUESTION, effort="quick", approve_plan=True)
        searched = list(web.asked)
        changed = await research.answer(asked.run_id, sub_questions=["How thick is lake ice?"], max_pages=3)
        run = await research.answer(asked.run_id, approve=True)
        with pytest.raises(InvalidRequest, match="has already been answered"):
            await research.answer(asked.run_id, approve=False)

    assert searched == []
    assert [one.status for one in (asked, changed, run)] == ["input_required", "input_required", "completed"]
    assert changed.waiting is not None
    assert changed.waiting.ceilings is not None
    assert changed.waiting.ceilings.max_pages == 3
    assert run.waiting is None
    assert run.metrics.pages <= 3


async def test_a_program_may_be_the_model_itself(tmp_path: Path, web: SmallWeb):
    mind = Mind()
    async with DeepResearch(settings_for(tmp_path, web.base)) as research:
        run = await research.research(QUESTION, effort="quick", model="client")
        assert run.waiting
        with pytest.raises(InvalidRequest, match=r"1\.1: it is empty"):
            await research.answer(run.run_id, work={"1.1": ""})
        while run.waiting:
            run = await research.answer(run.run_id, work={one.packet_id: mind.answer(one) for one in run.waiting.open})

    assert run.status == "completed"
    assert run.quotes.located == run.quotes.total > 0


async def test_what_was_opened_is_closed_when_the_rest_cannot_be_opened(tmp_path: Path):
    settings = settings_for(tmp_path).model_copy()
    del settings.__dict__["keep"]  # The runtime opens without it; the jobs look for it first of all.
    before = set(threading.enumerate())

    with pytest.RaisesGroup(AttributeError, allow_unwrapped=True, flatten_subgroups=True):
        async with DeepResearch(settings):
            pass

    # The store's connections have a thread each.
    assert set(threading.enumerate()) <= before
