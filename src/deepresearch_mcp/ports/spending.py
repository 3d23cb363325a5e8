"""What was used recently: by all runs, read from their steps, and by queries that belong to no run."""

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
    """The use of all steps and of all queries outside runs, over all processes."""

    outside: tuple[str, int]
    """The attempt under which this process keeps its queries outside runs; `since` can leave it out like any other."""

    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> Sequence[SpentRow]:
        """Return the use after `moment`, oldest first; a step in flight or in doubt counts at its upper bound.

        `without`: attempts (run id and fence) whose steps are left out.
        """
        ...

    async def begin(self, caller: str, usd: float, at: float) -> str:
        """Keep the upper bound of a query outside runs before it is sent; return the key to `correct` it by."""
        ...

    async def correct(self, key: str, usd: float) -> None:
        """Replace the bound of a query outside runs by what it really used."""
        ...

    async def steps(self, run_id: str) -> Sequence[StepRow]:
        """Return all steps of a run, oldest first; this process need not own it."""
        ...
