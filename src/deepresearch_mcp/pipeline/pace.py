"""Pace: how far a research still reaches as its ceilings come near. Each decision is a step, so that it is kept to."""

from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Degraded, Tell
from deepresearch_mcp.pipeline.strand import Desk, Task
from deepresearch_mcp.ports.journal import At, Journal
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.request import Shape

_FEW_PAGES = 2
"""Of one query's hits, where a ceiling is near."""


class Pacer:
    """Looks at the ledger when something is about to begin.

    A run that is gone on with under the same ceilings decides as it did before, though more is used by then; under
    other ceilings it decides anew. That a ceiling is met is never kept: one of a day is free again the next day.
    """

    def __init__(self, shape: Shape, journal: Journal, ledger: Ledger, tell: Tell) -> None:
        self._shape = shape
        self._journal = journal
        self._ledger = ledger
        self._tell = tell

    def spent(self, number: int) -> str:
        """The ceiling that is met before a round that no earlier life of the run has begun; empty: none is."""
        begun = self._journal.left(_round(number)) == "done"
        return "" if begun or self._ledger.level() != "spent" else self._ledger.fullest

    async def of_round(self, number: int) -> str:
        """The ceiling that a round has to be narrower for, being 90 % used; empty: none."""
        ceiling = await self._decided(_round(number))
        if ceiling:
            self._tell(Degraded(_narrowed(ceiling, number)))
        return ceiling

    async def of_task(self, task: Task) -> str:
        """The same for one sub-question, which had to wait for another."""
        return await self._decided(f"{_round(task.round)}/{task.sub_question.id}")

    async def _decided(self, key: str) -> str:
        async def look() -> str:
            return self._ledger.fullest if self._ledger.level() in {"narrow", "spent"} else ""

        return await self._journal.step(At(key), look, kind="decision", result=str, request=self._shape)


def kept(parts: Sequence[SubQuestion], ceiling: str, *, alone: bool = True) -> list[SubQuestion]:
    """The sub-questions that are still asked: near a ceiling not those of low priority.

    `alone`: where there are no others, they are asked after all.
    """
    needed = [part for part in parts if not (ceiling and part.priority == "low")]
    return needed or (list(parts) if alone else [])


def breadth_of(shape: Shape, ceiling: str) -> int:
    """Queries of a round: near a ceiling half as many."""
    return max(1, shape.breadth // 2) if ceiling else shape.breadth


def desk_of(desk: Desk, ceiling: str) -> Desk:
    """The desk of a round: near a ceiling, one that reads fewer pages of each query."""
    return replace(desk, pages_per_query=min(_FEW_PAGES, desk.pages_per_query)) if ceiling else desk


def _round(number: int) -> str:
    return f"pace/{number}"


def _narrowed(ceiling: str, number: int) -> str:
    return (
        f"{ceiling} is 90 % used: round {number} asks half as many queries, reads fewer pages of each, "
        "and leaves out parts of low priority."
    )
