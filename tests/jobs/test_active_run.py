"""A run in this process: its progress and its trail."""

from pathlib import Path

import anyio

from clocks import HandClock
from deepresearch_mcp.events import Claimed, StageEntered, Started
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, FallibleStore, until
from pipeline_fakes import idle

STARTED = Started("Why?", "scripted", ("one",))


def live(clock: HandClock, run_id: str = "r1") -> ActiveRun:
    return ActiveRun(run_id, ResearchRequest(question="Why does ice float?"), clock.monotonic(), Progress(run_id))


async def test_events_fold_into_the_progress_and_wake_who_waits():
    clock = HandClock()
    one = live(clock)
    clock.advance(3)

    one.emit(Claimed("q1", 4, 0), clock)

    assert (one.progress.claims, one.progress.seconds, one.progress.events) == (4, 3.0, 1)
    clock.advance(2)
    assert one.now(clock).seconds == 5.0
    assert one.progress.seconds == 3.0


async def test_a_wish_to_cancel_reaches_the_scope_that_is_open_and_every_later_one():
    one = live(HandClock())
    first = one.enter()
    assert not first.cancel_called

    one.cancel()

    assert first.cancel_called
    assert one.enter().cancel_called


async def test_the_trail_is_written_in_order_and_the_progress_with_each_stage(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, anyio.create_task_group() as tasks:
        one = live(clock)
        await store.runs.create("r1", "local", one.request, "f", 0.0)
        tasks.start_soon(one.record, store, clock)
        one.emit(STARTED, clock)
        one.emit(StageEntered("planning"), clock)

        async def saved() -> bool:
            row = await store.runs.get("r1")
            return row is not None and row.stage == "planning"

        await until(clock, store, saved)
        assert [event.kind for event in await store.events.of("r1")] == ["started", "stage_entered"]

        for _ in range(2):  # the second one is two seconds after the last saving, whatever happened
            clock.advance(2.1)
            one.emit(Claimed("q1", 4, 0), clock)

        async def counted() -> bool:
            row = await store.runs.get("r1")
            return row is not None and (row.progress or {})["claims"] == 8

        await until(clock, store, counted)
        tasks.cancel_scope.cancel()


async def test_small_changes_are_not_saved_each(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, anyio.create_task_group() as tasks:
        one = live(clock)
        await store.runs.create("r1", "local", one.request, "f", 0.0)
        tasks.start_soon(one.record, store, clock)
        one.emit(STARTED, clock)

        async def written() -> bool:
            return bool(await store.events.of("r1"))

        await until(clock, store, written, step=0.0)
        assert (await store.runs.get("r1")).progress is None
        tasks.cancel_scope.cancel()


async def test_two_who_flush_at_once_both_return_after_all_is_written(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        one = live(clock)
        await store.runs.create("r1", "local", one.request, "f", 0.0)
        for number in range(5):
            one.emit(Claimed(f"q{number}", 1, 0), clock)
        counts: list[int] = []

        async def flush() -> None:
            await one.flush(store)
            counts.append(len(await store.events.of("r1")))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(flush)
            tasks.start_soon(flush)

        assert counts == [5, 5]
        kept = [event.data["sub_question"] for event in await store.events.of("r1")]
        assert kept == [f"q{number}" for number in range(5)]


async def test_a_trail_and_a_progress_that_cannot_be_kept_end_nothing_and_the_trail_is_written_later(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as inner, anyio.create_task_group() as tasks:
        store = FallibleStore(inner)
        store.events.broken["add_all"] = store.runs.broken["move"] = FULL
        one = live(clock)
        await inner.runs.create("r1", "local", one.request, "f", 0.0)
        tasks.start_soon(one.record, store, clock)
        one.emit(StageEntered("planning"), clock)

        await idle(50)
        clock.advance(10)
        await idle(50)
        assert await inner.events.of("r1") == []
        assert one.progress.stage == "planning"

        store.events.broken.clear()
        one.emit(STARTED, clock)

        async def written() -> bool:
            return len(await inner.events.of("r1")) == 2

        await until(clock, inner, written)
        assert [event.kind for event in await inner.events.of("r1")] == ["stage_entered", "started"]
        tasks.cancel_scope.cancel()


async def test_an_event_whose_writing_was_cancelled_stands_once_in_the_trail(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as inner:
        one = live(clock)
        await inner.runs.create("r1", "local", one.request, "f", 0.0)
        store = FallibleStore(inner)
        written = anyio.Event()

        async def after() -> None:
            # As a cancellation that arrives when the database has it already.
            await inner.events.add("r1", clock.now().timestamp(), STARTED.kind, STARTED.data())
            written.set()
            await anyio.sleep_forever()

        store.events.held["add_all"] = after
        async with anyio.create_task_group() as tasks:
            one.emit(STARTED, clock)
            tasks.start_soon(one.flush, store)
            await written.wait()
            tasks.cancel_scope.cancel()
        clock.advance(3)
        store.events.held.clear()
        await one.flush(store)

        assert [event.kind for event in await inner.events.of("r1")] == ["started"]
