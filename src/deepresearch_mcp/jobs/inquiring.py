"""Asking the user of a run: a reply that is known is given at once, else the run lets go of this process and waits."""

from dataclasses import asdict

import anyio

from deepresearch_mcp.events import Inquired, Replied
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.consent import InputRequest, Reply


class StoredAsker:
    """`ports.consent.UserPrompter` by way of the store, for one life of a run.

    A person may answer tomorrow, from another program, and this server may be gone by then. So nobody waits: the life
    of the run ends as if its server had stopped, with the question in the store. It holds no place, no connection and
    no minute of its time meanwhile; the reply begins its next life, in which what is done is not done again.
    """

    def __init__(self, live: ActiveRun, store: Store, clock: Clock) -> None:
        self._live = live
        self._store = store
        self._clock = clock

    async def ask(self, inquiry: InputRequest) -> Reply:
        """See `UserPrompter.ask`; a reply to another plan, or one that declined before the run was resumed, is none."""
        known = await self._store.inquiries.replied(self._live.run_id, inquiry.inquiry_id)
        if known and known[0].subject() == inquiry.subject() and known[1].decision != "decline":
            self._live.tell(Replied(inquiry.inquiry_id, known[1].decision), self._clock)
            return known[1]
        self._live.wait(inquiry)
        await anyio.sleep_forever()
        raise AssertionError("nobody comes back from for ever")


async def let_go(live: ActiveRun, inquiry: InputRequest, store: Store, clock: Clock) -> bool:
    """Leave a run to whoever brings the reply; False where it is to be cancelled, or is not ours any more."""
    live.tell(Inquired(inquiry.inquiry_id, inquiry.kind), clock)
    await live.flush(store, clock)
    return await store.inquiries.put(live.run_id, inquiry, clock.now().timestamp(), asdict(live.now(clock)))
