"""First decisions: what there was room for while a report was written, kept for the lives of the run that follow."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.records.request import Shape

T = TypeVar("T")


class FirstDecisions:
    """Keeps decisions by what a run has used: a resumed run has used more by then, and would leave out what it read.

    Then other claims would stand behind the report, and all that was paid for its writing would be paid again. Under
    other ceilings each is made anew.
    """

    def __init__(self, journal: Journal, shape: Shape) -> None:
        self._journal = journal
        self._shape = shape
        self._wanted = Counter[tuple[str, ...]]()
        """How often each group of spots or queries was wanted."""

    async def of(self, wanted: Sequence[str], result: type[T], *, now: T) -> T:
        """The decision on what is wanted, `now` where it is the first."""
        turn = self._wanted[tuple(wanted)]
        self._wanted[tuple(wanted)] += 1

        async def look() -> T:
            return now

        step = Step(steps.pace_of_writing(wanted, turn))
        return await self._journal.step(step, look, kind="decision", result=result, request=self._shape)
