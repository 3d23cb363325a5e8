"""One thinker for the stages that a fork shares with its origin, another for those that it makes anew."""

from collections.abc import Collection, Sequence

from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import Doubt, Pair, Part, Thinker


class Staged:
    """Asks `before` for the steps that a fork shares, as whoever thought then, and `after` for those it makes anew.

    Which is which, the first part of a step's key tells.
    """

    def __init__(self, before: Thinker, after: Thinker, redone: Collection[str]) -> None:
        """`redone`: what the keys of steps begin with that are made anew."""
        self._before = before
        self._after = after
        self._redone = frozenset(redone)

    @property
    def name(self) -> str:
        """Of the thinker that the fork was begun with."""
        return self._after.name

    @property
    def paragraph_claims(self) -> int:
        """See `Thinker.paragraph_claims`; writing is always made anew."""
        return self._after.paragraph_claims

    def _of(self, at: At) -> Thinker:
        return self._after if at.key.partition("/")[0] in self._redone else self._before

    async def plan(self, brief: Brief, parts: int, queries: int, at: At) -> Plan:
        """See `Thinker.plan`."""
        return await self._of(at).plan(brief, parts, queries, at)

    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, at: At
    ) -> Reading:
        """See `Thinker.read`."""
        return await self._of(at).read(brief, sub_question, passages, limit, at)

    async def judge(self, brief: Brief, claims: Sequence[Claim], at: At) -> Sequence[Judgement]:
        """See `Thinker.judge`."""
        return await self._of(at).judge(brief, claims, at)

    async def compare(self, brief: Brief, pairs: Sequence[Pair], at: At) -> Sequence[Comparison]:
        """See `Thinker.compare`."""
        return await self._of(at).compare(brief, pairs, at)

    async def assess(self, brief: Brief, parts: Sequence[Part], queries: int, at: At) -> Assessment:
        """See `Thinker.assess`."""
        return await self._of(at).assess(brief, parts, queries, at)

    async def outline(self, brief: Brief, parts: Sequence[Part], at: At) -> Outline:
        """See `Thinker.outline`."""
        return await self._of(at).outline(brief, parts, at)

    async def write(self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], at: At) -> Sequence[Sentence]:
        """See `Thinker.write`."""
        return await self._of(at).write(brief, section, claims, at)

    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, at: At
    ) -> Sequence[Sentence]:
        """See `Thinker.conclude`."""
        return await self._of(at).conclude(brief, sections, claims, max_chars, at)

    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], at: At) -> Critique:
        """See `Thinker.critique`."""
        return await self._of(at).critique(brief, draft, claims, at)

    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], at: At
    ) -> WrittenSection:
        """See `Thinker.revise`."""
        return await self._of(at).revise(brief, section, critique, claims, at)

    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], at: At
    ) -> Sequence[Sentence]:
        """See `Thinker.repair`."""
        return await self._of(at).repair(brief, doubts, claims, at)

    async def direct(self, brief: Brief, at: At) -> str:
        """See `Thinker.direct`."""
        return await self._of(at).direct(brief, at)
