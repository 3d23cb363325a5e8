"""The engine without a model: deterministic, on this machine, at no cost."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.thinkers.base import EXTRACTIVE, Handler, Handlers, Thinker, ThinkerTask
from deepresearch_mcp.thinkers.extractive import (
    assessing,
    comparing,
    judging,
    planner,
    reading,
)
from deepresearch_mcp.thinkers.tasks import (
    AssessCoverage,
    ConsolidateClaims,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
)

R = TypeVar("R")


async def _plan(task: PlanResearch) -> Plan:
    return planner.plan(task.brief, task.parts, task.queries)


async def _read(task: ReadPassages) -> Reading:
    return reading.read(task.brief, task.sub_question, task.passages, task.limit, task.pages)


async def _judge(task: JudgeClaims) -> Sequence[Judgement]:
    return judging.judge(task.claims, task.brief.language)


async def _consolidate(task: ConsolidateClaims) -> Sequence[Comparison]:
    return comparing.compare([pair for cluster in task.clusters for pair in combinations(cluster, 2)])


async def _assess(task: AssessCoverage) -> Assessment:
    return assessing.assess(task.brief, task.parts, task.queries)


HANDLERS = (
    PlanResearch.by(_plan),
    ReadPassages.by(_read),
    JudgeClaims.by(_judge),
    ConsolidateClaims.by(_consolidate),
    AssessCoverage.by(_assess),
)
"""The rules for each kind of task. Elsewhere the answer is the task's `nothing`: quoted sentences need no mending."""


class Extractive(Thinker):
    """Thinks by the words alone: splits the question by its form and quotes sentences as they stand.

    The same task always gets the same answer. It never waits, spends or raises.
    """

    def __init__(self, *handlers: Handler[[]]) -> None:
        """`handlers`: count before the rules of this engine."""
        self._handlers = Handlers(*HANDLERS, *handlers)

    @property
    @override
    def name(self) -> str:
        return EXTRACTIVE

    @override
    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        if handle := self._handlers.find(task):
            return await handle(task)
        nothing = task.nothing()
        return nothing if nothing is not None else await self._handlers.of(task)(task)
