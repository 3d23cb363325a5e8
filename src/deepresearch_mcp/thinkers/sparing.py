"""A thinker that is asked only what must be thought, since each of its rounds counts."""

from collections.abc import Sequence

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import Doubt, Pair, SubQuestionEvidence, Thinker


class FewerCalls(Thinker):
    """Asks `first` to plan, read, judge, assess, write, conclude, repair, and `second` what would take further rounds.

    Which claims are alike, and what is to be better in the draft: each waits for all that came before, and a client
    asked for it would be asked half as often again. What `first` judges it judges of its own work: its judgements
    are marked as such.
    """

    def __init__(self, first: Thinker, second: Thinker) -> None:
        self._first = first
        self._second = second

    @property
    @override
    def name(self) -> str:
        """The first's."""
        return self._first.name

    @property
    @override
    def paragraph_claims(self) -> int:
        return self._first.paragraph_claims

    @override
    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        return await self._first.plan(brief, parts, queries, step)

    @override
    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        return await self._first.read(brief, sub_question, passages, limit, step)

    @override
    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        found = await self._first.judge(brief, claims, step)
        return [one if one.by == "machine" else one.model_copy(update={"by": "self"}) for one in found]

    @override
    async def compare(self, brief: Brief, pairs: Sequence[Pair], step: Step) -> Sequence[Comparison]:
        return await self._second.compare(brief, pairs, step)

    @override
    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        return await self._first.assess(brief, parts, queries, step)

    @override
    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        return await self._first.outline(brief, parts, step)

    @override
    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return await self._first.write(brief, section, claims, step)

    @override
    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        return await self._first.conclude(brief, sections, claims, max_chars, step)

    @override
    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        return await self._second.critique(brief, draft, claims, step)

    @override
    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        return await self._second.revise(brief, section, critique, claims, step)

    @override
    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return await self._first.repair(brief, doubts, claims, step)

    @override
    async def direct(self, brief: Brief, step: Step) -> str:
        return await self._first.direct(brief, step)
