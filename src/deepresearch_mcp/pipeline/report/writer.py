"""Write: a sketch over all facts, sections in parallel, one edit of the whole, and a review with consequences."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import anyio

from deepresearch_mcp.events import Degraded, EventSink, SectionWritten
from deepresearch_mcp.exceptions import BudgetExceeded, DeepResearchError, KeyRefused, ProviderError
from deepresearch_mcp.injection.screen import may_ask, planted_in
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import MoreEvidence
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.report.audit import soundness
from deepresearch_mcp.pipeline.report.editing import (
    all_sentences,
    judged_edit,
    loss,
    opening_of,
    renamed,
    stated,
    with_paragraphs,
    with_proposals,
)
from deepresearch_mcp.pipeline.report.length import length_of, words_of
from deepresearch_mcp.pipeline.report.quote_blocks import QuoteBlocks
from deepresearch_mcp.pipeline.report.reviewing import Rewrite, plans_of, reordered, rewrites
from deepresearch_mcp.pipeline.report.sectioning import DECISIVE, arranged, placed_in, with_sound_headings
from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import KEPT, Claim, ClaimDraft
from deepresearch_mcp.records.report import (
    Draft,
    Review,
    SectionDraft,
    SectionPlan,
    Sentence,
    Sketch,
    ThinSpot,
    WrittenSection,
)
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker, ThinkerTask
from deepresearch_mcp.thinkers.tasks import EditReport, ReviewReport, SketchReport, WriteOpening, WriteSection

R = TypeVar("R")

ANGLES = (
    "",
    "the answer to the question first, then what it rests on",
    "what is surest and best witnessed first, then what is less so; doubts beside what they touch",
    "in the order of time, or of the steps of what happens, where the facts have one",
    "one subject after the other, all facts on one together, in the fewest words that lose nothing",
)
"""What tells the drafts of one report apart; the first draft is the one that is made where there is only one."""
_BLOCK_TOKENS = 6_000
"""Tokens of text around quotes, for one section."""
_BLOCKS_IN_ALL = 45_000
_QUERIES = 6
"""Queries that a reviewer may ask for."""
_SHRUNK = 0.6
"""Share of the weight of its facts that a section may lose by being written again."""
_SHORTEST = 80
"""Words of a section."""


@dataclass(frozen=True, slots=True)
class Written:
    """A report before its audit, with every claim that it may rest on."""

    draft: Draft
    claims: Mapping[str, Claim]
    needs: tuple[str, ...]


@dataclass(slots=True)
class _Draft:
    """One of the drafts, and what its sentences rest on."""

    draft: Draft
    needs: tuple[str, ...]
    lost: tuple[Claim, ...] = ()
    review: Review = field(default_factory=Review)


class ReportWriter:
    """Writes one report from the findings of a run; every call names its subject.

    With `in_rounds` each round of questions counts: nothing is read again, proposed or searched for.
    """

    def __init__(
        self,
        findings: Findings,
        thinker: Thinker,
        settings: ResearchSettings,
        emit: EventSink,
        more: MoreEvidence,
        *,
        in_rounds: bool = False,
    ) -> None:
        self._findings = findings
        self._brief = findings.brief
        self._thinker = thinker
        self._settings = settings
        self._emit = emit
        self._more = more
        self._in_rounds = in_rounds
        self._claims: dict[str, Claim] = {}
        self._found: dict[str, Claim] = {}
        """Claims that came while the report was written."""
        self._failed: list[DeepResearchError] = []
        asked = (self._brief.question, *(part.text for part in findings.sub_questions))
        self._blocks = QuoteBlocks(findings.documents, asked)

    async def write(self) -> Written:
        """The best draft, reviewed.

        Raises:
            KeyRefused: Every later call would fail too.
            ProviderError, BudgetExceeded: No section could be written.
        """
        self._settle()
        if not self._facts():
            return Written(Draft(title=self._brief.question[:200]), self._claims, self._findings.steps)
        sketch = await self._topped_up(await self._sketched())
        drafts = await self._drafts(sketch)
        best = await self._reviewed(drafts)
        if self._settings.critique:
            best = await self._consequences(best, sketch)
        return Written(self._sound(best.draft), self._claims, best.needs)

    def _sound(self, draft: Draft) -> Draft:
        """The draft with the ids of the claims that stand, and the headings that may."""
        draft = renamed(draft, self._claims)
        return with_sound_headings(draft, self._facts(), self._brief.question, self._findings.sub_questions)

    async def answer(self, most: int) -> Written:
        """The direct answer alone, in at most so many characters."""
        self._settle()
        draft = Draft(title=self._brief.question[:200])
        task = WriteOpening(self._brief, draft, (), self._facts(), most)
        said = await self._ask(task, Step(steps.OPENING, self._findings.steps), ())
        return Written(renamed(draft.model_copy(update={"in_short": tuple(said)}), self._claims), self._claims, ())

    # What is known

    def _settle(self, new: Sequence[Claim] = ()) -> list[Claim]:
        """Take in what the findings hold now, and give the claims that stand for `new` ones."""
        findings = self._findings
        self._found |= {claim.claim_id: claim for claim in new}
        settled = findings.settled()
        known = weigh({**self._found, **settled}, findings.documents, self._brief.question)
        self._claims = dict(known)
        standing = (self._claims[claim.claim_id] for claim in new if claim.claim_id in self._claims)
        return list({claim.claim_id: claim for claim in standing if claim.verdict in KEPT}.values())

    def _facts(self) -> list[Claim]:
        """Each claim that stands, once."""
        kept = (claim for claim in self._claims.values() if claim.verdict in KEPT)
        return list({claim.claim_id: claim for claim in kept}.values())

    @property
    def _documents(self) -> Mapping[str, Document]:
        return self._findings.documents

    def _words(self) -> int:
        return words_of(self._brief, len(self._facts()))

    async def _ask(self, task: ThinkerTask[R], step: Step, instead: R) -> R:
        """Ask; what adds nothing stands in where the thinker cannot be asked."""
        try:
            return await self._thinker.ask(task, step)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded) as error:
            self._failed.append(error)
            self._emit(Degraded(f"Could not {task.doing} ({error.message.rstrip('.')}); {task.instead}."))
            return instead

    async def _gathered(self, ask: Callable[[], Awaitable[Sequence[Claim]]]) -> Sequence[Claim]:
        """New claims; none where they cannot be had."""
        try:
            return await ask()
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded) as error:
            self._failed.append(error)
            return ()

    # Sketch

    async def _sketched(self) -> Sketch:
        task = SketchReport(self._brief, self._facts(), self._documents, self._words())
        sketch = await self._ask(task, Step(steps.SKETCH, self._findings.steps), task.nothing())
        return self._arranged(sketch)

    def _arranged(self, sketch: Sketch) -> Sketch:
        return arranged(sketch, self._facts(), self._brief.question, self._findings.sub_questions)

    async def _topped_up(self, sketch: Sketch) -> Sketch:
        """The sketch with what the stored pages say on its thin spots."""
        if self._in_rounds or not sketch.thin:
            return sketch
        spots = self._askable(sketch.thin)
        new = self._settle(await self._gathered(lambda: self._more.from_pages(spots)) if spots else ())
        standing = tuple(
            plan.model_copy(update={"claim_ids": self._standing(plan.claim_ids)}) for plan in sketch.sections
        )
        placed = {name for plan in standing for name in plan.claim_ids}
        fresh = [claim for claim in new if claim.claim_id not in placed]
        return self._arranged(sketch.model_copy(update={"sections": placed_in(standing, fresh, self._claims)}))

    def _askable(self, spots: Sequence[ThinSpot]) -> list[ThinSpot]:
        """Those whose queries may be asked after pages were read."""
        return [spot for spot in spots if self._may_ask(spot.query)]

    def _may_ask(self, query: str) -> bool:
        pages = self._documents.values()
        unwanted = (page.text[one.start : one.end] for page in pages for one in planted_in(page))
        asked = (self._brief.question, *(part.text for part in self._findings.sub_questions))
        return may_ask(query, (*asked, *(fact.text for fact in self._facts())), unwanted)

    def _standing(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._claims[name].claim_id for name in names if name in self._claims))

    # Sections and edit

    async def _drafts(self, sketch: Sketch) -> dict[int, _Draft]:
        found: dict[int, _Draft] = {}

        async def one(number: int) -> None:
            if draft := await self._draft(sketch, number):
                found[number] = draft

        async with anyio.create_task_group() as group:
            for number in range(1, self._brief.request.drafts + 1):
                group.start_soon(one, number)
        if found:
            return dict(sorted(found.items()))
        if self._failed:
            raise self._failed[0]
        raise ProviderError(self._thinker.name, "no section of the report could be written")

    async def _draft(self, sketch: Sketch, number: int) -> _Draft | None:
        """One draft, edited; None where no section of it could be written."""
        plans = sketch.sections
        angle = ANGLES[(number - 1) % len(ANGLES)]
        room = min(_BLOCK_TOKENS, _BLOCKS_IN_ALL // max(1, len(plans)))
        keys = [steps.section(number, at, plan.heading, plan.claim_ids) for at, plan in enumerate(plans)]

        async def section(at: int) -> SectionDraft:
            plan = plans[at].model_copy(update={"angle": angle})
            facts = [self._claims[name] for name in plan.claim_ids]
            task = WriteSection(
                self._brief, plan, sketch, facts, await self._blocks.around(facts, room), self._documents,
                self._share(facts, plans), may_propose=not self._in_rounds,
            )  # fmt: skip
            done = await self._ask(task, Step(keys[at], (steps.SKETCH, *self._findings.steps)), task.nothing())
            self._emit(SectionWritten(plan.heading))
            return done

        written = list(await anyio.amap(section, range(len(plans))))
        if all(one.by_rule for one in written):
            return None
        sections = await self._located(written)
        opening = opening_of(sketch.positions, self._brief.scope.deliverables)
        draft = Draft(title=sketch.title, in_short=opening, described=sketch.described, sections=sections)
        return await self._edited(renamed(draft, self._claims), sketch, number, tuple(keys))

    def _share(self, facts: Sequence[Claim], plans: Sequence[SectionPlan]) -> int:
        """The words of a section, by the weight of its facts."""
        whole = sum(self._claims[name].weight for plan in plans for name in plan.claim_ids)
        return max(_SHORTEST, round(self._words() * sum(fact.weight for fact in facts) / max(1, whole), -1))

    async def _located(self, written: Sequence[SectionDraft]) -> tuple[WrittenSection, ...]:
        """The sections with the claims that their writers proposed, once these have passed the gates."""
        drafts = {f"{at}.{name}": own for at, one in enumerate(written) for name, own in one.proposed.items()}
        located = await self._proposed(drafts) if drafts else {}
        self._settle(tuple(located.values()))
        return tuple(
            with_proposals(
                one.section,
                {name: claim for name in one.proposed if (claim := located.get(f"{at}.{name}"))},
            )
            for at, one in enumerate(written)
        )

    async def _proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        try:
            return await self._more.proposed(drafts)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded) as error:
            self._failed.append(error)
            return {}

    async def _edited(self, draft: Draft, sketch: Sketch, number: int, needs: tuple[str, ...]) -> _Draft:
        facts = stated(all_sentences(draft), self._claims)
        told = {one.claim_id for one in facts}
        unsaid = [one for one in self._facts() if one.weight >= DECISIVE and one.claim_id not in told]
        task = EditReport(self._brief, draft, sketch.positions, [*facts, *unsaid], self._documents, self._words())
        key = steps.edit(number)
        edited = await self._ask(task, Step(key, needs), draft)
        held = judged_edit(draft, renamed(edited, self._claims), self._claims, brief=length_of(self._brief) == "brief")
        if not held.kept and edited is not draft and edited != draft:
            self._emit(Degraded("The edit of the report lost too much; its sections stand as they were written."))
        return _Draft(held.draft, (*needs, key), held.lost)

    # Review

    async def _reviewed(self, drafts: Mapping[int, _Draft]) -> _Draft:
        """The draft that serves best, with its review; the first where nobody reviews."""
        if not self._settings.critique and len(drafts) == 1:
            return next(iter(drafts.values()))

        async def review(number: int) -> None:
            one = drafts[number]
            facts = stated(all_sentences(one.draft), self._claims)
            task = ReviewReport(
                self._brief, one.draft, facts, self._unused(facts, one.lost), self._thin(),
                0 if self._in_rounds else _QUERIES,
            )  # fmt: skip
            key = steps.review(number)
            one.review = await self._ask(task, Step(key, one.needs), Review())
            one.needs = (*one.needs, key)

        await anyio.amap(review, list(drafts))
        titles = {name: document.title for name, document in self._documents.items()}

        def worth(number: int) -> tuple[float, int]:
            one = drafts[number]
            return one.review.worth * soundness(
                with_paragraphs(one.draft), self._claims, titles, self._brief.language
            ), -number

        return drafts[max(drafts, key=worth)]

    def _unused(self, facts: Sequence[Claim], lost: Sequence[Claim]) -> list[Claim]:
        """What matters and no sentence states: what the edit lost first, then by weight."""
        told, gone = {one.claim_id for one in facts}, {one.claim_id for one in lost}
        rest = [one for one in self._facts() if one.weight >= DECISIVE - 1 and one.claim_id not in told]
        return sorted(rest, key=lambda one: (-one.weight, one.claim_id not in gone, -one.backing, -one.score))

    def _thin(self) -> list[str]:
        """The points that the evidence does not cover, in words."""
        scope, assessment = self._brief.scope, self._findings.assessment
        words = {one.id: one.text for one in scope.deliverables}
        words |= {cell.id: f"{cell.subject}: {cell.aspect}" for cell in scope.cells}
        rows = assessment.coverage if assessment else ()
        return [
            f"{words[row.point]} ({row.point}): {row.status.replace('_', '-')}"
            for row in rows
            if row.point in words and row.status != "covered"
        ]

    async def _consequences(self, best: _Draft, sketch: Sketch) -> _Draft:
        """What the reviewer asked for, once."""
        review = best.review
        new = await self._asked_for(review)
        draft = renamed(best.draft, self._claims)
        facts = {one.claim_id for one in stated(all_sentences(draft), self._claims)}
        fresh = [one for one in new if one.claim_id not in facts]
        spare = [one for one in self._unused(stated(all_sentences(draft), self._claims), ()) if one not in fresh]
        plans = plans_of(draft, sketch, self._claims)
        again = rewrites(draft, review, plans, fresh, self._claims, [one for one in spare if one.weight >= DECISIVE])
        keys = {one.at: self._again_key(one) for one in again}
        outline = replace_sections(sketch, plans)
        written: dict[int, WrittenSection] = {}

        async def rewrite(one: Rewrite) -> None:
            if done := await self._rewritten(one, outline, Step(keys[one.at], best.needs)):
                written[one.at] = done

        await anyio.amap(rewrite, again)
        draft = renamed(reordered(draft, review, written), self._claims)
        needs = (*best.needs, *keys.values())
        if review.opening or (written and fresh):
            draft = await self._opened(draft, sketch, review.opening, needs)
        return replace(best, draft=draft, needs=needs)

    async def _asked_for(self, review: Review) -> list[Claim]:
        """New claims for the reviewer's queries and for what it misses."""
        if self._in_rounds:
            return []
        parts = self._findings.sub_questions
        queries = [
            one if one.sub_question else one.model_copy(update={"sub_question": nearest_sub_question(one.query, parts)})
            for one in review.queries
            if self._may_ask(one.query)
        ]
        missing = self._askable(review.missing)
        found: list[Claim] = []

        async def look(ask: Callable[[], Awaitable[Sequence[Claim]]]) -> None:
            found.extend(await self._gathered(ask))

        async with anyio.create_task_group() as group:
            if queries:
                group.start_soon(look, lambda: self._more.from_search(queries))
            if missing:
                group.start_soon(look, lambda: self._more.from_pages(missing))
        # Sorted: which of both answered first must not change what is written.
        return self._settle(sorted(found, key=lambda one: one.claim_id))

    @staticmethod
    def _again_key(one: Rewrite) -> str:
        return steps.section_again(1, one.at, one.plan.heading, one.note, one.plan.claim_ids)

    async def _rewritten(self, one: Rewrite, sketch: Sketch, step: Step) -> WrittenSection | None:
        """The section written anew; None where that failed or lost too much."""
        facts = [self._claims[name] for name in one.plan.claim_ids]
        blocks = await self._blocks.around(facts, _BLOCK_TOKENS)
        words = max(_SHORTEST, self._share(facts, sketch.sections))
        task = WriteSection(
            self._brief, one.plan, sketch, facts, blocks, self._documents, words, one.present, one.note,
            may_propose=False,
        )  # fmt: skip
        done = await self._ask(task, step, task.nothing())
        had = stated(one.present.sentences, self._claims)
        has = {claim.claim_id for claim in stated(done.section.sentences, self._claims)}
        lost = [claim for claim in had if claim.claim_id not in has]
        return None if done.by_rule or loss(had, lost) > _SHRUNK else done.section

    async def _opened(self, draft: Draft, sketch: Sketch, note: str, needs: tuple[str, ...]) -> Draft:
        facts = stated(all_sentences(draft), self._claims)
        task = WriteOpening(self._brief, draft, sketch.positions, facts, note=note)
        said: Sequence[Sentence] = await self._ask(task, Step(steps.OPENING, needs), draft.in_short)
        return renamed(draft.model_copy(update={"in_short": tuple(said) or draft.in_short}), self._claims)


def replace_sections(sketch: Sketch, plans: Sequence[SectionPlan]) -> Sketch:
    """The sketch with the sections that the draft has now."""
    return sketch.model_copy(update={"sections": tuple(plans)})
