"""Runs that outlive the server that began them."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.request import Limits, ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import QUESTION, FakeRuntime, until

HELD = 1e6
"""Seconds that an engine takes when its run is not to end by itself."""


def request(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": QUESTION, "depth": 1, "max_minutes": 1000} | given)


async def begun_and_left(home: Path, clock: HandClock, **given: Any) -> str:
    """The id of a run that works for ten seconds and is left by its server."""
    async with open_sqlite_store(home, clock) as store:
        runtime = FakeRuntime(store, clock, delay=HELD, **given)
        async with open_jobs(runtime) as jobs:
            row = await jobs.start_or_join(request())

            async def searching() -> bool:
                return bool(runtime.engine.asked)

            await until(clock, store, searching)
            clock.advance(10)

            async def saved() -> bool:
                progress = ((await store.runs.get(row.run_id)) or row).progress or {}
                return progress.get("seconds", 0) >= 10

            await until(clock, store, saved)
    return row.run_id


async def ended(clock: HandClock, store: Any, jobs: Jobs, run_id: str) -> RunRow:
    async def over() -> bool:
        return (await jobs.get(run_id)).status in ENDED

    await until(clock, store, over)
    return await jobs.get(run_id)


async def test_the_next_server_takes_up_a_run_by_itself_and_brings_it_to_its_end(tmp_path: Path):
    clock = HandClock()
    run_id = await begun_and_left(tmp_path, clock)

    async with open_sqlite_store(tmp_path, clock) as store:
        runtime = FakeRuntime(store, clock)
        assert ((await store.runs.get(run_id)) or pytest.fail("no row")).status == "interrupted"
        async with open_jobs(runtime, adopting=True) as jobs:
            row = await ended(clock, store, jobs, run_id)
            run = await jobs.result(run_id)

    assert row.status == "completed"
    assert row.fence > 1
    assert run.quotes.located == run.quotes.total > 0
    assert run.metrics.seconds >= 10


async def test_one_that_only_runs_a_command_takes_up_nothing(tmp_path: Path):
    clock = HandClock()
    run_id = await begun_and_left(tmp_path, clock)

    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock)) as jobs:
        clock.advance(5)
        for _ in range(50):
            await anyio.lowlevel.checkpoint()
        assert (await jobs.get(run_id)).status == "interrupted"


async def test_a_server_of_another_setup_leaves_it_alone(tmp_path: Path):
    clock = HandClock()
    run_id = await begun_and_left(tmp_path, clock)

    async with open_sqlite_store(tmp_path, clock) as store:
        runtime = FakeRuntime(store, clock)
        runtime.setup = "with another key"
        async with open_jobs(runtime, adopting=True) as jobs:
            await jobs.adopt()
            assert (await jobs.get(run_id)).status == "interrupted"


async def test_asking_the_same_question_again_goes_on_with_what_was_interrupted(tmp_path: Path):
    clock = HandClock()
    run_id = await begun_and_left(tmp_path, clock)

    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock)) as jobs:
        row = await jobs.start_or_join(request())
        other = await jobs.start_or_join(request(question="Why does ice melt?"))
        assert row.run_id == run_id != other.run_id
        assert (await ended(clock, store, jobs, run_id)).status == "completed"


async def test_a_server_takes_up_no_more_than_it_runs_at_once(tmp_path: Path):
    clock = HandClock()
    names = [await begun_and_left(tmp_path, clock)]
    async with open_sqlite_store(tmp_path, clock) as store:
        row = await store.runs.create("r2", "local", request(), "f2", 5.0, setup="as configured")
        names.append(row.run_id)

    async with (
        open_sqlite_store(tmp_path, clock) as store,
        open_jobs(FakeRuntime(store, clock, delay=HELD, runs_at_once=1), adopting=True) as jobs,
    ):
        await jobs.adopt()
        await jobs.adopt()
        statuses = {(await jobs.get(name)).status for name in names}

    assert statuses == {"running", "queued"}


async def test_a_run_is_resumed_with_larger_ceilings_and_what_it_used_counts(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        runtime = FakeRuntime(store, clock, delay=30)
        async with open_jobs(runtime) as jobs:
            row = await jobs.start_or_join(request(max_minutes=0.1))
            first = await ended(clock, store, jobs, row.run_id)

            again = await resume_run(jobs, row.run_id, limits=Limits(max_minutes=10))
            last = await ended(clock, store, jobs, row.run_id)
            run = await jobs.result(row.run_id)

            assert again.run_id == row.run_id
            assert again.request.shape.max_minutes == 10
            assert run.metrics.seconds > 30
            with pytest.raises(InvalidRequest, match="is complete, so there is nothing to resume"):
                await resume_run(jobs, row.run_id)

    assert first.status in {"partial", "failed"}
    assert last.status == "completed"


async def test_a_run_that_is_being_worked_on_cannot_be_resumed(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock, delay=HELD)) as jobs:
        row = await jobs.start_or_join(request())
        with pytest.raises(InvalidRequest, match="is being worked on"):
            await resume_run(jobs, row.run_id)


async def test_a_fork_from_the_writer_reads_nothing_again_and_says_where_it_comes_from(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        runtime = FakeRuntime(store, clock)
        async with open_jobs(runtime) as jobs:
            first = await ended(clock, store, jobs, (await jobs.start_or_join(request())).run_id)
            asked = len(runtime.engine.asked)

            row = await fork_run(jobs, first.run_id, "writer", {"drafts": 2, "model": None})
            last = await ended(clock, store, jobs, row.run_id)
            run = await jobs.result(row.run_id)

    assert isinstance(last.request, ResearchRequest)
    assert (last.status, last.origin, last.request.drafts) == ("completed", first.run_id, 2)
    assert len(runtime.engine.asked) == asked
    assert run.quotes.located == run.quotes.total > 0
    assert run.metrics.searches == 0


async def test_a_fork_asks_its_user_only_if_its_own_surface_can(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock)) as jobs:
        first = await ended(clock, store, jobs, (await jobs.start_or_join(request(asks=True))).run_id)
        silent = (await fork_run(jobs, first.run_id, "writer")).request
        asking = (await fork_run(jobs, first.run_id, "writer", asks=True)).request
        with pytest.raises(InvalidRequest, match="no argument 'asks'"):
            await fork_run(jobs, first.run_id, "writer", {"asks": True})

    assert isinstance(silent, ResearchRequest)
    assert isinstance(asking, ResearchRequest)
    assert (silent.asks, asking.asks) == (False, True)


async def test_a_fork_from_the_searcher_searches_again(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        runtime = FakeRuntime(store, clock)
        async with open_jobs(runtime) as jobs:
            first = await ended(clock, store, jobs, (await jobs.start_or_join(request())).run_id)
            asked = len(runtime.engine.asked)
            row = await fork_run(jobs, first.run_id, "searcher")
            await ended(clock, store, jobs, row.run_id)

    assert len(runtime.engine.asked) == 2 * asked


def test_every_stage_does_anew_what_lies_behind_it():
    assert set(steps.kinds_from("writer")) < set(steps.kinds_from("verifier")) < set(steps.kinds_from("planner"))
    assert "plan" not in steps.kinds_from("searcher")


async def test_a_run_that_has_not_ended_has_no_fork(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock, delay=HELD)) as jobs:
        row = await jobs.start_or_join(request())
        with pytest.raises(InvalidRequest, match="has not ended"):
            await fork_run(jobs, row.run_id, "writer")


async def test_a_run_that_ended_three_servers_is_failed_and_says_what_to_do_and_may_be_resumed(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        await store.runs.create("r1", "local", request(), "f", 5.0, setup="as configured")
    for _ in range(2):
        async with open_sqlite_store(tmp_path, clock) as store:
            # As servers that are killed before they finish a step.
            now = clock.now().timestamp()
            await store.runs.adopt("as configured", now, 8)
            assert await store.runs.claim("r1", "as configured", now)
        clock.advance(20)

    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock), adopting=True) as jobs:
        await jobs.adopt()
        row = await jobs.get("r1")
        run = await jobs.result("r1")
        assert row.status == run.status == "failed"
        assert run.error is not None
        assert run.error["name"] == "SERVERS_DIED"
        assert "At least 3 servers in a row" in run.error["message"]
        assert "`deepresearch-server runs resume r1`" in run.error["action"]
        await jobs.adopt()
        assert (await jobs.get("r1")).status == "failed"

        await resume_run(jobs, "r1")
        assert (await ended(clock, store, jobs, "r1")).status == "completed"


async def test_a_run_whose_servers_were_stopped_in_order_is_always_taken_up_again(tmp_path: Path):
    clock = HandClock()
    run_id = await begun_and_left(tmp_path, clock)

    for _ in range(5):
        async with (
            open_sqlite_store(tmp_path, clock) as store,
            open_jobs(FakeRuntime(store, clock, delay=HELD), adopting=True) as jobs,
        ):
            await jobs.adopt()
            row = await jobs.get(run_id)
            assert (row.status, row.deaths) == ("running", 0)
