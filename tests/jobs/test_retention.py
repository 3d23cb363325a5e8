"""What is older than the settings keep it goes, a little at a time; what is not over stays."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from clocks import NOON, HandClock
from deepresearch_mcp.jobs.retention import RetentionSweep
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.store.reports import report_dir
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, FakeRuntime, FallibleStore

DAY = 24 * 3600.0
NOW = NOON.timestamp()


@asynccontextmanager
async def keeping(home: Path, *, fallible: bool = False, **keep: float) -> AsyncGenerator[tuple[RetentionSweep, Any]]:
    """A retention whose time has come, and its store."""
    clock = HandClock()
    async with open_sqlite_store(home, clock) as inner:
        store = FallibleStore(inner) if fallible else inner
        runtime: Any = FakeRuntime(store, clock)
        runtime.settings = Settings.model_validate({"home": home, "keep": keep})
        retention = RetentionSweep(runtime)
        clock.advance(11)
        yield retention, store


async def ended(store: Any, run_id: str, days_ago: float) -> None:
    then = NOW - days_ago * DAY
    await store.runs.create(run_id, "local", ResearchRequest(question="Why?"), "f", then)
    await store.runs.move(run_id, then, status="completed")
    await store.reports.write(run_id, "# Why?", "{}")


async def left(store: Any) -> set[str]:
    return {row.run_id for row in await store.runs.find(limit=100)}


async def test_runs_older_than_their_days_go_with_their_reports_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    async with keeping(tmp_path, runs_days=7) as (retention, store):
        await ended(store, "old", 8)
        await ended(store, "new", 6)
        await store.runs.create("lives", "local", ResearchRequest(question="Why?"), "f", 0.0)
        await store.runs.create("waits", "local", ResearchRequest(question="Why?"), "f", 0.0, queued=True)
        with caplog.at_level(logging.INFO):
            await retention.apply()

        assert await left(store) == {"new", "lives", "waits"}
        assert not report_dir(store.home, "old").exists()
        assert report_dir(store.home, "new").exists()
    assert "Run old was deleted, as it ended more than 7 days ago (keep.runs_days)" in caplog.text


async def test_by_default_no_run_is_ever_deleted(tmp_path: Path):
    async with keeping(tmp_path) as (retention, store):
        await ended(store, "old", 10_000)
        await retention.apply()

        assert await left(store) == {"old"}


async def test_many_are_removed_a_few_at_a_time_without_a_pause_and_then_no_one_looks_for_a_minute(tmp_path: Path):
    async with keeping(tmp_path, runs_days=1) as (retention, store):
        for number in range(12):
            await ended(store, f"r{number}", 10 + number)
        counts = []
        for _ in range(4):
            await retention.apply()
            counts.append(len(await left(store)))
        await ended(store, "late", 5)
        await retention.apply()
        assert (counts, await left(store)) == ([7, 2, 0, 0], {"late"})

        retention._clock.advance(60)
        await retention.apply()
        assert await left(store) == set()


async def test_a_disk_that_is_full_stops_nothing_and_it_is_tried_again(tmp_path: Path):
    async with keeping(tmp_path, fallible=True, runs_days=1) as (retention, store):
        await ended(store, "old", 5)
        store.runs.broken["delete"] = FULL
        await retention.apply()
        store.runs.broken.clear()
        retention._clock.advance(60)
        await retention.apply()

        assert await left(store) == set()


async def test_nothing_is_dropped_where_all_is_to_be_kept_for_ever(tmp_path: Path):
    async with keeping(tmp_path, fallible=True, cache_days=0) as (retention, store):
        store.retention.broken = {"drop_pages": FULL, "drop_judgements": FULL}
        await retention.apply()


async def test_old_cached_pages_are_dropped_by_default(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    async with keeping(tmp_path, fallible=True) as (retention, store):

        async def three(moment: float, limit: int) -> int:
            assert NOW - 30 * DAY <= moment <= NOW - 30 * DAY + 60
            return 3

        store.retention._inner.drop_pages = three
        with caplog.at_level(logging.INFO):
            await retention.apply()
    assert "3 pages that no run holds and 0 judgements were dropped" in caplog.text


async def test_a_run_of_a_day_on_which_the_clock_was_set_back_is_not_taken_for_old(tmp_path: Path):
    async with keeping(tmp_path, runs_days=7) as (retention, store):
        for run_id, days_ago in (("old", 8), ("new", 1), ("set_back", 3650), ("later", 0)):
            await store.events.add(run_id, NOW - days_ago * DAY, "ended", {})
            await ended(store, run_id, days_ago)
        await retention.apply()

        assert await left(store) == {"new", "set_back", "later"}


async def test_nor_does_a_clock_that_was_once_set_forward_keep_runs_for_ever(tmp_path: Path):
    async with keeping(tmp_path, runs_days=7) as (retention, store):
        for run_id, days_ago in (("set_forward", -3650), ("old", 8), ("new", 1)):
            await store.events.add(run_id, NOW - days_ago * DAY, "ended", {})
            await ended(store, run_id, days_ago)
        await retention.apply()

        assert await left(store) == {"set_forward", "new"}
