"""Runs that wait in the queue: their place, their turn, and who takes them when their server is gone."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from clocks import HandClock
from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.soundness import examine_run, remove_run
from deepresearch_mcp.records.request import Limits, ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, FakeRuntime, FallibleStore, until
from pipeline_fakes import idle

HELD = 1e6
"""Seconds that an engine takes when its run is not to end by itself."""


class Server:
    """Jobs of one process on a store in a folder."""

    def __init__(self, runtime: FakeRuntime, jobs: Jobs) -> None:
        self.runtime = runtime
        self.jobs = jobs

    async def ask(self, question: str, caller: str = "local", **given: Any) -> RunRow:
        request = ResearchRequest.model_validate({"question": question, "depth": 1, "max_minutes": 1000} | given)
        return await self.jobs.start_or_join(request, caller)

    async def line(self, row: RunRow) -> str:
        return (await self.jobs.progress(await self.jobs.get(row.run_id, row.caller))).line()

    async def reaches(self, row: RunRow, *statuses: str) -> None:
        async def holds() -> bool:
            return (await self.jobs.get(row.run_id, row.caller)).status in statuses

        await until(self.runtime.clock, self.runtime.store, holds)


@asynccontextmanager
async def server(
    home: Path, clock: HandClock, *, adopting: bool = True, per_caller: int = 0, fallible: bool = False, **given: Any
) -> AsyncGenerator[Server]:
    async with open_sqlite_store(home, clock) as store:
        runtime = FakeRuntime(FallibleStore(store) if fallible else store, clock, **{"delay": HELD} | given)
        limits = {"limits": {"runs_per_caller": per_caller}}
        runtime.settings = Settings.model_validate(runtime.settings.model_dump() | limits)
        async with open_jobs(runtime, adopting=adopting) as jobs:
            yield Server(runtime, jobs)


async def test_a_run_that_waits_says_its_place_and_moves_up(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=2) as it:
        rows = []
        for number in range(5):
            clock.advance(0.1)
            rows.append(await it.ask(f"Why is {number} odd?"))

        assert [row.status for row in rows] == ["running", "running", "queued", "queued", "queued"]
        assert await it.line(rows[2]) == "queued: 1st of 3; 2 runs are at work"
        assert await it.line(rows[4]) == "queued: 3rd of 3; 2 runs are at work"
        assert (await it.jobs.result(rows[4].run_id)).status == "queued"

        await it.jobs.cancel(rows[0].run_id)
        await it.reaches(rows[2], "running")
        assert await it.line(rows[4]) == "queued: 2nd of 2; 2 runs are at work"


async def test_the_next_run_begins_as_soon_as_a_place_is_free_and_its_time_counts_from_then(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1, delay=5.0) as it:
        first = await it.ask("Why is one odd?")
        second = await it.ask("Why is two even?", max_minutes=0.5)
        clock.advance(100)
        await it.reaches(first, *ENDED)
        ended = clock.monotonic()
        await it.reaches(second, "running")

        assert clock.monotonic() - ended <= 1.0
        assert (await it.jobs.progress(second)).seconds <= 1.0
        await it.reaches(second, *ENDED)
        assert (await it.jobs.get(second.run_id)).status == "completed"


async def test_a_hundred_runs_are_taken_at_once_where_the_setting_says_so(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=100) as it:
        rows = [await it.ask(f"Why is {number} a number?") for number in range(100)]

        assert {row.status for row in rows} == {"running"}


async def test_one_callers_many_runs_leave_room_for_anothers_in_all_servers_together(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, per_caller=2) as it, server(tmp_path, clock, per_caller=2) as other:
        mine = []
        for number in range(4):
            clock.advance(0.1)
            mine.append(await (it if number % 2 else other).ask(f"Why is {number} odd?", "ann"))
        theirs = await it.ask("Why is one odd?", "bob")

        assert [row.status for row in mine] == ["running", "running", "queued", "queued"]
        assert theirs.status == "running"

        # Either server may have taken the run; the one that has it sees the wish as time passes.
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(it.jobs.cancel, mine[1].run_id, "ann")
            await it.reaches(mine[2], "running")
            tasks.cancel_scope.cancel()
        assert (await it.jobs.get(mine[3].run_id, "ann")).status == "queued"


async def test_a_queued_run_whose_server_is_gone_is_taken_by_the_next_of_the_same_setup(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1) as gone:
        busy = await gone.ask("Why is one odd?")
        clock.advance(1)
        waits = await gone.ask("Why is two even?")

    async with server(tmp_path, clock, delay=0.0) as it:
        await it.reaches(waits, "completed")
        await it.reaches(busy, "completed")
        run = await it.jobs.result(waits.run_id)
        assert run.quotes.located == run.quotes.total > 0


async def test_a_server_of_another_setup_and_a_mere_command_leave_the_queue_alone(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1) as gone:
        await gone.ask("Why is one odd?")
        waits = await gone.ask("Why is two even?")

    async with server(tmp_path, clock, adopting=False) as it, server(tmp_path, clock) as foreign:
        foreign.runtime.setup = "with another key"
        await it.jobs.adopt()
        await foreign.jobs.adopt()
        assert await it.line(waits) == "queued: 1st of 1; no run is at work"
        assert it.runtime.backgrounds == foreign.runtime.backgrounds == []


async def test_asking_again_joins_a_queued_run_and_takes_it_where_no_one_else_does(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1) as gone:
        await gone.ask("Why is one odd?")
        waits = await gone.ask("Why is two even?")
        assert (await gone.ask("Why is two even?")).run_id == waits.run_id

    async with server(tmp_path, clock, adopting=False) as it:
        it.runtime.setup = "with another key"
        joined = await it.ask("Why is two even?")
        assert (joined.run_id, joined.status, joined.setup) == (waits.run_id, "running", "with another key")


async def test_asking_again_for_an_interrupted_run_queues_it_where_there_is_no_room(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock) as gone:
        lost = await gone.ask("Why is one odd?")

    async with server(tmp_path, clock, adopting=False, runs_at_once=1) as it:
        await it.ask("Why is two even?")
        again = await it.ask("Why is one odd?")
        assert (again.run_id, again.status) == (lost.run_id, "queued")


async def test_a_cancelled_place_in_the_queue_is_never_begun_and_leaves_nothing_unsound(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1) as it:
        first = await it.ask("Why is one odd?")
        waits = await it.ask("Why is two even?")

        assert (await it.jobs.cancel(waits.run_id)).status == "cancelled"
        assert (await examine_run(it.jobs, waits.run_id)).faults == ()
        await it.jobs.cancel(first.run_id)
        await idle(20)
        assert len(it.runtime.backgrounds) == 1
        assert (await it.jobs.get(waits.run_id)).status == "cancelled"


async def test_a_queued_run_can_be_deleted(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1) as it:
        await it.ask("Why is one odd?")
        waits = await it.ask("Why is two even?")

        assert (await remove_run(it.jobs, waits.run_id))["steps"] == 0
        assert await it.jobs.find(status="queued") == []


async def test_a_queued_run_gets_other_ceilings_by_being_resumed(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1) as it:
        await it.ask("Why is one odd?")
        waits = await it.ask("Why is two even?")

        again = await resume_run(it.jobs, waits.run_id, limits=Limits(max_usd=3.0))
        assert (again.run_id, again.status, again.request.shape.max_usd) == (waits.run_id, "queued", 3.0)


async def test_a_fork_and_a_resumed_run_wait_their_turn_too(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1, delay=0.0) as it:
        first = await it.ask("Why is one odd?")
        await it.reaches(first, "completed")
        second = await it.ask("Why is two even?", max_minutes=0.001)
        await it.reaches(second, *ENDED)
        it.runtime.engine.delay = HELD
        third = await it.ask("Why is three odd?")
        await it.reaches(third, "running")

        made = await fork_run(it.jobs, first.run_id, "searcher")
        again = await resume_run(it.jobs, second.run_id)
        assert (made.status, again.status) == ("queued", "queued")
        assert made.origin == first.run_id


async def test_a_queued_run_that_builds_upon_a_run_deleted_meanwhile_fails_and_says_so(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, runs_at_once=1, delay=0.0) as it:
        first = await it.ask("Why is one odd?")
        await it.reaches(first, "completed")
        it.runtime.engine.delay = HELD
        busy = await it.ask("Why is two even?")
        await it.reaches(busy, "running")
        waits = await it.ask("And three?", follow_up_of=first.run_id)
        await remove_run(it.jobs, first.run_id)
        await it.jobs.cancel(busy.run_id)
        await it.reaches(waits, "failed")

        assert first.run_id in ((await it.jobs.get(waits.run_id)).error or {})["message"]


async def test_a_run_is_begun_later_where_the_queue_cannot_be_read_at_once(tmp_path: Path):
    clock = HandClock()
    async with server(tmp_path, clock, fallible=True) as it:
        it.runtime.store.runs.broken["waiting"] = FULL
        row = await it.ask("Why is one odd?")
        assert row.status == "queued"

        it.runtime.store.runs.broken.clear()
        await it.reaches(row, "running")
