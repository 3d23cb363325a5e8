"""How runs ended, also while nobody can write it down."""

from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import KeyRefused
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.pending_ends import PendingEnds, described, error_record
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, FallibleStore


async def test_an_end_is_told_and_written_and_then_forgotten(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        request = ResearchRequest(question="Why?")
        await store.runs.create("r1", "local", request, "f", 0.0)
        ends, live = PendingEnds(store, clock), ActiveRun("r1", request, clock.monotonic(), Progress("r1"))

        await ends.end(live, "partial")

        row = await store.runs.get("r1")
        assert row is not None
        assert (row.status, row.stage, row.error) == ("partial", "ended", None)
        assert (row.progress or {})["status"] == "partial"
        assert ends.of("r1") is None
        assert [event.kind for event in await store.events.of("r1")] == ["ended"]


async def test_an_end_that_cannot_be_written_is_shown_until_it_is(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as inner:
        store = FallibleStore(inner)
        request = ResearchRequest(question="Why?")
        row = await inner.runs.create("r1", "local", request, "f", 0.0)
        ends, live = PendingEnds(store, clock), ActiveRun("r1", request, clock.monotonic(), Progress("r1"))
        store.runs.broken["move"] = store.events.broken["add_all"] = FULL

        await ends.end(live, "failed", described(FULL))
        known = ends.known()
        shown = ends.seen(row, {})
        store.runs.broken.clear()
        store.events.broken.clear()
        await ends.save()

        assert (shown.status, shown.stage, shown.error) == ("failed", "ended", described(FULL))
        assert live.progress.status == "failed"
        assert ends.seen(row, {}) == row
        # Written after the row was read: what was known before it was read still tells.
        assert ends.seen(row, known).status == "failed"
        after = await inner.runs.get("r1")
        assert after is not None
        assert after.error == described(FULL)
        assert [event.kind for event in await inner.events.of("r1")] == ["ended"]


def test_our_errors_are_told_whole_and_others_not_at_all(caplog: pytest.LogCaptureFixture):
    assert error_record("r1", KeyRefused("openai", "no", action="Set it."))["action"] == "Set it."
    assert caplog.records == []

    hidden = error_record("r1", ZeroDivisionError("/home/someone/secret"))

    assert hidden["name"] == "DEEP_RESEARCH_ERROR"
    assert "secret" not in str(hidden)
    assert caplog.records[0].exc_info is not None
