"""Servers that take runs in and workers that carry them out, on one PostgreSQL database."""

import asyncio
import logging
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import psycopg
import pytest

import postgres_server
from clocks import HandClock
from deepresearch_mcp.jobs.cluster import QUEUE, STALLED, open_sender, work_on_runs
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.store.postgres.opening import migrate_database, open_postgres_store
from deepresearch_mcp.system_clock import SystemClock
from job_fakes import FakeRuntime


@asynccontextmanager
async def process(url: str, home: Path, script: dict[str, Any] | None = None, **given: Any) -> AsyncGenerator[Jobs]:
    """The jobs of one process on the database, whose runs think what `script` says."""
    clock: Any = SystemClock()
    async with (
        open_postgres_store(url, home, clock, grace=0) as store,
        open_jobs(FakeRuntime(store, clock, runs_at_once=2, **(script or {})), **given) as jobs,
    ):
        yield jobs


@asynccontextmanager
async def worker(url: str, home: Path, clock: Any = None, **script: Any) -> AsyncGenerator[Jobs]:
    async with process(url, home, script, adopting=True) as jobs, anyio.create_task_group() as tasks:
        ready = anyio.Event()
        tasks.start_soon(partial(work_on_runs, jobs, url, clock or SystemClock(), 2, ready=ready.set))
        await ready.wait()
        yield jobs
        tasks.cancel_scope.cancel()


def ask(question: str = "Why does ice float?") -> ResearchRequest:
    return ResearchRequest(question=question, depth=1)


async def ended(jobs: Jobs, run_id: str) -> Run:
    with anyio.fail_after(30):
        await jobs.follow(run_id)
    return await jobs.result(run_id)


async def test_what_a_server_takes_in_a_worker_carries_out_and_both_see_the_report(database_url: str, tmp_path: Path):
    with postgres_server.own_schema(database_url) as url:
        async with (
            worker(url, tmp_path) as at_work,
            open_sender(url) as send,
            process(url, tmp_path, send=send) as server,
        ):
            rows = [await server.start_or_join(ask(f"Why does ice number {number} float?")) for number in range(5)]
            runs = [await ended(server, row.run_id) for row in rows]

            owners = {row.owner for row in await server.find()}
            assert len(owners) == 1
            assert None not in owners
            assert {run.status for run in runs} == {"completed"}
            assert all(run.report for run in runs)
            assert await at_work.result(rows[0].run_id) == runs[0]


async def test_a_run_that_workers_were_not_told_of_is_found_by_them(database_url: str, tmp_path: Path):
    async def silent(run_id: str) -> None:
        """Tells nobody."""

    with postgres_server.own_schema(database_url) as url:
        async with worker(url, tmp_path), process(url, tmp_path, send=silent) as server:
            row = await server.start_or_join(ask())
            assert row.status == "queued"
            assert (await ended(server, row.run_id)).status == "completed"


async def test_a_run_that_is_told_of_twice_is_carried_out_once(database_url: str, tmp_path: Path):
    with postgres_server.own_schema(database_url) as url:
        async with open_sender(url) as send, process(url, tmp_path, send=send) as server:
            row = await server.start_or_join(ask())
            await send(row.run_id)
            async with worker(url, tmp_path):
                assert (await ended(server, row.run_id)).status == "completed"
                await send(row.run_id)
                await send("a run that was deleted")
        with psycopg.connect(url) as conn:
            [(fence,)] = conn.execute("SELECT fence FROM runs").fetchall()
    assert fence == 1


async def test_a_worker_that_stops_amid_its_runs_leaves_no_task_behind(database_url: str, tmp_path: Path):
    at_work = anyio.Event()

    async def held(*_: object) -> None:
        at_work.set()
        await anyio.sleep_forever()

    with postgres_server.own_schema(database_url) as url:
        async with open_sender(url) as send, process(url, tmp_path, send=send) as server:
            before = asyncio.all_tasks()
            async with worker(url, tmp_path, plan=held):
                await server.start_or_join(ask())
                with anyio.fail_after(30):
                    await at_work.wait()
            left = asyncio.all_tasks() - before
    assert {task.get_name() for task in left} == set()


async def test_a_run_is_cancelled_from_any_server(database_url: str, tmp_path: Path):
    with postgres_server.own_schema(database_url) as url:
        async with open_sender(url) as send, process(url, tmp_path, send=send) as server:
            row = await server.start_or_join(ask())
            assert (await server.cancel(row.run_id)).status == "cancelled"


async def test_the_jobs_of_a_worker_that_gives_no_sign_of_life_are_told_to_others(database_url: str, tmp_path: Path):
    with postgres_server.own_schema(database_url) as url:
        async with open_sender(url) as send, process(url, tmp_path, send=send) as server:
            row = await server.start_or_join(ask())
            with psycopg.connect(url) as conn:
                lost = "UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s"
                [(gone,)] = conn.execute(
                    "INSERT INTO procrastinate_workers(last_heartbeat) VALUES(now() - make_interval(secs => %s))"
                    " RETURNING id",
                    (2 * STALLED,),
                )
                conn.execute(lost.encode(), (gone,))
            clock = HandClock()
            async with worker(url, tmp_path, clock):
                assert (await ended(server, row.run_id)).status == "completed"
                with anyio.fail_after(30):
                    while await jobs_left(url):
                        clock.advance(5)
                        await anyio.sleep(0.05)


async def jobs_left(url: str) -> int:
    async with await psycopg.AsyncConnection.connect(url) as conn:
        found = await conn.execute("SELECT COUNT(*) FROM procrastinate_jobs WHERE queue_name = %s", (QUEUE,))
        row = await found.fetchone()
        assert row is not None
        return row[0]


async def test_a_worker_waits_for_a_database_that_restarts_and_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    if postgres_server.programs() is None:
        pytest.skip(postgres_server.missing() or "no programs of PostgreSQL to start a server with")
    with postgres_server.own_server() as database:
        async with (
            worker(database.url, tmp_path),
            open_sender(database.url) as send,
            process(database.url, tmp_path, send=send) as server,
        ):
            await anyio.to_thread.run_sync(database.stop, signal.SIGQUIT)
            with caplog.at_level(logging.WARNING):
                await send("a run")
            assert "Workers were not notified of run a run" in caplog.text
            await anyio.to_thread.run_sync(database.start)
            row = await server.start_or_join(ask())
            assert (await ended(server, row.run_id)).status == "completed"


async def test_what_the_queue_logs_of_a_lost_database_is_a_sentence_without_its_address(
    database_url: str, caplog: pytest.LogCaptureFixture
):
    lost = ConnectionError('connection to server at "192.0.2.7", port 5432 failed\n  Is it running?')
    with postgres_server.own_schema(database_url) as url:
        migrate_database(url)
        async with open_sender(url):
            logging.getLogger("procrastinate.utils").error("listener error:\n    Database error.\n", exc_info=lost)
            logging.getLogger("asyncio").error("Task exception was never retrieved: <procrastinate>", exc_info=lost)
            logging.getLogger("asyncio").error("Another task", exc_info=lost)

    told = [record for record in caplog.records if record.name in {"procrastinate.utils", "asyncio"}]
    assert [(record.getMessage(), record.exc_info is None) for record in told] == [
        ("listener error: Database error.", True),
        ("Another task", False),
    ]
