"""Reports that were kept, and runs that have none."""

from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.jobs.outcome import keep_outcome, read_run
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.reports import FileReports, report_dir
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import QUESTION, FakeRuntime
from pipeline_fakes import drive


def tell_no_one(event: object) -> None:
    pass


async def test_what_is_concluded_is_what_is_read_back(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        request = ResearchRequest(question=QUESTION, depth=1, max_minutes=1000)
        row = await store.runs.create("r1", "local", request, "f", 0.0)
        runtime = FakeRuntime(store, clock)
        async with runtime.research("r1", request, "", tell_no_one) as session:
            await drive(clock, session.research.run, limit=2000)
            session.warnings.append("Something went another way.")
            run = await keep_outcome(session, "r1", "completed", None, Progress("r1", read=2))

        assert run.metrics.pages == 2
        assert "Something went another way." in run.warnings
        assert await read_run(store, row.model_copy(update={"status": "completed"}), Progress("r1")) == run
        assert (Path(run.path) / "report.md").read_text(encoding="utf-8") == run.report
        assert await store.claims.of("r1") == list(run.claims)
        assert all(source.quality for source in run.sources)


async def test_a_run_that_lasts_or_has_no_report_is_what_is_known_of_it(tmp_path: Path):
    clock = HandClock()
    progress = Progress("r1", stage="researching", usd=0.1, searches=3, read=4, seconds=12.345)
    error = {"code": "E1401", "name": "STORE_ERROR", "message": "The disk is full.", "action": ""}
    async with open_sqlite_store(tmp_path, clock) as store:
        row = await store.runs.create("r1", "local", ResearchRequest(question="Why?"), "f", 0.0)

        lasting = await read_run(store, row, progress)
        failed = await read_run(store, row.model_copy(update={"status": "failed", "error": error}), progress)

    assert (lasting.status, lasting.stage, lasting.question) == ("running", "researching", "Why?")
    metrics = lasting.metrics
    assert (metrics.usd, metrics.searches, metrics.pages, metrics.seconds) == (0.1, 3, 4, 12.3)
    assert lasting.path == str(tmp_path / "runs" / "r1")
    assert (failed.status, failed.error, failed.report) == ("failed", error, "")


async def test_a_report_that_cannot_be_read_is_told_in_one_sentence(tmp_path: Path):
    clock = HandClock()
    async with open_sqlite_store(tmp_path, clock) as store:
        row = await store.runs.create("r1", "local", ResearchRequest(question="Why?"), "f", 0.0)
        row = row.model_copy(update={"status": "completed"})
        await FileReports(tmp_path).write("r1", "# Report", '{"run_id": 1}')

        with pytest.raises(StoreError, match="cannot be read") as caught:
            await read_run(store, row, Progress("r1"))

        assert "`deepresearch-server runs verify r1 --rebuild`" in caught.value.action
        assert str(report_dir(tmp_path, "r1")) not in str(caught.value)
