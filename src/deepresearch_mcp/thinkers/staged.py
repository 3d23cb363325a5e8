"""One thinker for the stages that a fork shares with its origin, another for those that it makes anew."""

from collections.abc import Collection, Sequence

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step, kind_named
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import EXTRACTIVE, Doubt, Pair, SubQuestionEvidence, Thinker


def goes_by_rules(thinker: Thinker, step: Step | None = None) -> bool:
    """Whether a thinker works without a model, as a whole or in one step: in a fork that depends on the step."""
    one = thinker.of(step) if step and isinstance(thinker, Staged) else thinker
    return one.name == EXTRACTIVE


class Staged(Thinker):
    """Asks `before`, as the origin did, for the steps that a fork shares, and `after` for those it makes anew.

    The first part of a step's key tells which is which.
    """

    def __init__(self, before: Thinker, after: Thinker, redone: Collection[str]) -> None:
        """`redone`: what the keys of steps begin with that are made anew."""
        self._before = before
        self._after = after
        self._redone = frozenset(redone)

    @property
    @override
    def name(self) -> str:
        """Of the thinker that the fork was begun with."""
        return self._after.name

    @property
    @override
    def paragraph_claims(self) -> int:
        """Writing is always made anew."""
        return self._after.paragraph_claims

    def of(self, step: Step) -> Thinker:
        """The one that does a step."""
        return self._after if kind_named(step.key) in self._redone else self._before

    @override
    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        return await self.of(step).plan(brief, parts, queries, step)

    @override
    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        return await self.of(step).read(brief, sub_question, passages, limit, step)

    @override
    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        return await self.of(step).judge(brief, claims, step)

    @override
    async def compare(self, brief: Brief, pairs: Sequence[Pair], step: Step) -> Sequence[Comparison]:
        return await self.of(step).compare(brief, pairs, step)

    @override
    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        return await self.of(step).assess(brief, parts, queries, step)

    @override
    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        return await self.of(step).outline(brief, parts, step)

    @override
    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return await self.of(step).write(brief, section, claims, step)

    @override
    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        return await self.of(step).conclude(brief, sections, claims, max_chars, step)

    @override
    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        return await self.of(step).critique(brief, draft, claims, step)

    @override
    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        return await self.of(step).revise(brief, section, critique, claims, step)

    @override
    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return await self.of(step).repair(brief, doubts, claims, step)

    @override
    async def direct(self, brief: Brief, step: Step) -> str:
        return await self.of(step).direct(brief, step)
