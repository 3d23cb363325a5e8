"""What is kept of a run is examined, made again, and deleted."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.jobs.soundness import examine_run, remove_run
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import PAGES, QUESTION, FakeRuntime, until


async def completed(jobs: Any, clock: HandClock, store: Any) -> str:
    for one in PAGES:
        await store.documents.save(one, "as a web would have")
    row = await jobs.start_or_join(ResearchRequest(question=QUESTION, depth=1))
    await over(jobs, clock, store, row.run_id)
    return row.run_id


async def over(jobs: Any, clock: HandClock, store: Any, run_id: str) -> None:
    async def holds() -> bool:
        return (await jobs.get(run_id)).status in ENDED

    await until(clock, store, holds)


def change(home: Path, sql: str) -> None:
    with closing(sqlite3.connect(home / FILE)) as conn, conn:
        conn.execute(sql)


async def test_a_run_that_no_one_touched_is_sound(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock)) as jobs:
        found = await examine_run(jobs, await completed(jobs, clock, store))

    assert found.faults == ()
    assert found.events > 5
    assert found.quotes > 0


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE events SET kind = 'other' WHERE number = 2", "event 2 does not follow"),
        ("DELETE FROM events WHERE kind = 'ended'", "has lost its end"),
        ("UPDATE documents SET text = 'X' || substr(text, 2)", "was changed"),
        ("DELETE FROM documents", "is gone"),
    ],
)
async def test_what_was_changed_is_named(tmp_path: Path, sql: str, said: str):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock)) as jobs:
        run_id = await completed(jobs, clock, store)
        change(tmp_path, sql)

        assert any(said in fault for fault in (await examine_run(jobs, run_id)).faults)


async def test_a_report_that_was_lost_is_made_again_without_asking_anybody(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        runtime = FakeRuntime(store, clock)
        async with open_jobs(runtime) as jobs:
            run_id = await completed(jobs, clock, store)
            before, asked = await jobs.result(run_id), len(runtime.engine.asked)
            report = tmp_path / "runs" / run_id / "report.json"
            report.write_text("{}")
            lost = await examine_run(jobs, run_id)

            await resume_run(jobs, run_id, complete=True)
            await over(jobs, clock, store, run_id)

            assert any("cannot be read" in fault for fault in lost.faults)
            assert (await examine_run(jobs, run_id)).faults == ()
            assert (await jobs.result(run_id)).sections == before.sections
            assert len(runtime.engine.asked) == asked


async def test_a_deleted_run_is_gone_with_its_folder_and_one_that_lives_is_not_deleted(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock)) as jobs:
        run_id = await completed(jobs, clock, store)
        deleted = await remove_run(jobs, run_id)
        with pytest.raises(UnknownRun):
            await remove_run(jobs, run_id)

    assert deleted["steps"] > 0
    assert deleted["reports"] == 1
    assert not (tmp_path / "runs" / run_id).exists()

    async with open_sqlite_store(tmp_path, clock) as store, open_jobs(FakeRuntime(store, clock, delay=1e6)) as jobs:
        row = await jobs.start_or_join(ResearchRequest(question=QUESTION, depth=1))
        with pytest.raises(InvalidRequest, match="is being worked on"):
            await remove_run(jobs, row.run_id)
