"""Review: which draft serves best, and what its reviewer asks for, done once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import anyio

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.report.check_sentence import soundness
from deepresearch_mcp.pipeline.report.editing import all_sentences, loss, positions_now, renamed, stated
from deepresearch_mcp.pipeline.report.gap_check import SpokenOf
from deepresearch_mcp.pipeline.report.gaps import open_gaps
from deepresearch_mcp.pipeline.report.quote_blocks import QuoteBlocks
from deepresearch_mcp.pipeline.report.report_facts import DECISIVE, ReportFacts
from deepresearch_mcp.pipeline.report.rewriting import Rewrite, aligned, plans_of, reordered, rewrites
from deepresearch_mcp.pipeline.report.sectioning import with_cells
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, Review, SectionDraft, SectionPlan, Sketch, WrittenSection
from deepresearch_mcp.thinkers.tasks import ReviewReport, WriteOpening, WriteSection

_QUERIES = 4
"""Queries that a reviewer may ask for."""
_SHRUNK = 0.6
"""Share of the weight of its facts that a section may lose by being written again."""
_BLOCK_TOKENS = 2_500
_GAPS = 6
"""Gaps that a reviewer is told of."""
_TOLD = {"thin": 1, "open": 2}
"""Facts of a draft on a point from which the point is not called so any more."""


@dataclass(frozen=True, slots=True)
class ReviewedDraft:
    """A draft, the steps that it comes from, what its edit lost, and what its reviewer wants."""

    draft: Draft
    needs: tuple[str, ...]
    lost: tuple[Claim, ...] = ()
    review: Review = field(default_factory=Review)


class ReportReview:
    """Has drafts reviewed, chooses one, and does what its reviewer asks for."""

    def __init__(self, known: ReportFacts, blocks: QuoteBlocks) -> None:
        self._known = known
        self._blocks = blocks

    async def best(self, drafts: Mapping[int, ReviewedDraft]) -> tuple[int, ReviewedDraft]:
        """The draft that serves best, by its number, and with its review.

        What counts is its reviewer's mark, times the share of its sentences that a machine finds sound.
        """
        known, reviewed = self._known, dict[int, ReviewedDraft]()

        async def review(number: int) -> None:
            one = drafts[number]
            queries = 0 if known.in_rounds else _QUERIES
            told = self._told(one.draft)
            task = ReviewReport(known.brief, one.draft, known.unused(told), self._thin(told), queries)
            key = steps.review(number)
            found = await known.ask(task, Step(key, one.needs), Review())
            reviewed[number] = replace(one, review=found, needs=(*one.needs, key))

        await anyio.amap(review, list(drafts))
        titles = {name: document.title for name, document in known.findings.documents.items()}

        def worth(number: int) -> tuple[float, int]:
            one = reviewed[number]
            sound = soundness(one.draft, known.claims, titles, known.brief.language)
            return one.review.worth * sound, -number

        first = max(reviewed, key=worth)
        return first, reviewed[first]

    async def done(
        self, best: ReviewedDraft, edited: ReviewedDraft, new: Sequence[Claim], sketch: Sketch
    ) -> ReviewedDraft:
        """The edited draft with what the reviewer of `best`, the same unedited, wants; `new`: what was found for it."""
        known = self._known
        draft, read = renamed(edited.draft, known.claims), renamed(best.draft, known.claims)
        review = aligned(best.review, read, draft, known.claims)
        told = self._told(draft)
        fresh = [one for one in new if one not in told]
        spare = [one for one in known.unused(told, edited.lost) if one.weight >= DECISIVE and one not in fresh]
        plans = plans_of(draft, sketch, known.claims)
        again = self._with_cells(rewrites(draft, review, plans, fresh, known.claims, spare), plans)
        keys = {one.at: steps.section_again(one.at, one.plan.heading, one.note, one.plan.claim_ids) for one in again}
        sketch = sketch.model_copy(update={"positions": positions_now(draft, sketch.positions)})
        outline = sketch.model_copy(update={"sections": tuple(plans)})
        before = tuple(dict.fromkeys((*best.needs, *edited.needs, *known.findings.steps)))
        written = await self._rewritten(again, outline, {at: Step(key, before) for at, key in keys.items()})
        draft = renamed(reordered(draft, review, written), known.claims)
        needs = (*before, *keys.values())
        if review.opening or (written and fresh):
            draft = await self._opened(draft, sketch, review, Step(steps.OPENING, needs))
            needs = (*needs, steps.OPENING)
        return replace(edited, draft=draft, needs=needs)

    async def asked_for(self, best: ReviewedDraft) -> list[Claim]:
        """New claims for what the reviewer misses, for gaps, and for its queries, as far as the room for them goes."""
        known, review, needs = self._known, best.review, best.needs
        # One after the other, as they share that room: what a reviewer misses is searched for first.
        found = await known.from_pages(review.missing, needs)
        found += await known.from_search((*known.gaps_to_search(), *review.queries), (*needs, *known.findings.steps))
        return known.settle(sorted(found, key=lambda one: one.claim_id)) if found else []

    def _with_cells(self, again: Sequence[Rewrite], plans: Sequence[SectionPlan]) -> Sequence[Rewrite]:
        """The rewrites; the one table of a report sees facts on each cell that it leaves open."""
        if sum(plan.form == "table" for plan in plans) > 1:
            return again
        known = self._known
        cells = [cell.id for cell in known.brief.scope.cells]
        return [replace(one, plan=with_cells([one.plan], known.facts, cells)[0]) for one in again]

    def _told(self, draft: Draft) -> list[Claim]:
        return stated(all_sentences(draft), self._known.claims)

    def _thin(self, told: Sequence[Claim]) -> list[str]:
        """What is one-sided, and of what was thin or open that of which little is told now; then the gaps left."""
        scope, assessment = self._known.brief.scope, self._known.findings.assessment
        words = {one.id: one.text for one in scope.deliverables}
        words |= {cell.id: f"{cell.subject}: {cell.aspect}" for cell in scope.cells}
        rows = assessment.coverage if assessment else ()
        spoken = Counter(point for claim in told for point in claim.covers)
        open_ = [
            f"{words[row.point]} ({row.point}): {row.status.replace('_', '-')}"
            for row in rows
            if row.point in words and row.status != "covered"
            # The round may be long past: what was found since is in the draft.
            if row.status == "one_sided" or spoken[row.point] < _TOLD[row.status]
        ]
        known = SpokenOf([claim.text for claim in told])
        gaps = [gap.missing for gap in open_gaps(self._known.findings) if not known.knows(gap.missing)]
        return [*open_, *(f"not found so far: {missing}" for missing in gaps[:_GAPS])]

    async def _rewritten(
        self, again: Sequence[Rewrite], outline: Sketch, own: Mapping[int, Step]
    ) -> dict[int, WrittenSection]:
        """The sections written anew, by their places, with what their writers proposed; none that lost too much."""
        known, done = self._known, dict[int, SectionDraft]()

        async def rewrite(one: Rewrite) -> None:
            done[one.at] = await self._asked_again(one, outline, own[one.at])

        await anyio.amap(rewrite, again)
        sections = await known.sections_of(dict(sorted(done.items())))
        written: dict[int, WrittenSection] = {}
        for one in again:
            section = sections[one.at]
            had = stated(one.present.sentences, known.claims)
            has = {claim.claim_id for claim in stated(section.sentences, known.claims)}
            lost = [claim for claim in had if claim.claim_id not in has]
            if not done[one.at].by_rule and loss(had, lost) <= _SHRUNK:
                written[one.at] = section
        return written

    async def _asked_again(self, one: Rewrite, outline: Sketch, step: Step) -> SectionDraft:
        known = self._known
        facts = [known.claims[name] for name in one.plan.claim_ids]
        parts = [plan.claim_ids for plan in outline.sections]
        task = WriteSection(
            known.brief,
            one.plan,
            outline,
            facts,
            await self._blocks.around(facts, _BLOCK_TOKENS),
            known.findings.documents,
            known.share(facts, parts),
            one.present,
            one.note,
            may_propose=not known.in_rounds,
        )
        return await known.ask(task, step, task.nothing())

    async def _opened(self, draft: Draft, sketch: Sketch, review: Review, step: Step) -> Draft:
        known, told = self._known, self._told(draft)
        named = [known.claims[name] for name in known.standing(review.opening_claim_ids)]
        told += [one for one in named if one not in told]
        task = WriteOpening(known.brief, draft, sketch.positions, told, note=review.opening)
        said = await known.ask(task, step, draft.in_short)
        return renamed(draft.model_copy(update={"in_short": tuple(said) or draft.in_short}), known.claims)
