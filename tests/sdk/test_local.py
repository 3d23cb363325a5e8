"""The library on this machine: runs listed, estimated, forked, resumed and deleted."""

from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp import DeepResearch, InvalidRequest, UnknownRun
from small_web import QUESTION, settings_for, small_web


async def test_runs_are_listed_forked_and_deleted(tmp_path: Path):
    async with small_web() as web, DeepResearch(settings_for(tmp_path, web.base)) as research:
        run = await research.research(QUESTION, effort="quick")
        twin = await research.fork(run.run_id)
        first = await research.list(limit=1)
        second = await research.list(limit=1, cursor=first.next_cursor or "")
        every = [one.run_id async for one in research.runs(status="completed", query="ice")]
        gone = await research.delete(run.run_id)

        assert twin.status == "completed"
        assert [one.runs[0].run_id for one in (first, second)] == every == [twin.run_id, run.run_id]
        assert first.runs[0].created.endswith("Z")
        assert second.next_cursor is None
        assert gone["steps"] > 0
        with pytest.raises(UnknownRun):
            await research.get(run.run_id)


async def test_an_estimate_starts_nothing(tmp_path: Path):
    async with small_web() as web, DeepResearch(settings_for(tmp_path, web.base)) as research:
        found = await research.estimate(QUESTION, effort="quick")

        assert found.searches > 0
        assert (await research.list()).runs == ()


async def test_a_cancelled_run_is_resumed_to_its_end(tmp_path: Path):
    async with small_web(held=True) as held, DeepResearch(settings_for(tmp_path, held.base)) as research:
        run_id = await research.start(QUESTION, effort="quick")
        assert (await research.cancel(run_id)).status == "cancelled"
        held.open.set()

        again = await research.resume(run_id, max_usd=1)

        assert (again.run_id, again.status) == (run_id, "completed")
        with pytest.raises(InvalidRequest, match="complete"):
            await research.resume(run_id)


@pytest.mark.parametrize("asked", [{"limit": 0}, {"limit": 101}, {"cursor": "x"}])
async def test_a_wrong_page_is_refused(tmp_path: Path, asked: dict[str, Any]):
    async with DeepResearch(settings_for(tmp_path)) as research:
        with pytest.raises(InvalidRequest):
            await research.list(**asked)
