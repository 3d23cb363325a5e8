"""A thinker that asks language models."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.events import Event, EventSink
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.thinkers.base import Handler, Handlers, Thinker, ThinkerTask
from deepresearch_mcp.thinkers.prompted import (
    filling,
    gap_checking,
    holding,
    judging,
    planning,
    research,
    reviewing,
    sketching,
    weighing,
    writing,
)
from deepresearch_mcp.thinkers.prompted.judgement_cache import JudgementCache
from deepresearch_mcp.thinkers.prompted.prompt_spec import Asker
from deepresearch_mcp.thinkers.tasks import JudgeClaims

R = TypeVar("R")

HANDLERS = (
    *planning.HANDLERS,
    *research.HANDLERS,
    *judging.HANDLERS,
    *sketching.HANDLERS,
    *writing.HANDLERS,
    *reviewing.HANDLERS,
    *holding.HANDLERS,
    *gap_checking.HANDLERS,
    *filling.HANDLERS,
    *weighing.HANDLERS,
)
"""The `PromptSpec` for each kind of task, by its `ask`."""


def _silent(_: Event) -> None:
    """For a caller that does not want events."""


class Prompted(Thinker):
    """Thinks with a model for each role; for a moot task it asks none."""

    def __init__(
        self,
        models: Mapping[Role, Structured],
        name: str,
        nonce: str,
        emit: EventSink = _silent,
        known: JudgementCache | None = None,
        *,
        plainly: bool = True,
        handlers: Sequence[Handler[Asker, Step]] = (),
    ) -> None:
        """`known`: looked up before a model is paid for a judgement, and added to.

        `plainly`: ask again for plain lines where JSON fails. `handlers`: count before the usual ones.
        """
        self._name = name
        self._asker = Asker(models, name, nonce, emit, plainly=plainly)
        self._known = known
        self._handlers = Handlers(*HANDLERS, JudgeClaims.by(self._judge), *handlers)

    @property
    @override
    def name(self) -> str:
        return self._name

    @override
    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        nothing = task.nothing() if task.is_moot else None
        if nothing is not None:
            return nothing
        return await self._handlers.of(task)(task, self._asker, step)

    async def _judge(self, task: JudgeClaims, asker: Asker, step: Step) -> Sequence[Judgement]:
        async def judge(claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
            return await judging.JUDGE.ask(replace(task, claims=claims), asker, step)

        return await (self._known.judge(task.claims, step, judge) if self._known else judge(task.claims, step))
