from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.rating import LONGEST_NOTE, rate_run
from small_web import small_web
from whole_runs import opened


async def test_only_the_owner_rates_a_run_and_only_once_it_has_ended(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        runs, figures = jobs.runtime.store.runs, jobs.runtime.store.figures
        await runs.create("r1", "ann", checked_request({"question": "Why?"}), "f", 1.0)
        with pytest.raises(InvalidRequest, match="has not ended"):
            await rate_run(jobs, "r1", "up", caller="ann")
        await runs.move("r1", 2.0, status="completed")
        with pytest.raises(UnknownRun):
            await rate_run(jobs, "r1", "up", caller="bob")
        with pytest.raises(InvalidRequest, match="characters"):
            await rate_run(jobs, "r1", "up", "n" * (LONGEST_NOTE + 1), caller="ann")
        assert await figures.rating("r1") is None

        rating = await rate_run(jobs, "r1", "down", " thin ", caller="ann")

        assert await figures.rating("r1") == rating
        assert (rating.rated, rating.note) == ("down", "thin")
