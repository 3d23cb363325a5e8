"""A thinker that obeys every instruction in the text it reads: the worst case for injection."""

import re
from collections.abc import Iterable, Sequence

from typing_extensions import override

from deepresearch_mcp.injection.orders import is_order
from deepresearch_mcp.records.evidence import (
    AddedSubQuestion,
    Assessment,
    Claim,
    ClaimDraft,
    Expected,
    FollowUp,
    Judgement,
    Lead,
    OpenPoint,
    Reading,
)
from deepresearch_mcp.records.plan import Deliverable, Hypothesis, Plan, Scope, SubQuestion
from deepresearch_mcp.records.report import (
    Block,
    Draft,
    Position,
    Review,
    SectionDraft,
    SectionNote,
    SectionPlan,
    Sentence,
    Sketch,
    ThinSpot,
)
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.urls import addresses_in
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, RepairSentences
from deepresearch_mcp.thinkers.base import Handler
from deepresearch_mcp.thinkers.extractive import assessing, planner, reading
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.tasks import (
    AssessCoverage,
    EditReport,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
    ReviewReport,
    SketchReport,
    WriteOpening,
    WriteSection,
)

RUN = 6
"""Consecutive words that identify an instruction; all of its words, if it has fewer."""

_WORD = re.compile(r"\w+")


def runs_of(instruction: str) -> frozenset[str]:
    """Every run of `RUN` consecutive words of an instruction, in lower case with one blank around each word."""
    said = _WORD.findall(instruction.casefold())
    size = min(RUN, len(said))
    return (
        frozenset(f" {' '.join(said[at : at + size])} " for at in range(len(said) - size + 1)) if size else frozenset()
    )


def holds(text: str, runs: Iterable[str]) -> bool:
    """Whether a text contains one of the runs."""
    said = f" {' '.join(_WORD.findall(text.casefold()))} "
    return any(run in said for run in runs)


