"""The queue: runs that are stored and that nobody works on yet."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import RunRow

DEATHS = 3
"""Servers in a row that may die over a run without finishing a step of it; then it is not taken over again."""
SPAN = 30.0
"""Seconds from the first of these deaths to the last: a run that is killed sooner had no time to finish a step."""
ANYHOW = 10
"""So many deaths are enough however fast they follow one another."""


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """Where a run stands in the queue."""

    place: int
    """1 is the next; 0: it waits no more."""
    waiting: int
    """Runs in the queue, this one among them, that the same servers may take."""
    at_work: int
    """Runs that somebody works on now, whoever asked for them."""


class Queue(Protocol):
    """How a run comes to be worked on.

    Runs with the status `queued` have no owner, so no server's death can lose them. With `queued` what is taken over is
    put there, in the place of being owned by this process.
    """

    async def waiting(
        self, setup: str, *, per_caller: int = 0, limit: int = 20, of: Collection[str] | None = None
    ) -> list[RunRow]:
        """Runs of an equal setup that may be taken now, the oldest first, at most `limit`.

        `per_caller`: at most so many of one caller's runs are at work at once, in the whole store; 0: any number.
        `of`: these alone.
        """
        ...

    async def claim(self, run_id: str, setup: str, now: float, *, per_caller: int = 0) -> RunRow | None:
        """Take a run out of the queue: it is this process's then, and running.

        None where somebody was faster, where it is of another setup, and where its caller has `per_caller` runs at
        work. Counting and taking are one: of two that ask at once, one gets the last place. One that is to be
        cancelled is in the queue only to be written up: see `Inquiries.close`.
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
        queued: bool = False,
        hopeless: dict[str, str] | None = None,
    ) -> list[RunRow]:
        """Take over at most `limit` runs of an equal setup whose owner is gone, oldest first.

        With a `fingerprint`: those of equal requests alone. Where `DEATHS` owners in a row died over a run within at
        least `SPAN` seconds, or `ANYHOW` owners, and finished no step of it, it fails with the error `hopeless` instead
        and is returned so; without one it is taken over. An owner that handed it over has not died of it.

        Each has a higher fence then, so that an owner wrongly taken for dead cannot write on. One that is to be
        cancelled is left alone.
        """
        ...

    async def hand_over(self, run_id: str) -> None:
        """Leave a run of this process, which stops in order, to whoever takes it over."""
        ...

    async def revive(
        self,
        run_id: str,
        request: AnyRequest,
        setup: str,
        now: float,
        *,
        complete: bool = False,
        queued: bool = False,
    ) -> RunRow | None:
        """Take over a run that nobody works on, to go on with `request` in the place of its own.

        None where somebody works on it, where there is none, and where it is complete, unless that is wanted too: the
        time that it took is forgotten then.
        """
        ...
