"""A second thinker answers where the first has no answer: a failing model does not end a run."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import anyio
from typing_extensions import override

from deepresearch_mcp.events import EventSink, degraded
from deepresearch_mcp.exceptions import (
    AnswerRefused,
    BudgetExceeded,
    ContextOverflow,
    KeyRefused,
    ModelUnusable,
    ProviderError,
)
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.thinkers.base import Thinker, ThinkerTask

R = TypeVar("R")


class Fallback(Thinker):
    """Asks `first`, and `second` where `first` could not be asked or understood.

    A refused key passes on: the run should stop at once and name the key's provider. A refusal or a ceiling passes on
    where the task says that the stage has to know; elsewhere `second`, which should cost nothing, does the work.

    A model that never answered must not end in a report made by rules. Until `answered` says that a model of `first`
    has answered in this run, calls go to it one at a time, and the first one that fails ends the run.

    Where the task decides on later steps, the failure of `first` is a step of its own (`…/failed`): a resumed run goes
    the same way and pays for nothing twice. Other tasks, and those that a ceiling kept from `first`, go to `first`
    again.
    """

    def __init__(
        self,
        first: Thinker,
        second: Thinker,
        emit: EventSink,
        journal: Journal,
        answered: Callable[[], bool] = lambda: True,
    ) -> None:
        self._answered = answered
        self._settling = anyio.Lock()
        self._unusable: ModelUnusable | None = None
        self._first = first
        self._second = second
        self._emit = emit
        self._journal = journal

    @property
    @override
    def name(self) -> str:
        """The first's; the report's warnings say where the second answered."""
        return self._first.name

    @override
    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        failed = replace(step.part("failed"), depends_on=(step.key,))
        why = "it failed before the run was taken up again"
        if not task.decides or self._journal.left(failed.key) != "done":
            try:
                return await self._of_first(task, step)
            except KeyRefused:
                raise
            except ProviderError as error:
                if isinstance(error, AnswerRefused) and task.stops_at_refusal:
                    raise
                why = self._why(error)
            except BudgetExceeded as error:
                if task.stops_at_ceiling:
                    raise
                return await self._instead(task, step, error.message)

        async def known() -> str:
            return why

        if task.decides:
            why = await self._journal.step(failed, known, kind="decision", result=str)
        return await self._instead(task, step, why)

    async def _of_first(self, task: ThinkerTask[R], step: Step) -> R:
        """Ask the first; the first call of a run settles whether its model can be used.

        Raises:
            ModelUnusable: No model of it has answered yet, and this call failed.
        """
        if self._answered():
            return await self._first.ask(task, step)
        async with self._settling:
            if self._unusable:
                raise self._unusable
            try:
                return await self._first.ask(task, step)
            except ContextOverflow:
                raise  # The model is there and accepted its key.
            except ProviderError as error:
                if self._answered():
                    raise
                self._unusable = _unusable(error)
                raise self._unusable from error

    async def _instead(self, task: ThinkerTask[R], step: Step, why: str) -> R:
        then = task.instead or f"the {self._second.name} engine did it instead"
        self._emit(degraded(self._first.name, task.doing, why, then, by_rule=task.name))
        # Under a key of its own: the first's answer may be recorded already.
        return await self._second.ask(task, step.part("instead"))

    def _why(self, error: ProviderError) -> str:
        # Says which of several models it was, where the name does not.
        return error.reason if error.provider == self._first.name else f"{error.provider}: {error.reason}"


def _unusable(error: ProviderError) -> ModelUnusable:
    before = f" Asked before it: {'; '.join(error.tried)}." if error.tried else ""
    message = f"{error.provider} cannot be used: {error.reason.rstrip('.')}.{before}"
    return ModelUnusable(message, error.action or "Try again later, or name another model.")
