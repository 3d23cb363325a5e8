"""A thinker that is asked only what needs it, because each of its rounds counts."""

from collections.abc import Sequence
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements
from deepresearch_mcp.thinkers.base import Handlers, Thinker, ThinkerTask
from deepresearch_mcp.thinkers.tasks import JudgeClaims

R = TypeVar("R")


class FewerCalls(Thinker):
    """Asks `second` the tasks that would take a round of their own, and `first` all others.

    With them a client would be asked half as often again. `first` judges its own work, so its judgements are marked
    as such.
    """

    def __init__(self, first: Thinker, second: Thinker) -> None:
        self._first = first
        self._second = second
        self._marked = Handlers(JudgeClaims.by(self._judge), HoldJudgements.by(self._judge))

    @property
    @override
    def name(self) -> str:
        """The first's."""
        return self._first.name

    @override
    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        if task.takes_a_round:
            return await self._second.ask(task, step)
        marked = self._marked.find(task)
        return await (marked(task, step) if marked else self._first.ask(task, step))

    async def _judge(self, task: ThinkerTask[Sequence[Judgement]], step: Step) -> Sequence[Judgement]:
        found = await self._first.ask(task, step)
        return [one if one.by == "machine" else one.model_copy(update={"by": "self"}) for one in found]
