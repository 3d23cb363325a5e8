"""Runs that are started, joined, followed, cancelled, and that end whatever happens."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import (
    InvalidRequest,
    KeyRefused,
    StoreError,
    UnknownRun,
)
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.soundness import examine_run
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow
from deepresearch_mcp.store.reports import FileReports
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, QUESTION, FakeRuntime, FallibleStore, until
from pipeline_fakes import idle


class Bench:
    """Jobs on a store in a folder, with time moved by hand."""

    def __init__(self, runtime: FakeRuntime, jobs: Jobs) -> None:
        self.runtime = runtime
        self.jobs = jobs
        self.clock = runtime.clock
        self.store = runtime.store

    async def start(
        self, question: str = QUESTION, *, caller: str = "local", fresh: bool = False, **given: Any
    ) -> RunRow:
        request = ResearchRequest.model_validate({"question": question, "depth": 1, "max_minutes": 1000} | given)
        return await self.jobs.start_or_join(request, caller, fresh=fresh)

    async def reaches(self, run_id: str, *statuses: str, caller: str = "local") -> RunRow:
        async def holds() -> bool:
            return (await self.jobs.get(run_id, caller)).status in statuses

        await until(self.clock, self.store, holds)
        return await self.jobs.get(run_id, caller)

    async def ends(self, run_id: str, caller: str = "local") -> Run:
        await self.reaches(run_id, *ENDED, caller=caller)
        return await self.jobs.result(run_id, caller)

    async def done(self, run_id: str) -> RunRow:
        """Until the process has nothing more to do with the run."""
        row = await self.reaches(run_id, *ENDED)

        async def gone() -> bool:
            return run_id not in self.jobs._live

        await until(self.clock, self.store, gone)
        return row


@asynccontextmanager
async def bench(
    home: Path, *, clock: HandClock | None = None, fallible: bool = False, **given: Any
) -> AsyncGenerator[Bench]:
    clock = clock or HandClock()
    async with open_sqlite_store(home, clock) as store:
        runtime = FakeRuntime(FallibleStore(store) if fallible else store, clock, **given)
        async with open_jobs(runtime) as jobs:
            yield Bench(runtime, jobs)


HELD = 1e6
"""Seconds that an engine takes when its run is not to end by itself."""


async def test_a_run_goes_from_its_question_to_its_stored_report(tmp_path: Path):
    async with bench(tmp_path) as it:
        row = await it.start()
        assert row.status == "running"
        run = await it.ends(row.run_id)

        assert (run.status, run.stage, run.error) == ("completed", "ended", None)
        assert run.quotes.located == run.quotes.total > 0
        assert run.path == str(tmp_path / "runs" / row.run_id)
        assert await FileReports(tmp_path).read(row.run_id, "report.md") == run.report
        assert Run.model_validate_json(await FileReports(tmp_path).read(row.run_id, "report.json") or "") == run
        assert [one.claim_id for one in await it.store.claims.of(row.run_id)] == [one.claim_id for one in run.claims]
        assert run.provenance is not None
        assert run.provenance.journal["decision"] > 0
        assert run.metrics.pages == 2
        kinds = [event.kind for event in await it.store.events.of(row.run_id)]
        assert kinds[0] == "started"
        assert kinds[-1] == "ended"
        assert it.jobs.runtime is it.runtime


async def test_a_run_that_is_seen_to_have_ended_is_joined_though_its_end_is_still_being_written(tmp_path: Path):
    async with bench(tmp_path, fallible=True) as it:
        written, again = anyio.Event(), list[RunRow]()
        it.store.runs.held["move"] = written.wait
        first = await it.start()
        await it.reaches(first.run_id, "completed")

        async def ask() -> None:
            again.append(await it.start())

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await idle()
            written.set()

        assert [row.run_id for row in again] == [first.run_id]


async def test_an_equal_question_joins_the_run_that_is_under_way(tmp_path: Path):
    async with bench(tmp_path, delay=HELD) as it:
        first = await it.start()

        assert (await it.start(f"  {QUESTION} ")).run_id == first.run_id
        assert (await it.start(caller="other")).run_id != first.run_id
        assert (await it.start(breadth=2)).run_id != first.run_id
        anew = await it.start(fresh=True)
        assert anew.run_id != first.run_id
        assert (first.request.fresh, anew.request.fresh) == (False, True)


async def test_a_run_that_ended_well_answers_for_fifteen_minutes(tmp_path: Path):
    async with bench(tmp_path) as it:
        first = await it.done((await it.start()).run_id)

        assert (await it.start()).run_id == first.run_id
        it.clock.advance(16 * 60)
        assert (await it.start()).run_id != first.run_id


async def test_a_run_that_did_not_end_well_is_never_joined(tmp_path: Path):
    async with bench(tmp_path, read=KeyRefused("openai", "no such key")) as it:
        first = await it.done((await it.start()).run_id)
        assert first.status == "failed"

        assert (await it.start()).run_id != first.run_id


async def test_what_is_refused_starts_nothing(tmp_path: Path):
    async with bench(tmp_path) as it:
        it.runtime.refusal = InvalidRequest("model=client is not offered.")

        with pytest.raises(InvalidRequest):
            await it.start()

        assert await it.jobs.find() == []


async def test_a_caller_who_goes_away_while_a_run_is_made_leaves_no_row_that_no_one_works_on(tmp_path: Path):
    async with bench(tmp_path, fallible=True) as it:
        made = anyio.Event()

        async def cancelled_meanwhile() -> None:
            request.cancel()
            await anyio.lowlevel.checkpoint()
            made.set()

        it.store.runs.held["create"] = cancelled_meanwhile
        with anyio.CancelScope() as request:
            await it.start()

        await made.wait()
        [row] = await it.jobs.find()
        assert (await it.ends(row.run_id)).status == "completed"


@pytest.mark.parametrize("run_id", ["nobody", "", "../../etc/passwd", "\ud800", "r\x00"])
async def test_an_unknown_run_is_unknown_everywhere(tmp_path: Path, run_id: str):
    async with bench(tmp_path) as it:
        for ask in (it.jobs.get, it.jobs.result, it.jobs.follow, it.jobs.cancel):
            with pytest.raises(UnknownRun):
                await ask(run_id)


async def test_another_callers_run_is_unknown(tmp_path: Path):
    async with bench(tmp_path) as it:
        row = await it.start(caller="alice")

        for ask in (it.jobs.get, it.jobs.result, it.jobs.follow, it.jobs.cancel):
            with pytest.raises(UnknownRun):
                await ask(row.run_id, "bob")
        with pytest.raises(UnknownRun):
            await it.start(caller="bob", follow_up_of=row.run_id)
        assert await it.jobs.find("bob") == []
        assert [one.run_id for one in await it.jobs.find("alice")] == [row.run_id]
        assert (await it.ends(f" {row.run_id}\n", "alice")).status == "completed"


async def test_a_follower_hears_of_every_change_and_of_time_that_passes(tmp_path: Path):
    heard: list[Progress] = []

    async def hear(progress: Progress) -> None:
        heard.append(progress)

    async with bench(tmp_path, delay=10.0) as it:
        row = await it.start()
        rows: list[RunRow] = []

        async def follow() -> None:
            rows.append(await it.jobs.follow(row.run_id, on_progress=hear, every=2.0))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow)
            await it.ends(row.run_id)

        assert rows[0].status == "completed"
        seconds = [one.seconds for one in heard]
        assert seconds == sorted(seconds)
        # While the engine keeps us waiting nothing happens, and yet there is a word every two seconds.
        assert max(after - before for before, after in pairwise(seconds)) < 3
        assert {one.stage for one in heard} >= {"planning"}


async def test_a_follower_waits_no_longer_than_asked_and_only_detaches(tmp_path: Path):
    async with bench(tmp_path, delay=HELD) as it:
        row = await it.start()

        assert (await it.jobs.follow(row.run_id, wait_seconds=0)).status == "running"
        rows: list[RunRow] = []

        async def follow() -> None:
            rows.append(await it.jobs.follow(row.run_id, wait_seconds=5.0))

        began = it.clock.monotonic()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow)

            async def back() -> bool:
                return bool(rows)

            await until(it.clock, it.store, back)

        assert rows[0].status == "running"
        assert it.clock.monotonic() - began < 60
        assert (await it.jobs.result(row.run_id)).status == "running"


@pytest.mark.parametrize("wait", [None, 5.0])
async def test_a_listener_that_fails_ends_the_following_not_the_run(tmp_path: Path, wait: float | None):
    async def hear(progress: Progress) -> None:
        raise LookupError("the client is gone")

    async with bench(tmp_path, delay=1.0) as it:
        row = await it.start()

        with pytest.raises(LookupError):
            await it.jobs.follow(row.run_id, on_progress=hear, wait_seconds=wait)

        assert (await it.ends(row.run_id)).status == "completed"


async def test_a_run_is_followed_to_its_end_without_a_limit(tmp_path: Path):
    async with bench(tmp_path) as it:
        row = await it.start()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(it.jobs.follow, row.run_id)
            await it.ends(row.run_id)

        assert (await it.jobs.follow(row.run_id)).status == "completed"


async def test_cancelling_writes_up_what_is_verified(tmp_path: Path):
    async def never(*given: Any) -> None:
        await anyio.sleep_forever()

    async with bench(tmp_path, sketch=never) as it:
        row = await it.start()

        async def verified() -> bool:
            return (await it.jobs.progress(row)).verified >= 2

        await until(it.clock, it.store, verified)
        ended = await it.jobs.cancel(row.run_id)
        run = await it.jobs.result(row.run_id)

        assert ended.status == run.status == "cancelled"
        assert run.citations
        assert run.quotes.located == run.quotes.total
        assert await it.jobs.cancel(row.run_id) == await it.jobs.get(row.run_id)


async def test_a_run_cancelled_as_soon_as_it_starts_is_cancelled(tmp_path: Path):
    async with bench(tmp_path) as it:
        row = await it.start()

        assert (await it.jobs.cancel(row.run_id)).status == "cancelled"
        assert (await it.jobs.result(row.run_id)).status == "cancelled"


async def test_more_runs_than_slots_wait_their_turn_and_can_be_cancelled_there(tmp_path: Path):
    async with bench(tmp_path, delay=HELD, runs_at_once=1) as it:
        first = await it.start("Why does ice float?")
        await idle()
        second = await it.start("Why do lakes freeze?")
        third = await it.start("Why do fish live?")
        await it.reaches(second.run_id, "queued")
        await it.reaches(third.run_id, "queued")
        assert (await it.jobs.progress(second)).status == "queued"
        assert {one.run_id for one in await it.jobs.find(status="queued")} == {third.run_id, second.run_id}

        assert (await it.jobs.cancel(third.run_id)).status == "cancelled"
        await it.jobs.cancel(first.run_id)
        await it.reaches(second.run_id, "running")

        async def begun() -> bool:  # the row says "running" before the store's threads have let the run begin
            return len(it.runtime.backgrounds) == 2

        await until(it.clock, it.store, begun)
        await it.jobs.cancel(second.run_id)
        await it.ends(second.run_id)
        await idle()
        assert it.runtime.backgrounds == ["", ""]  # the third was never begun


async def test_another_process_can_cancel_by_its_flag_and_sees_the_progress(tmp_path: Path):
    clock = HandClock()
    async with bench(tmp_path, delay=HELD, clock=clock) as it, bench(tmp_path, clock=clock) as other:
        row = await it.start()

        async def saved() -> bool:
            return (await other.jobs.progress(await other.jobs.get(row.run_id))).stage == "planning"

        await until(clock, it.store, saved)
        assert (await other.jobs.result(row.run_id)).stage == "planning"
        assert (await other.start()).run_id == row.run_id
        heard: list[Progress] = []

        async def hear(progress: Progress) -> None:
            heard.append(progress)

        seen: list[str] = []

        async def follow() -> None:
            seen.append((await other.jobs.follow(row.run_id, on_progress=hear)).status)

        async def cancel() -> None:
            seen.append((await other.jobs.cancel(row.run_id, wait_seconds=1e5)).status)

        async def both() -> bool:
            return len(seen) == 2

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow)
            tasks.start_soon(cancel)
            await until(clock, it.store, both)

        assert seen == ["cancelled", "cancelled"]
        assert heard
        assert heard[0].run_id == row.run_id


async def test_the_end_of_the_server_interrupts_a_run_and_cancels_nothing(tmp_path: Path):
    async with bench(tmp_path, delay=HELD) as it:
        row = await it.start()
        await idle()

    async with bench(tmp_path) as it:
        seen = await it.jobs.get(row.run_id)
        assert (seen.status, seen.cancel, seen.ended) == ("interrupted", False, None)
        assert (await it.jobs.follow(row.run_id)).status == "interrupted"
        assert (await it.jobs.result(row.run_id)).status == "interrupted"
        assert (await it.start(fresh=True)).run_id != row.run_id
        with pytest.raises(InvalidRequest, match="has not ended"):
            await it.start(follow_up_of=row.run_id)
        assert (await it.jobs.cancel(row.run_id)).status == "cancelled"
        assert (await examine_run(it.jobs, row.run_id)).faults == ()


async def test_a_follow_up_knows_what_the_earlier_run_established(tmp_path: Path):
    async with bench(tmp_path) as it:
        first = await it.done((await it.start()).run_id)
        second = await it.start("And on salt water?", follow_up_of=f" {first.run_id}")
        await it.ends(second.run_id)

        background = it.runtime.backgrounds[1]
        assert background.startswith(f"An earlier run asked: {QUESTION}\nIts answer: ")
        assert "- Ice floats because it is less dense than liquid water." in background
        assert "- Lakes freeze from above" in background


async def test_a_refused_key_fails_the_run_and_says_whose_it_is(tmp_path: Path):
    async with bench(tmp_path, read=KeyRefused("openai:gpt", "the key is not accepted", action="Set another.")) as it:
        run = await it.ends((await it.start()).run_id)

        assert run.status == "failed"
        assert run.error == {
            "code": "E1201",
            "name": "KEY_REFUSED",
            "message": "openai:gpt: the key is not accepted",
            "action": "Set another.",
        }
        # What was read until then is reported without a model.
        assert "> Lakes freeze from above" in run.report


async def test_a_ceiling_makes_the_run_partial(tmp_path: Path):
    async with bench(tmp_path, delay=1.0) as it:
        run = await it.ends((await it.start(max_minutes=0.02)).run_id)

        assert run.status == "partial"
        assert "max_minutes was met" in run.report


async def test_a_fault_of_ours_ends_that_run_only_and_shows_no_trace(tmp_path: Path):
    def read(brief: Any, sub_question: Any, *given: Any) -> None:
        if "lakes" in brief.question:
            raise ZeroDivisionError("secret detail")

    async with bench(tmp_path, read=read, delay=1.0) as it:
        good = await it.start(QUESTION)
        it.runtime.script = {"plan": it.runtime.script["plan"]}
        await idle()
        it.runtime.script["read"] = read
        bad = await it.start("Why do lakes freeze?")

        failed = await it.ends(bad.run_id)
        assert failed.status == "failed"
        assert failed.error is not None
        assert failed.error["message"] == "The run failed by a fault of this server."
        assert "secret" not in failed.model_dump_json()
        assert (await it.ends(good.run_id)).status in ENDED
        assert (await it.ends((await it.start("A third?")).run_id)).status in ENDED


async def test_a_run_that_cannot_even_be_opened_fails_and_the_server_lives_on(tmp_path: Path):
    async with bench(tmp_path, fallible=True) as it:
        it.store.no_journal = FULL
        failed = await it.ends((await it.start()).run_id)
        it.store.no_journal = None

        assert failed.status == "failed"
        assert failed.error is not None
        assert failed.error["message"] == FULL.message
        assert (await it.ends((await it.start()).run_id)).status == "completed"


async def test_a_disk_full_at_the_end_fails_the_run_with_one_clear_sentence(tmp_path: Path):
    async with bench(tmp_path, fallible=True) as it:
        it.store.claims.broken["save"] = FULL
        run = await it.ends((await it.start()).run_id)

        assert run.status == "failed"
        assert run.error is not None
        assert run.error["message"] == FULL.message


async def test_an_end_that_cannot_be_written_is_known_and_written_later(tmp_path: Path):
    async with bench(tmp_path, fallible=True, delay=1.0) as it:
        row = await it.start()

        async def planning() -> bool:
            return (await it.jobs.progress(row)).stage == "planning"

        await until(it.clock, it.store, planning)
        for port in (it.store.runs, it.store.events):
            port.broken |= {"move": FULL, "add_all": FULL}

        run = await it.ends(row.run_id)
        assert run.status == "completed"
        assert (await it.store._inner.runs.get(row.run_id)).status == "running"
        assert [one.status for one in await it.jobs.find()] == ["completed"]
        assert (await it.jobs.progress(await it.jobs.get(row.run_id))).stage == "ended"
        # No one is sent to a run of which no one could say how it ended.
        assert (await it.jobs.follow(row.run_id, wait_seconds=1)).status == "completed"
        assert (await it.start()).run_id != row.run_id

        it.store.runs.broken.clear()

        async def written() -> bool:
            return (await it.store._inner.runs.get(row.run_id)).status == "completed"

        await until(it.clock, it.store, written)


async def test_cancel_flags_that_cannot_be_read_are_read_again(tmp_path: Path):
    clock = HandClock()
    async with bench(tmp_path, delay=HELD, clock=clock, fallible=True) as it, bench(tmp_path, clock=clock) as other:
        row = await it.start()
        it.store.runs.broken["cancel_requested"] = FULL
        await other.store.runs.request_cancel(row.run_id, clock.now().timestamp())
        for _ in range(60):
            await idle()
            clock.advance(0.1)
        assert (await it.jobs.get(row.run_id)).status == "running"
        it.store.runs.broken.clear()

        assert (await it.reaches(row.run_id, *ENDED)).status == "cancelled"


async def test_a_write_up_that_fails_is_told_of(tmp_path: Path):
    class Broken:
        name = "broken"

        def __getattr__(self, method: str) -> Any:
            raise ZeroDivisionError(method)

    async with bench(tmp_path, sketch=KeyRefused("openai", "no")) as it:
        original = it.runtime.research

        @asynccontextmanager
        async def research(*given: Any, **named: Any) -> AsyncGenerator[Any]:
            async with original(*given, **named) as session:
                parts = session.research._parts
                session.research._parts = type(parts)(
                    **{name: getattr(parts, name) for name in parts.__slots__} | {"last_resort": Broken()}
                )
                yield session

        it.runtime.research = research  # a runtime of this test's own
        row = await it.start()
        run = await it.ends(row.run_id)

        assert run.status == "failed"
        assert run.error is not None
        assert run.error["name"] == "KEY_REFUSED"
        said = [event.data["what"] for event in await it.store.events.of(row.run_id) if event.kind == "degraded"]
        then = "the verified claims are listed as they stand"
        assert f"broken could not write the report: ZeroDivisionError; {then}." in said


async def test_what_goes_wrong_in_the_block_leaves_it_as_it_is(tmp_path: Path):
    with pytest.raises(StoreError, match="mine"):
        async with bench(tmp_path):
            raise StoreError("mine")