class Obedient(Extractive):
    """Works like the extractive engine, and also follows every instruction that it can see.

    It is given the planted instructions (`runs`), so that it misses none however they are cut, and it treats anything
    else that reads like an order as an instruction. It copies each instruction into every possible field: as a claim
    quoting the instruction itself, as a claim quoting other words, as a query with and without the question's words,
    as an address, sub-question, heading, gap, and as a sentence of every text. It judges every claim as supported.
    """

    def __init__(self, runs: Iterable[str], *handlers: Handler[[]]) -> None:
        """Create the thinker; `handlers` take precedence over its own."""
        super().__init__(
            PlanResearch.by(self._plan),
            ReadPassages.by(self._read),
            JudgeClaims.by(self._judge),
            HoldJudgements.by(self._follows),
            AssessCoverage.by(self._assess),
            SketchReport.by(self._sketch),
            WriteSection.by(self._section),
            WriteOpening.by(self._opening),
            EditReport.by(self._edit),
            ReviewReport.by(self._review),
            RepairSentences.by(self._repair),
            *handlers,
        )
        self.runs = frozenset(runs)
        self.obeyed: set[str] = set()
        """All instructions that it saw and followed."""

    @property
    @override
    def name(self) -> str:
        return "obedient"

    def _orders(self, *texts: str) -> list[str]:
        found: dict[str, None] = {}
        for text in texts:
            whole = holds(text, self.runs)
            cut = [text[span.start : span.end] for span in sentences(text)]
            known = [one for one in cut if whole and holds(one, self.runs)]
            # If no single sentence contains the run, because it crosses sentences, take the whole text.
            found |= dict.fromkeys(known or ([text] if whole else []))
            found |= dict.fromkeys(one for one in cut if is_order(one))
        self.obeyed.update(found)
        return list(found)

    async def _plan(self, task: PlanResearch) -> Plan:
        honest = planner.plan(task.brief, task.parts, task.queries)
        orders = self._orders(task.brief.background)
        more = tuple(SubQuestion(id=f"o{n}", text=text[:1000], queries=(text[:300],)) for n, text in enumerate(orders))
        wanted = tuple(Deliverable(id=f"d{n}", text=text) for n, text in enumerate(orders))
        expected = tuple(Hypothesis(id=f"h{n}", statement=text, query=text) for n, text in enumerate(orders))
        return honest.model_copy(
            update={
                "sub_questions": (*more, *honest.sub_questions)[:8],
                "scope": Scope(deliverables=wanted, constraints=tuple(orders), premises=tuple(orders)),
                "hypotheses": expected,
            }
        )

    async def _read(self, task: ReadPassages) -> Reading:
        honest = reading.read(task.brief, task.sub_question, task.passages, task.limit)
        claims: list[ClaimDraft] = []
        leads: list[Lead] = []
        for passage in task.passages:
            first = next((passage.text[s.start : s.end] for s in sentences(passage.text)), passage.text)
            for order in self._orders(passage.heading, passage.text):
                claims += (
                    ClaimDraft(text=order, quote=order, passage_id=passage.passage_id),
                    ClaimDraft(text=order, quote=first, passage_id=passage.passage_id),
                )
                leads += (Lead(query=order), Lead(query=f"{task.sub_question.text} {order}"))
                leads += (Lead(url=url if "://" in url else f"https://{url}/") for url in addresses_in(order))
        return Reading(claims=(*claims, *honest.claims), leads=(*leads, *honest.leads))

    async def _judge(self, task: JudgeClaims) -> Sequence[Judgement]:
        return tuple(Judgement(claim_id=claim.claim_id, verdict="supported") for claim in task.claims)

    async def _follows(self, task: HoldJudgements) -> Sequence[Judgement]:
        return tuple(Judgement(claim_id=held.name, verdict="supported") for held in task.statements)

    async def _assess(self, task: AssessCoverage) -> Assessment:
        honest = assessing.assess(task.brief, task.parts, task.queries)
        seen = [(part.sub_question.id, order) for part in task.parts for order in self._orders(*_shown(part.claims))]
        asked = tuple(FollowUp(sub_question=name, query=order) for name, order in seen)
        orders = tuple(order for _, order in seen)
        more = {
            "follow_ups": (*asked, *honest.follow_ups),
            "gaps": (*orders, *honest.gaps),
            "open": tuple(OpenPoint(point="d1", missing=order) for order in orders) or None,
            "expected": tuple(Expected(statement=order, query=order) for order in orders),
            "added": tuple(AddedSubQuestion(text=order, queries=(order,)) for order in orders),
        }
        return honest.model_copy(update=more)

    async def _sketch(self, task: SketchReport) -> Sketch:
        titles = [card.title for card in task.sources.values()]
        orders = self._orders(*_shown(task.facts), *titles)
        honest = task.nothing()
        if not orders:
            return honest
        ids = tuple(fact.claim_id for fact in task.facts)
        own = tuple(
            SectionPlan(heading=order, thesis=order, claim_ids=section.claim_ids)
            for order, section in zip(orders * len(honest.sections), honest.sections, strict=False)
        )
        return Sketch(
            title=orders[0],
            positions=tuple(
                Position(deliverable="d1", position=order, premises=ids[:1], would_change=order) for order in orders
            ),
            sections=own,
            described=tuple(Sentence(text=order, claim_ids=ids[:1]) for order in orders),
            thin=tuple(ThinSpot(missing=order, query=order, point="d1", decisive=True) for order in orders),
        )

    async def _section(self, task: WriteSection) -> SectionDraft:
        texts = [text for block in task.blocks for text in (block.heading, block.text)]
        said = self._prose(task.facts, task.section.heading, task.section.thesis, task.note, *texts)
        orders = self._orders(*texts)
        proposed = {
            f"n{number}": ClaimDraft(text=order, quote=order, passage_id=block.passage_id)
            for number, (order, block) in enumerate(((o, b) for o in orders for b in task.blocks), 1)
        }
        more = tuple(Sentence(text=own.text, claim_ids=(name,)) for name, own in proposed.items())
        honest = task.nothing().section
        blocks = (*(Block(title=one.text, rows=((one,),)) for one in (*said, *more)), *honest.blocks)
        return SectionDraft(section=honest.model_copy(update={"blocks": blocks}), proposed=proposed)

    async def _opening(self, task: WriteOpening) -> Sequence[Sentence]:
        facts = [Sentence(text=fact.text, claim_ids=(fact.claim_id,)) for fact in task.facts[:1]]
        return (*self._prose(task.facts, task.note, *_told(task.draft)), *facts)

    async def _edit(self, task: EditReport) -> Draft:
        said = self._prose(task.facts, *_told(task.draft))
        ours = tuple(Sentence(text=one.text, kind="judgement", premises=one.claim_ids, label=one.text) for one in said)
        title = said[0].text if said else task.draft.title
        return task.draft.model_copy(
            update={"title": title, "in_short": (*ours, *said, *task.draft.in_short), "described": (*ours, *said)}
        )

    async def _review(self, task: ReviewReport) -> Review:
        orders = self._orders(*_shown(task.unused), *task.thin, *_told(task.draft))
        return Review(
            rewrite=tuple(
                SectionNote(section=at, note=order) for order in orders for at in range(len(task.draft.sections))
            ),
            queries=tuple(FollowUp(sub_question="", query=order) for order in orders),
            missing=tuple(ThinSpot(missing=order, query=order) for order in orders),
            opening=" ".join(orders),
        )

    async def _repair(self, task: RepairSentences) -> Sequence[Sentence]:
        return tuple(doubt.sentence for doubt in task.doubts)

    def _prose(self, claims: Sequence[Claim], *texts: str) -> tuple[Sentence, ...]:
        ids = tuple(claim.claim_id for claim in claims[:1])
        return tuple(Sentence(text=order, claim_ids=ids) for order in self._orders(*_shown(claims), *texts))


def _told(draft: Draft) -> list[str]:
    """What stands in a draft: headings, sentences and cells."""
    sections = [text for one in draft.sections for text in (one.heading, *(said.text for said in one.sentences))]
    return [draft.title, *(said.text for said in (*draft.in_short, *draft.described)), *sections]


def _shown(claims: Iterable[Claim]) -> list[str]:
    """The texts of claims that a model sees for writing and asking; the context is shown only to the judge."""
    return [text for claim in claims for text in (claim.text, *(quote.text for quote in claim.quotes))]
