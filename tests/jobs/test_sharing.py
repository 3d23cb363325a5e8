from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.jobs.sharing import revoke_share, share_run, shared_run, shares_of
from deepresearch_mcp.runtime import open_runtime
from small_web import settings_for


async def test_a_run_without_a_report_is_not_shared(tmp_path: Path) -> None:
    clock = HandClock(auto=True)
    async with open_runtime(settings_for(tmp_path), clock) as runtime, open_jobs(runtime) as jobs:
        row = await jobs.start_or_join(checked_request({"question": "Why does ice float?", "approve_plan": True}))
        for hours, why in ((24.0, "has no report"), (0.0, "cannot last"), (9_000.0, "cannot last")):
            with pytest.raises(InvalidRequest, match=why):
                await share_run(jobs, row.run_id, "http://x", hours=hours)
        with pytest.raises(InvalidRequest, match="no valid link"):
            await revoke_share(jobs, row.run_id, "ab")
        with pytest.raises(UnknownRun):
            await shares_of(jobs, row.run_id, "token:other")
        # A run that was resumed after it was shared has no report for a while.
        secret, _ = await runtime.store.shares.create(row.run_id, 0.0, 9e12)
        assert await shared_run(jobs, secret, 1.0) is None
