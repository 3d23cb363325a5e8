"""Write: a sketch over all facts, sections in parallel, one edit of the whole, and a review with consequences."""

from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from deepresearch_mcp.events import Degraded, EventSink, SectionWritten
from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import MoreEvidence
from deepresearch_mcp.pipeline.report.block_markdown import written_text
from deepresearch_mcp.pipeline.report.editing import (
    all_sentences,
    judged_edit,
    opening_of,
    renamed,
    stated,
)
from deepresearch_mcp.pipeline.report.length import length_of
from deepresearch_mcp.pipeline.report.nearest_passages import NearestPassages
from deepresearch_mcp.pipeline.report.quote_blocks import QuoteBlocks
from deepresearch_mcp.pipeline.report.report_facts import DECISIVE, ReportFacts
from deepresearch_mcp.pipeline.report.reviewing import ReportReview, ReviewedDraft
from deepresearch_mcp.pipeline.report.sectioning import arranged, placed_in, with_cells, with_sound_headings
from deepresearch_mcp.pipeline.report.spot_look import SpotLook
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, SectionDraft, SectionPlan, Sketch
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import EditReport, SketchReport, WriteOpening, WriteSection

ANGLES = (
    "",
    "the answer to the question first, then what it rests on",
    "what is surest and best witnessed first, then what is less so; doubts beside what they touch",
    "in the order of time, or of the steps of what happens, where the facts have one",
    "one subject after the other, all facts on one together, in the fewest words that lose nothing",
)
"""What tells the drafts of one report apart; the first draft is the one that is made where there is only one."""
_OFFERED = 20
"""Decisive facts that no section states, as an editor sees them."""
_SPOTS = 6
"""Thin spots that the stored pages are read again for."""
_BLOCK_TOKENS = 2_000
"""Tokens of text around quotes, for one section."""
_BLOCKS_IN_ALL = 15_000
_BLOCKS_SHARE = 15
"""All sections together get at most this part of the tokens of a run."""
_BLOCKS_IN_ROUNDS = 3_000
"""The same where a client's model writes: all sections together have to fit into one of its rounds."""


@dataclass(frozen=True, slots=True)
class Written:
    """A report before its audit, with every claim that it may rest on."""

    draft: Draft
    claims: Mapping[str, Claim]
    needs: tuple[str, ...]
    trifles: tuple[str, ...] = ()
    """Disputed claims whose difference a reader need not know."""


