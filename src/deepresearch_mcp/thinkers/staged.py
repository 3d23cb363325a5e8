"""One thinker for the stages that a fork shares with its origin, another for those that it does again."""

from collections.abc import Collection
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step, kind_named
from deepresearch_mcp.thinkers.base import EXTRACTIVE, Thinker, ThinkerTask

R = TypeVar("R")


def goes_by_rules(thinker: Thinker, step: Step | None = None) -> bool:
    """Whether a thinker asks no model: in this step, which decides it in a fork, or at all."""
    one = thinker.of(step) if step and isinstance(thinker, Staged) else thinker
    return one.name == EXTRACTIVE


class Staged(Thinker):
    """Asks `before` for the steps that a fork shares with its origin, and `after` for those that it does again.

    The first part of a step's key decides.
    """

    def __init__(self, before: Thinker, after: Thinker, redone: Collection[str]) -> None:
        """`redone`: the first parts of the keys of steps that are done again."""
        self._before = before
        self._after = after
        self._redone = frozenset(redone)

    @property
    @override
    def name(self) -> str:
        """The name of the thinker that the fork was started with."""
        return self._after.name

    def of(self, step: Step) -> Thinker:
        """The thinker that does a step."""
        return self._after if kind_named(step.key) in self._redone else self._before

    @override
    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        return await self.of(step).ask(task, step)
