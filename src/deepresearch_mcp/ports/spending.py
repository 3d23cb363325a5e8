"""What all runs have used recently, read from their steps."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.ports.journal import StepRow


@dataclass(frozen=True, slots=True)
class SpentRow:
    """What a caller's steps used within about a minute."""

    at: float
    """The end of that minute, in seconds since the epoch."""
    caller: str
    usd: float
    tokens: int


class Spending(Protocol):
    """The use of all steps, over all runs and processes."""

    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> Sequence[SpentRow]:
        """Return the use after `moment`, oldest first; a step in flight or in doubt counts at its upper bound.

        `without`: attempts (run id and fence) whose steps are left out.
        """
        ...

    async def steps(self, run_id: str) -> Sequence[StepRow]:
        """Return all steps of a run, oldest first; this process need not own it."""
        ...