class ReportWriter:
    """Writes one report from the findings of a run; every call names its subject."""

    def __init__(
        self,
        findings: Findings,
        thinker: Thinker,
        settings: ResearchSettings,
        emit: EventSink,
        more: MoreEvidence,
        *,
        in_rounds: bool = False,
        nearest: NearestPassages | None = None,
    ) -> None:
        """With `in_rounds` each round of questions counts: nothing is read again, proposed or searched for."""
        self._known = ReportFacts(findings, thinker, emit, more, in_rounds=in_rounds)
        self._findings = findings
        self._brief = findings.brief
        self._settings = settings
        self._emit = emit
        self._nearest = nearest
        asked = (self._brief.question, *(part.text for part in findings.sub_questions))
        self._blocks = QuoteBlocks(findings.documents, asked)

    async def write(self) -> Written:
        """The best draft, reviewed.

        Raises:
            KeyRefused: Every later call would fail too.
            ProviderError, BudgetExceeded: No section could be written.
        """
        known = self._known
        known.settle()
        if not known.facts:
            return Written(Draft(title=self._brief.question[:200]), known.claims, self._findings.steps)
        sketch = await self._topped_up(await self._sketched())
        best = await self._reviewed(await self._drafts(sketch), sketch)
        draft, needs = await SpotLook(known, self._nearest).filled(renamed(best.draft, known.claims), best.needs)
        draft = with_sound_headings(draft, known.facts, self._brief.question, self._findings.sub_questions)
        return Written(draft, known.claims, needs, known.standing(sketch.trifles))

    async def _reviewed(self, drafts: Mapping[int, ReviewedDraft], sketch: Sketch) -> ReviewedDraft:
        """The best draft, edited, with what its reviewer asked for.

        The edit mends order, repetition and wording while the reviewer reads the same draft for what it lacks, and
        while that is looked for: neither needs the other, and an edit takes long.
        """
        review = ReportReview(self._known, self._blocks)
        number, best = next(iter(drafts.items()))
        if len(drafts) > 1:
            number, best = await review.best(drafts)
        edited, new = best, list[Claim]()

        async def read() -> None:
            nonlocal best
            if len(drafts) == 1:
                _, best = await review.best(drafts)
            new.extend(await review.asked_for(best))

        async with anyio.create_task_group() as tasks:
            if self._settings.critique:
                tasks.start_soon(read)
            edited = await self._edited(best.draft, sketch, number, best.needs)
        return await review.done(best, edited, new, sketch) if self._settings.critique else edited

    async def answer(self, most: int) -> Written:
        """The direct answer alone, in at most so many characters."""
        known = self._known
        known.settle()
        draft = Draft(title=self._brief.question[:200])
        task = WriteOpening(self._brief, draft, (), known.facts, most)
        said = await known.ask(task, Step(steps.OPENING, self._findings.steps), ())
        bare = tuple(one.model_copy(update={"label": ""}) for one in said)
        draft = renamed(draft.model_copy(update={"in_short": bare}), known.claims)
        return Written(draft, known.claims, (steps.OPENING,))

    async def _sketched(self) -> Sketch:
        known = self._known
        task = SketchReport(self._brief, known.facts, self._findings.documents, known.words)
        return self._arranged(await known.ask(task, Step(steps.SKETCH, self._findings.steps), task.nothing()))

    def _arranged(self, sketch: Sketch) -> Sketch:
        cells = [cell.id for cell in self._brief.scope.cells]
        return arranged(sketch, self._known.facts, self._brief.question, self._findings.sub_questions, cells)

    async def _topped_up(self, sketch: Sketch) -> Sketch:
        """The sketch with what is found for its thin spots: on the stored pages, then by searching for what decides."""
        known = self._known
        spots = sorted(sketch.thin, key=lambda one: not one.decisive)[:_SPOTS]
        found = await known.from_pages(spots, (steps.SKETCH,))
        decisive = {one.missing for one in spots if one.decisive}
        open_still = known.gaps_to_search(lambda gap: gap.missing in decisive)
        found += await known.from_search(open_still, (steps.SKETCH, *self._findings.steps))
        if not found:
            return sketch
        new = known.settle(found)
        plans = [one.model_copy(update={"claim_ids": known.standing(one.claim_ids)}) for one in sketch.sections]
        placed = {name for plan in plans for name in plan.claim_ids}
        fresh = [claim for claim in new if claim.claim_id not in placed]
        positions = tuple(one.model_copy(update={"premises": known.standing(one.premises)}) for one in sketch.positions)
        placed_facts = placed_in(plans, fresh, known.claims)
        return self._arranged(sketch.model_copy(update={"sections": placed_facts, "positions": positions}))

    async def _drafts(self, sketch: Sketch) -> dict[int, ReviewedDraft]:
        found: dict[int, ReviewedDraft] = {}

        async def one(number: int) -> None:
            if draft := await self._draft(sketch, number):
                found[number] = draft

        await anyio.amap(one, range(1, self._brief.request.drafts + 1))
        if found:
            return dict(sorted(found.items()))
        if self._known.failed:
            raise self._known.failed[0]
        raise ProviderError(self._known.thinker.name, "no section of the report could be written")

    async def _draft(self, sketch: Sketch, number: int) -> ReviewedDraft | None:
        """One draft; None where no section of it could be written."""
        known, plans = self._known, sketch.sections
        in_all = min(_BLOCKS_IN_ALL, self._brief.request.shape.max_tokens // _BLOCKS_SHARE)
        in_all = min(in_all, _BLOCKS_IN_ROUNDS) if known.in_rounds else in_all
        room = min(_BLOCK_TOKENS, in_all // max(1, len(plans)))
        keys = [steps.section(number, at, plan.heading, plan.claim_ids) for at, plan in enumerate(plans)]
        parts = [plan.claim_ids for plan in plans]

        async def section(at: int) -> SectionDraft:
            plan = plans[at].model_copy(update={"angle": ANGLES[(number - 1) % len(ANGLES)]})
            facts = [known.claims[name] for name in plan.claim_ids]
            task = WriteSection(
                self._brief,
                plan,
                sketch,
                facts,
                await self._blocks.around(facts, room),
                self._findings.documents,
                known.share(facts, parts),
                may_propose=not known.in_rounds,
            )
            done = await known.ask(task, Step(keys[at], (steps.SKETCH, *self._findings.steps)), task.nothing())
            self._emit(SectionWritten(plan.heading, plan.claim_ids, written_text(done.section)))
            return done

        written = list(await anyio.amap(section, range(len(plans))))
        if all(one.by_rule for one in written):
            return None
        sections = await known.sections_of(dict(enumerate(written)))
        draft = Draft(
            title=sketch.title,
            in_short=opening_of(sketch.positions, self._brief.scope.deliverables),
            described=sketch.described,
            sections=tuple(sections.values()),
        )
        return ReviewedDraft(renamed(draft, known.claims), tuple(keys))

    async def _edited(self, draft: Draft, sketch: Sketch, number: int, needs: tuple[str, ...]) -> ReviewedDraft:
        known = self._known
        facts = stated(all_sentences(draft), known.claims)
        decisive = [one for one in known.unused(facts) if one.weight >= DECISIVE][:_OFFERED]
        # An editor fills the cells that a table left empty.
        told = SectionPlan(heading="", form="table", claim_ids=tuple(one.claim_id for one in (*facts, *decisive)))
        (told,) = with_cells([told], known.facts, [cell.id for cell in self._brief.scope.cells])
        documents = self._findings.documents
        task = EditReport(
            self._brief,
            draft,
            sketch.positions,
            [known.claims[name] for name in told.claim_ids],
            documents,
            known.words,
        )
        key = steps.edit(number)
        edited = await known.ask(task, Step(key, needs), draft)
        short = length_of(self._brief) == "brief"
        # Facts may have been settled anew meanwhile.
        draft = renamed(draft, known.claims)
        held = judged_edit(draft, renamed(edited, known.claims), known.claims, brief=short)
        if not held.kept:
            self._emit(Degraded("The edit of the report left out too much of a section; it stands as it was written."))
        return ReviewedDraft(held.draft, (*needs, key), held.lost)
