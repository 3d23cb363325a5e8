# ruff: noqa: ARG002 -- the port hands over more than words alone can use
"""The engine without a model: deterministic, on this machine, for nothing."""

from collections.abc import Sequence

from typing_extensions import override

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import Doubt, Pair, SubQuestionEvidence, Thinker
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


class Extractive(Thinker):
    """Thinks by the words alone: splits the question by its form and quotes sentences as they stand.

    The same input always gives the same output. No method waits, spends or raises.
    """

    """All of a section: it orders and joins sentences by what they share, and waits for no one else."""

    @property
    @override
    def paragraph_claims(self) -> int:
        return 60

    @property
    @override
    def name(self) -> str:
        return "extractive"

    @override
    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        return planner.plan(brief, parts, queries)

    @override
    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        return reading.read(brief, sub_question, passages, limit)

    @override
    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        return judging.judge(claims, brief.language)

    @override
    async def compare(self, brief: Brief, pairs: Sequence[Pair], step: Step) -> Sequence[Comparison]:
        return comparing.compare(pairs)

    @override
    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        return assessing.assess(brief, parts, queries)

    @override
    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        return outlining.outline(brief, parts)

    @override
    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        return writing.write(brief, section, claims)

    @override
    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        return concluding.conclude(brief, sections, claims, max_chars)

    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        """Find nothing wrong: what is quoted as it stands has nothing to be mended."""
        return Critique()

    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        """Leave the section as it is."""
        return section

    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        """Drop every doubted sentence: there is no wording of one's own to put in its place."""
        return tuple(Sentence(text="", claim_ids=doubt.sentence.claim_ids) for doubt in doubts)

    async def direct(self, brief: Brief, step: Step) -> str:
        """Nothing: there is no knowledge but what is read."""
        return ""
