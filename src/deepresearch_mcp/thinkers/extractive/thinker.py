"""The engine without a model: deterministic, on this machine, at no cost."""

from collections.abc import Sequence
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.report import Outline, Sentence
from deepresearch_mcp.thinkers.base import EXTRACTIVE, Handler, Handlers, Thinker, ThinkerTask
from deepresearch_mcp.thinkers.extractive import (
    assessing,
    comparing,
    concluding,
    judging,
    outlining,
    planner,
    reading,
    writing,
)
from deepresearch_mcp.thinkers.tasks import (
    AssessCoverage,
    ComparePairs,
    ConcludeReport,
    JudgeClaims,
    OutlineReport,
    PlanResearch,
    ReadPassages,
    WriteParagraph,
)

R = TypeVar("R")


async def _plan(task: PlanResearch) -> Plan:
    return planner.plan(task.brief, task.parts, task.queries)


async def _read(task: ReadPassages) -> Reading:
    return reading.read(task.brief, task.sub_question, task.passages, task.limit)


async def _judge(task: JudgeClaims) -> Sequence[Judgement]:
    return judging.judge(task.claims, task.brief.language)


async def _compare(task: ComparePairs) -> Sequence[Comparison]:
    return comparing.compare(task.pairs)


async def _assess(task: AssessCoverage) -> Assessment:
    return assessing.assess(task.brief, task.parts, task.queries)


async def _outline(task: OutlineReport) -> Outline:
    return outlining.outline(task.brief, task.parts)


async def _write(task: WriteParagraph) -> Sequence[Sentence]:
    return writing.write(task.brief, task.section, task.claims)


async def _conclude(task: ConcludeReport) -> Sequence[Sentence]:
    return concluding.conclude(task.brief, task.sections, task.claims, task.max_chars)


HANDLERS = (
    PlanResearch.by(_plan),
    ReadPassages.by(_read),
    JudgeClaims.by(_judge),
    ComparePairs.by(_compare),
    AssessCoverage.by(_assess),
    OutlineReport.by(_outline),
    WriteParagraph.by(_write),
    ConcludeReport.by(_conclude),
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

    @property
    @override
    def paragraph_claims(self) -> int:
        """All claims of a section: ordering and joining them costs nothing."""
        return 60

    @override
    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        if handle := self._handlers.find(task):
            return await handle(task)
        nothing = task.nothing()
        return nothing if nothing is not None else await self._handlers.of(task)(task)
