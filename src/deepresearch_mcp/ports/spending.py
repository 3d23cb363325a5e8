"""What all runs have used lately, by their steps."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.ports.journal import StepRow


@dataclass(frozen=True, slots=True)
class SpentRow:
    """What a caller's steps used within a minute or so."""

    at: float
    """Seconds since the epoch: the end of that time."""
    caller: str
    usd: float
    tokens: int


class Spending(Protocol):
    """What steps have used, over all runs and processes."""

    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> Sequence[SpentRow]:
        """What was used after a moment, oldest first; steps under way or in doubt at the most they may come to.

        `without`: attempts at runs (id and fence) whose own steps are left out.
        """
        ...

    async def steps(self, run_id: str) -> Sequence[StepRow]:
        """All steps of any run, oldest first, owned or not."""
        ...
