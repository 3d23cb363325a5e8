"""The queue: stored runs that no process works on yet."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import RunRow

DEATHS = 3
"""Give up a run after this many consecutive server deaths without a finished step."""
SPAN = 30.0
"""Seconds that these deaths must span: within less, a run may have had no chance to finish a step."""
MAX_DEATHS = 10
"""Give up after this many deaths, whatever the interval."""


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """Where a run stands in the queue."""

    place: int
    """1 is next; 0: not in the queue."""
    waiting: int
    """Runs in the queue that the same servers may take, this one included."""
    at_work: int
    """Runs that any process is working on, of all callers."""


class Queue(Protocol):
    """How runs are handed to processes.

    A run with the status `queued` has no owner, so no server's death can lose it.
    """

    async def waiting(
        self, setup: str, *, per_caller: int = 0, limit: int = 20, of: Collection[str] | None = None
    ) -> list[RunRow]:
        """Runs of an equal setup that this process may claim now, oldest first, at most `limit`.

        A run whose last server died is offered one at a time: while this process works on one that has not finished
        a step since, no other is listed. Otherwise the next death would count against all of them.

        Args:
            setup: As `Runtime.setup`.
            per_caller: Runs of one caller at work at once, over the whole store; 0: unlimited.
            limit: Length of the list.
            of: Only these runs; None: all.
        """
        ...

    async def claim(self, run_id: str, setup: str, now: float, *, per_caller: int = 0) -> RunRow | None:
        """Claim a queued run for this process; it is then running.

        None if another process was faster, if the setup differs, if the caller has `per_caller` runs at work, or if
        `waiting` would not offer it. Counting and claiming are one transaction. A run marked for cancelling is in the
        queue only to have its report written: see `Inquiries.close`.
        """
        ...

    async def position(self, row: RunRow) -> QueuePosition:
        """Where a run stands among those of an equal setup."""
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
        """Put at most `limit` runs of an equal setup whose owner is gone back into the queue, oldest first.

        With a `fingerprint`: only those of equal requests. A run fails, and is returned as failed, once `DEATHS`
        consecutive owners died over it in at least `SPAN` seconds, or `MAX_DEATHS` owners, without finishing a step.
        `hopeless` makes the error of its id; if it is None the run is queued all the same. A clean shutdown is no
        death.

        Each returned run has a higher fence, so an owner that was wrongly taken for dead can no longer write. Runs
        marked for cancelling are left alone.
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
        """Queue an interrupted or ended run again, with `request` in place of its own.

        None if a process works on it, if it does not exist, or if it is complete and `complete` is False. For a
        complete run the time it took is reset.
        """
        ...
