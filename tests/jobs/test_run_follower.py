"""What follows a run sees of it; whole runs are followed in test_jobs.py."""

from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.jobs.pending_ends import PendingEnds
from deepresearch_mcp.jobs.run_follower import RunFollower
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FakeRuntime

ASKED = InputRequest(inquiry_id="plan/approve/1", kind="approval", text="So?")


class Seen:
    """Runs as their rows tell of them."""

    def __init__(self, runtime: Any) -> None:
        self.runtime = runtime

    async def progress(self, row: RunRow) -> Progress:
        return Progress(row.run_id, status=row.status)


@pytest.mark.parametrize(("patient", "looks"), [(False, 0), (True, 4)])
async def test_a_run_whose_server_died_is_given_time_only_where_another_may_take_it(
    tmp_path: Path, patient: bool, looks: int
) -> None:
    clock = HandClock(auto=True)
    async with open_sqlite_store(tmp_path, clock) as store:
        await store.runs.create("r1", "local", ResearchRequest(question="Why?"), "f", 0.0)
    async with open_sqlite_store(tmp_path, clock) as store:
        following = RunFollower(Seen(FakeRuntime(store, clock)), {}, PendingEnds(store, clock), patient=patient)

        assert await following.next("r1", None, 4.0) is None
    assert clock.slept == [1.0] * looks


async def test_a_run_that_asks_its_user_has_nothing_more_to_tell_until_it_is_answered(tmp_path: Path) -> None:
    clock = HandClock(auto=True)
    async with open_sqlite_store(tmp_path, clock) as store:
        await store.runs.create("r1", "local", ResearchRequest(question="Why?"), "f", 0.0)
        following = RunFollower(Seen(FakeRuntime(store, clock)), {}, PendingEnds(store, clock), patient=True)
        at_work = await following.next("r1", None, 4.0)
        await store.inquiries.put("r1", ASKED, 1.0, {})

        assert at_work is not None
        assert at_work.status == "running"
        assert await following.next("r1", at_work, 4.0) is None
        assert await following.next("nobody", None, 4.0) is None
