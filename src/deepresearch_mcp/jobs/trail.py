"""The events of a run as they were stored, and as they happen."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime

from deepresearch_mcp.attribution import actor_of, parent_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.run_follower import RESTS
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import ENDED
from deepresearch_mcp.records.trail import RunEvent

AT_ONCE = 500
"""Events that are read together."""
LOOK = 0.5
"""Seconds between two looks for new events; those of other processes are seen too."""


def shown(row: EventRow) -> RunEvent:
    """A stored event as surfaces show it."""
    at = datetime.fromtimestamp(row.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    actor, parent = actor_of(row.kind, row.data), parent_of(row.data)
    return RunEvent(number=row.number, at=at, kind=row.kind, actor=actor, parent=parent, data=row.data)


async def events_of(
    jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER, *, after: int = 0, limit: int = AT_ONCE
) -> list[RunEvent]:
    """At most `limit` events after number `after`, oldest first.

    Raises:
        UnknownRun: This caller has no such run.
    """
    row = await jobs.get(run_id, caller)
    return [shown(one) for one in await jobs.runtime.store.events.of(row.run_id, after, limit)]


async def events_as_they_happen(
    jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER, *, after: int = 0, until_it_rests: bool = False
) -> AsyncGenerator[RunEvent]:
    """All events after number `after`, until the run ends, or with `until_it_rests` also waits for its user.

    Raises:
        UnknownRun: This caller has no such run.
    """
    over = RESTS if until_it_rests else ENDED
    while True:
        # First the status: what is stored after it is read once more.
        ended = (await jobs.get(run_id, caller)).status in over
        found = await events_of(jobs, run_id, caller, after=after)
        for one in found:
            after = one.number
            yield one
        if found:
            continue
        if ended:
            return
        await jobs.runtime.clock.sleep(LOOK)
