"""Asks the user of a run: returns a known reply at once, otherwise suspends the run."""

from dataclasses import asdict

import anyio
from typing_extensions import override

from deepresearch_mcp.events import Inquired, Replied
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.consent import UserPrompter
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.consent import InputRequest, Reply


class StoredAsker(UserPrompter):
    """Implements `ports.consent.UserPrompter` through the store, for one attempt at a run.

    A person may answer tomorrow, from another program, when this server is gone. The attempt therefore ends as if the
    server had stopped, with the question in the store. Meanwhile the run holds no place and no connection, and its
    time stands still. The reply starts the next attempt, which repeats no finished step.
    """

    def __init__(self, live: ActiveRun, store: Store, clock: Clock) -> None:
        self._live = live
        self._store = store
        self._clock = clock

    @override
    async def ask(self, inquiry: InputRequest) -> Reply:
        """Return the reply if this inquiry was already answered; otherwise suspend the run.

        A reply to another plan does not count, nor does one that declined before the run was resumed.
        """
        known = await self._store.inquiries.replied(self._live.run_id, inquiry.inquiry_id)
        if known and known[0].subject() == inquiry.subject() and known[1].decision != "decline":
            self._live.emit(Replied(inquiry.inquiry_id, known[1].decision), self._clock)
            return known[1]
        self._live.wait(inquiry)
        await anyio.sleep_forever()
        raise AssertionError("sleep_forever returned")


async def suspend(live: ActiveRun, inquiry: InputRequest, store: Store, clock: Clock) -> bool:
    """Suspend a run until it gets a reply; return False if it should be cancelled or has another owner."""
    live.emit(Inquired(inquiry.inquiry_id, inquiry.kind), clock)
    await live.flush(store)
    return await store.inquiries.put(live.run_id, inquiry, clock.now().timestamp(), asdict(live.now(clock)))
