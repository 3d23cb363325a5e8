"""The queue: stored runs that no process works on yet."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import RunRow

DEATHS = 3
"""Give up a run after this many consecutive server deaths without a finished step."""
SPAN = 30.0
"""Seconds that these deaths must span: in less time, a run may have had no chance to finish a step."""
MAX_DEATHS = 10
"""Give up after this many deaths, whatever the interval."""


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """Where a run stands in the queue."""

    place: int
    """1 is next; 0: not in the queue."""
    waiting: int
    """Queued runs that the same servers may take, this one included."""
    at_work: int
    """Active runs in all processes, of all callers."""


class Queue(Protocol):
    """Hands queued runs to processes.

    A run with the status `queued` has no owner, so no server's death can lose it.
    """

    async def waiting(
        self, setup: str, *, per_caller: int = 0, limit: int = 20, of: Collection[str] | None = None
    ) -> list[RunRow]:
        """Return runs of an equal setup that this process may claim now, at most `limit`.

        Callers take turns, so that no one who queues a hundred runs is served before the others: those of callers with
        fewer active runs come first, then the older ones.

        Runs whose last server died are offered one at a time: while this process works on such a run that has not
        finished a step since, no other is listed. Otherwise the next death would count against all of them.

        Args:
            setup: As `Runtime.setup`.
            per_caller: The most active runs of one caller in the whole store; 0: unlimited.
            limit: The most runs to return.
            of: Return only these runs; None: all.
        """
        ...

    async def claim(self, run_id: str, setup: str, now: float, *, per_caller: int = 0) -> RunRow | None:
        """Claim a queued run for this process; the run becomes `running`.

        None if another process was faster, if the setup differs, if the caller has `per_caller` active runs, or if
        `waiting` would not offer the run. One transaction counts and claims. A run marked for cancelling is queued only
        so that its report is written: see `Inquiries.close`.
        """
        ...

    async def position(self, row: RunRow) -> QueuePosition:
        """Return a run's position among those of an equal setup."""
        ...

    async def waiting_of(self, caller: str) -> int:
        """Count the runs of a caller that no process works on yet, of every setup."""
        ...

    async def adopt(
        self,
        setup: str,
        now: float,
        limit: int,
        fingerprint: str = "",
        *,
        hopeless: Callable[[str], dict[str, str]] | None = None,
    ) -> list[RunRow]:
        """Queue at most `limit` runs of an equal setup whose owner is gone, oldest first, and return them.

        A `fingerprint` limits this to equal requests. A run fails, and is returned as failed, if `DEATHS` consecutive
        owners died in at least `SPAN` seconds, or `MAX_DEATHS` owners at any interval, without finishing a step.
        `hopeless` builds the error from the run's id; if it is None, the run is queued anyway. A clean shutdown does
        not count as a death.

        Each returned run has a higher fence, so an owner that was wrongly taken for dead can no longer write. Runs
        marked for cancelling are not adopted.
        """
        ...

    async def hand_over(self, run_id: str) -> None:
        """Release a run at a clean shutdown, so that another server can adopt it."""
        ...

    async def revive(
        self,
        run_id: str,
        request: AnyRequest,
        setup: str,
        now: float,
        *,
        complete: bool = False,
    ) -> RunRow | None:
        """Queue an interrupted or ended run again, with `request` in place of its own request.

        None if a process is working on it, if it does not exist, or if it is complete and `complete` is False. The
        elapsed time of a complete run is reset.
        """
        ...
