"""Another thinker's answer where the first has none: a failing model does not end a run."""

from collections.abc import Awaitable, Callable, Sequence
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
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import DOING, Doubt, Pair, SubQuestionEvidence, Thinker

T = TypeVar("T")

_DOING = {
    **DOING,
    "hold": "hold finished sentences to their sources",
    "again": "look at sentences that were worded anew",
}
"""With the two things that judging is for in an audit, by the middle of its steps' keys."""
_THEN = {
    "judge": "rules alone judged them",
    "critique": "rules alone held the draft to its claims",
    "revise": "rules alone held the draft to its claims",
    "hold": "rules alone held them",
    "again": "rules alone held them",
    "repair": "those found wanting were taken out, and what their supported claims say was kept",
}
"""What it means, in a report, that the second did these."""
_RESTED_ON = frozenset({"plan", "read", "judge", "hold", "again", "compare", "assess"})
"""What decides which steps come later."""


class Fallback(Thinker):
    """Asks `first`, and `second` where `first` could not be asked or understood.

    A refused key passes on: the run should stop at once and say whose it is. So does a refusal to read passages:
    they are skipped, and told of. A ceiling passes on from research (plan, read, assess, direct), where the stage has
    to know that it is over; in what finishes a report the second, which is meant to cost nothing, does the work.

    A model that never answered does not end up as a report made by rules: until `answered` says that a model of
    `first` has answered in this run, calls go to it one at a time, and one that fails ends the run.

    Where paid research rests on the answer, that the first failed is a step of its own (`…/failed`): in its next life a
    run goes the same way, and nothing is paid for anew. What is merely written, or was kept from the first by a
    ceiling, is asked of the first again.
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
        """The first's: where it was not the first, the report's warnings say so."""
        return self._first.name

    @property
    @override
    def paragraph_claims(self) -> int:
        return self._first.paragraph_claims

    @override
    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        return await self._research("plan", lambda one, step: one.plan(brief, parts, queries, step), step)

    @override
    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        return await self._research(
            "read", lambda one, step: one.read(brief, sub_question, passages, limit, step), step
        )

    @override
    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        return await self._finish(step.doing or "judge", lambda one, step: one.judge(brief, claims, step), step)

    @override
    async def compare(self, brief: Brief, pairs: Sequence[Pair], step: Step) -> Sequence[Comparison]:
        return await self._finish("compare", lambda one, step: one.compare(brief, pairs, step), step)

    @override
    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        return await self._research("assess", lambda one, step: one.assess(brief, parts, queries, step), step)

    @override
    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        return await self._finish("outline", lambda one, step: one.outline(brief, parts, step), step)

    @override
    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return await self._finish("write", lambda one, step: one.write(brief, section, claims, step), step)

    @override
    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        return await self._finish(
            "conclude", lambda one, step: one.conclude(brief, sections, claims, max_chars, step), step
        )

    @override
    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        return await self._finish("critique", lambda one, step: one.critique(brief, draft, claims, step), step)

    @override
    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        return await self._finish("revise", lambda one, step: one.revise(brief, section, critique, claims, step), step)

    @override
    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return await self._finish("repair", lambda one, step: one.repair(brief, doubts, claims, step), step)

    @override
    async def direct(self, brief: Brief, step: Step) -> str:
        return await self._research("direct", lambda one, step: one.direct(brief, step), step)

    async def _research(self, doing: str, ask: Callable[[Thinker, Step], Awaitable[T]], step: Step) -> T:
        failed = replace(step.part("failed"), depends_on=(step.key,))
        why = "it failed before the run was taken up again"
        if doing not in _RESTED_ON or self._journal.left(failed.key) != "done":
            try:
                return await self._of_first(ask, step)
            except KeyRefused:
                raise
            except ProviderError as error:
                if isinstance(error, AnswerRefused) and doing == "read":
                    raise
                why = self._why(error)

        async def known() -> str:
            return why

        if doing in _RESTED_ON:
            why = await self._journal.step(failed, known, kind="decision", result=str)
        return await self._instead(doing, ask, step, why)

    async def _finish(self, doing: str, ask: Callable[[Thinker, Step], Awaitable[T]], step: Step) -> T:
        try:
            return await self._research(doing, ask, step)
        except BudgetExceeded as error:
            return await self._instead(doing, ask, step, error.message)

    async def _of_first(self, ask: Callable[[Thinker, Step], Awaitable[T]], step: Step) -> T:
        """Ask the first; the first call of a run settles whether its model can run at all.

        Raises:
            ModelUnusable: No model of it has answered yet, and this call failed.
        """
        if self._answered():
            return await ask(self._first, step)
        async with self._settling:
            if self._unusable:
                raise self._unusable
            try:
                return await ask(self._first, step)
            except ContextOverflow:
                raise  # It is there, and took its key.
            except ProviderError as error:
                if self._answered():
                    raise
                self._unusable = _unusable(error)
                raise self._unusable from error

    async def _instead(self, doing: str, ask: Callable[[Thinker, Step], Awaitable[T]], step: Step, why: str) -> T:
        then = _THEN.get(doing, f"the {self._second.name} engine did it instead")
        self._emit(degraded(self._first.name, _DOING[doing], why, then, by_rule=doing))
        # Under its own key: the first's may be recorded already.
        return await ask(self._second, step.part("instead"))

    def _why(self, error: ProviderError) -> str:
        # Which of several models it was, where the name does not say it.
        return error.reason if error.provider == self._first.name else f"{error.provider}: {error.reason}"


def _unusable(error: ProviderError) -> ModelUnusable:
    before = f" Asked before it: {'; '.join(error.tried)}." if error.tried else ""
    message = f"{error.provider} cannot be used: {error.reason.rstrip('.')}.{before}"
    return ModelUnusable(message, error.action or "Try again later, or name another model.")
