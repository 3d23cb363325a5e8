"""What becomes of a run between its turn and its report; `test_jobs.py` has its life as callers see it."""

from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from clocks import HandClock
from deepresearch_mcp.events import Degraded
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.pending_ends import PendingEnds
from deepresearch_mcp.jobs.running import Runner
from deepresearch_mcp.jobs.webhooks import Deliveries
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, QUESTION, FakeRuntime, FallibleStore, until


def ready(store: Any, clock: HandClock, **given: Any) -> tuple[Runner, ActiveRun, PendingEnds]:
    request = ResearchRequest(question=QUESTION, depth=1, max_minutes=1000)
    ends = PendingEnds(store, clock)
    runtime = FakeRuntime(store, clock, **given)
    runner = Runner(runtime, ends, Deliveries(runtime, Jobs.result))
    return runner, ActiveRun("r1", request, clock.monotonic(), Progress("r1")), ends


async def test_a_run_is_carried_out_with_what_was_known_before(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, anyio.create_task_group() as tasks:
        runner, live, _ = ready(store, clock)
        row = await store.runs.create("r1", "local", live.request, "f", 0.0)
        tasks.start_soon(runner.run, live, "what was known")

        async def ended() -> bool:
            return (await store.runs.get(row.run_id)).status == "completed"

        await until(clock, store, ended)
        assert runner._runtime.backgrounds == ["what was known"]
        assert live.progress.status == "completed"


async def test_a_store_that_fails_before_the_run_begins_fails_the_run_alone(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as inner:
        store = FallibleStore(inner)
        runner, live, ends = ready(store, clock)
        await inner.runs.create("r1", "local", live.request, "f", 0.0)
        store.no_journal = FULL

        await runner.run(live, "")

        row = await inner.runs.get("r1")
        assert row is not None
        assert (row.status, (row.error or {})["message"]) == ("failed", FULL.message)
        assert ends.of("r1") is None


async def test_the_first_error_of_a_run_is_the_one_that_is_told(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as inner, anyio.create_task_group() as tasks:
        store = FallibleStore(inner)
        runner, live, _ = ready(store, clock, read=ZeroDivisionError("a fault"))
        await inner.runs.create("r1", "local", live.request, "f", 0.0)
        store.claims.broken["save"] = FULL
        tasks.start_soon(runner.run, live, "")

        async def ended() -> bool:
            return (await inner.runs.get("r1")).status == "failed"

        await until(clock, inner, ended)
        row = await inner.runs.get("r1")
        assert (row.error or {})["name"] == "DEEP_RESEARCH_ERROR"


async def test_a_server_that_wakes_up_after_another_took_its_run_over_leaves_report_and_claims_alone(tmp_path: Path):
    clock = HandClock()
    async with (
        open_sqlite_store(tmp_path, clock) as store,
        open_sqlite_store(tmp_path, clock) as other,
        anyio.create_task_group() as tasks,
    ):
        runner, live, ends = ready(store, clock, delay=60)
        await store.runs.create("r1", "local", live.request, "f", 0.0, setup="same")
        done = anyio.Event()

        async def run() -> None:
            await runner.run(live, "")
            done.set()

        tasks.start_soon(run)
        await until(clock, store, lambda: _true(bool(runner._runtime.engine.asked)))
        # Its machine slept, as it were: another server finds its lock free, finishes the run, and writes the report.
        other.runs._owners.living = lambda conn: lambda owner: False  # pyright: ignore[reportAttributeAccessIssue] - no lock can be lost on purpose
        await other.runs.adopt("same", 1.0, 8)
        taken = await other.runs.claim("r1", "same", 1.0)
        assert taken
        await other.reports.write("r1", "# The whole report", "{}")
        assert await other.runs.move("r1", 2.0, status="completed")
        before = [event.kind for event in await other.events.of("r1")]

        clock.advance(60)
        await done.wait()

        row = await other.runs.get("r1")
        assert row is not None
        assert (row.status, row.fence) == ("completed", taken.fence)
        assert await other.reports.read("r1", "report.md") == "# The whole report"
        assert await other.claims.of("r1") == []
        assert ends.of("r1") is None
        assert [event.kind for event in await other.events.of("r1")] == before


async def _true(value: bool) -> bool:
    return value


async def test_what_was_told_when_the_server_stops_is_in_the_trail(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        runner, live, _ = ready(store, clock, delay=1e6)
        await store.runs.create("r1", "local", live.request, "f", 0.0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run, live, "")

            async def searching() -> bool:
                return bool(runner._runtime.engine.asked)

            await until(clock, store, searching)
            live.emit(Degraded("The last words."), clock)  # No one has had time to write them.
            tasks.cancel_scope.cancel()

        assert [event.data["what"] for event in await store.events.of("r1") if event.kind == "degraded"] == [
            "The last words."
        ]


class Stuck:
    """A research that runs on, and a write-up that never comes back."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.findings = inner.findings

    async def run(self) -> None:
        raise ZeroDivisionError("a fault")

    async def write_up(self) -> None:
        await anyio.sleep_forever()


async def test_a_run_whose_write_up_never_comes_back_ends_without_it(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, anyio.create_task_group() as tasks:
        runner, live, _ = ready(store, clock)
        runtime: Any = runner._runtime
        inner = runtime.research

        @asynccontextmanager
        async def research(*given: Any, **named: Any):
            async with inner(*given, **named) as session:
                session.research = Stuck(session.research)
                yield session

        runtime.research = research
        await store.runs.create("r1", "local", live.request, "f", 0.0)
        tasks.start_soon(runner.run, live, "")

        async def ended() -> bool:
            return (await store.runs.get("r1")).status == "failed"

        await until(clock, store, ended)
        trail = await store.events.of("r1")
        assert any("could not be written" in str(event.data) for event in trail)


async def test_a_server_that_stops_hands_its_run_over_and_one_that_ended_is_left_as_it_is(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        runner, live, _ = ready(store, clock, delay=10_000)
        await store.runs.create("r1", "local", live.request, "f", 0.0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run, live, "")

            async def begun() -> bool:
                return bool(await store.events.of("r1"))

            await until(clock, store, begun)
            tasks.cancel_scope.cancel()

        row = await store.runs.get("r1")
        assert row is not None
        assert (row.status, row.handed, row.deaths) == ("running", True, 0)
