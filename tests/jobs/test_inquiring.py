"""What one life of a run does when it asks; whole lives are in test_replies.py."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.inquiring import StoredAsker, suspend
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from pipeline_fakes import part

REQUEST = ResearchRequest(question="Why?")


def asks(text: str = "Why is ice light?") -> InputRequest:
    plan = Plan(sub_questions=(part("q1", text),))
    return InputRequest(inquiry_id="plan/approve/1", kind="approval", text="So?", plan=plan)


async def outcome(asker: StoredAsker, live: ActiveRun, inquiry: InputRequest) -> Reply | None:
    with live.enter():
        return await asker.ask(inquiry)
    return None


async def replied(home: Path, reply: Reply, then: Callable[[Store, ActiveRun, StoredAsker], Any]) -> Any:
    clock = HandClock()
    async with open_sqlite_store(home, clock) as store:
        await store.runs.create("r1", "local", REQUEST, "f", 0.0)
        live = ActiveRun("r1", REQUEST, clock.monotonic(), Progress("r1"))
        asker = StoredAsker(live, store, clock)
        assert await outcome(asker, live, asks()) is None
        assert live.waiting == asks()
        assert await suspend(live, asks(), store, clock)
        await store.inquiries.reply("r1", "plan/approve/1", reply, REQUEST, 1.0)
        return await then(store, live, asker)


@pytest.mark.parametrize(
    ("reply", "inquiry", "heard"),
    [
        (Reply(decision="approve"), asks(), True),
        (Reply(decision="approve"), asks("Why is it cold?"), False),
        (Reply(decision="decline"), asks(), False),
    ],
)
async def test_a_reply_to_this_very_plan_is_given_at_once_and_any_other_is_asked_for(
    tmp_path: Path, reply: Reply, inquiry: InputRequest, heard: bool
) -> None:
    async def again(store: Store, live: ActiveRun, asker: StoredAsker) -> Reply | None:
        with anyio.fail_after(10):
            return await outcome(asker, live, inquiry)

    assert await replied(tmp_path, reply, again) == (reply if heard else None)
