"""A research on a made-up web whose thinker pays, on the run's own ledger, what such calls cost in a real run."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from deepresearch_mcp.budget import Amount
from deepresearch_mcp.llm.metering import Meter
from deepresearch_mcp.llm.prices import Prices
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.evidence import Assessment, Claim, ClaimDraft, FollowUp, OpenPoint, Reading
from deepresearch_mcp.records.plan import Brief, Deliverable, Plan, Scope, SubQuestion
from deepresearch_mcp.records.report import Review
from deepresearch_mcp.records.sources import Document, Hit, Passage, Query
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldSentences, RepairSentences
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, ThinkerTask
from deepresearch_mcp.thinkers.tasks import (
    AssessCoverage,
    ConsolidateClaims,
    EditReport,
    JudgeClaims,
    ReadPassages,
    ReviewReport,
    SketchReport,
    WriteOpening,
    WriteSection,
)
from pipeline_fakes import FakeEngine, ScriptedThinker, hit, page, part
from research_world import World, world

T = TypeVar("T")

SUBJECTS = ("Alpha", "Omega")
ASPECTS = ("storage", "locking", "indexing", "backup")
HIDDEN = "s2a3"
"""The cell whose pages only a query of its own finds."""
_ROLES: Mapping[str, Role] = {
    "plan": "planner",
    "read": "reader",
    "judge": "verifier",
    "hold": "verifier",
    "again": "verifier",
    "hold_judgements": "verifier",
    "compare": "verifier",
    "consolidate": "verifier",
    "assess": "analyst",
    "review": "critic",
}
_BOUND = 1.6
"""What is held for a call, beside what goes in."""


def _passages(passages: Sequence[Passage]) -> int:
    return sum(len(one.text) for one in passages) // 4


def cost_of(task: ThinkerTask[Any]) -> tuple[int, int]:
    """Tokens in and out of a call, as they were measured in a standard run with real readers."""
    match task:
        case ReadPassages():
            shown = _passages(task.passages)
            return 1_000 + round(1.35 * shown), round(0.43 * shown)
        case HoldJudgements():
            return 700 + 200 * len(task.statements), 40 * len(task.statements)
        case HoldSentences():
            return 600 + 180 * len(task.claims), 20 * len(task.claims)
        case JudgeClaims():
            return 700 + 150 * len(task.claims), 25 * len(task.claims)
        case AssessCoverage():
            return 1_300 + 27 * sum(len(one.claims) for one in task.parts), 900
        case ConsolidateClaims():
            return 500 + 35 * sum(map(len, task.clusters)), 200
        case SketchReport():
            return 1_200 + 55 * len(task.facts), 1_000 + 8 * len(task.facts)
        case WriteSection():
            sketched = sum(len(one.claim_ids) for one in task.sketch.sections)
            return 1_500 + 5 * sketched + _passages(task.blocks) + 55 * len(task.facts), round(1.6 * task.words)
        case EditReport():
            return 1_000 + 45 * len(task.facts) + round(1.6 * task.words), round(1.6 * task.words)
        case ReviewReport():
            return 4_000 + 35 * len(task.unused), 900
        case RepairSentences():
            return 600 + 250 * len(task.doubts), 60 * len(task.doubts)
        case WriteOpening():
            return 6_000, 800
        case _:
            return 1_500, 500


@dataclass
class Payer:
    """Wraps a thinker: each task is paid on the ledger before it is done, with its bound first."""

    inner: ScriptedThinker
    meter: Meter
    factor: float = 1.0
    """How much more than in that run everything costs."""
    spent: Counter[str] = field(default_factory=Counter[str])
    refused: list[str] = field(default_factory=list[str])
    paragraph_claims = 0

    @property
    def name(self) -> str:
        return self.inner.name

    async def ask(self, task: ThinkerTask[T], step: Step) -> T:
        role = _ROLES.get(task.name, "writer")
        if isinstance(task, AssessCoverage) and not task.queries:
            role = "verifier"
        sent, written = (round(self.factor * one) for one in cost_of(task))
        try:
            held = await self.meter.reserve(Amount(tokens=round(_BOUND * sent + 1.5 * written + 300)), role)
        except Exception:
            self.refused.append(task.name)
            raise
        try:
            return await self.inner.ask(task, step)
        finally:
            held.settle(Amount(tokens=sent + written))
            self.spent[task.name] += sent + written


def _text(subject: str, aspect: str, number: int, length: int) -> str:
    facts = (
        f"{subject} keeps its {aspect} rule {number}x{at} at {at + 3} units because part {number}p{at} needs it."
        for at in range(length)
    )
    return "\n\n".join(
        f"## {subject} {aspect} chapter {at}\n\n{' '.join(group)}" for at, group in enumerate(_grouped(list(facts), 12))
    )


def _grouped(items: list[str], size: int) -> list[list[str]]:
    return [items[at : at + size] for at in range(0, len(items), size)]


def the_web(pages_of_cell: int = 6, length: int = 140) -> dict[str, list[Document]]:
    """The pages of each cell."""
    return {
        f"s{row}a{column}": [
            page(
                f"https://{subject}{number}.example/{aspect}".lower(),
                _text(subject, aspect, number, length),
                title=f"{subject} manual, {aspect}",
            )
            for number in range(pages_of_cell)
        ]
        for row, subject in enumerate(SUBJECTS, 1)
        for column, aspect in enumerate(ASPECTS, 1)
    }


SCOPE = Scope(
    deliverables=(
        *(
            Deliverable(id=f"d{at}", kind="comparison", text=f"Alpha and Omega compared on {aspect}")
            for at, aspect in enumerate(ASPECTS, 1)
        ),
        Deliverable(id="d5", kind="recommendation", text="which to take for a small tool"),
    ),
    subjects=SUBJECTS,
    aspects=ASPECTS,
)


def the_plan(width: int = 6) -> Plan:
    """Sub-questions on the first aspects; the others have none, as planners do."""
    parts = tuple(
        part(
            f"q{at}",
            f"How do Alpha and Omega do {ASPECTS[at % 2]} in respect {at}?",
            tuple(f"{subject} {ASPECTS[at % 2]} respect {at} {word}" for subject, word in
                  (("Alpha", "manual"), ("Omega", "manual"), ("Alpha", "figures"))),
            priority="high",
        )
        for at in range(1, width + 1)
    )  # fmt: skip
    return Plan(sub_questions=parts, scope=SCOPE, made_by="scripted")


def _cell(text: str) -> str:
    low = text.lower()
    row = next((at for at, one in enumerate(SUBJECTS, 1) if one.lower() in low), 0)
    column = next((at for at, one in enumerate(ASPECTS, 1) if one in low), 0)
    return f"s{row}a{column}" if row and column else ""


def _read(brief: Brief, part: SubQuestion, passages: Sequence[Passage], limit: int, step: Step) -> Reading:
    """A claim from every twelfth sentence, tagged with its cell."""
    drafts = [
        ClaimDraft(text=said, quote=said, passage_id=one.passage_id, weight=2, covers=(_cell(said),))
        for one in passages
        for span in sentences(one.text)[1::12]
        if _cell(said := one.text[span.start : span.end])
    ]
    return Reading(claims=tuple(drafts[:limit]))


def _assess(brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
    known = Counter(name for one in parts for claim in one.claims for name in claim.covers)
    left = [cell for cell in brief.scope.cells if known[cell.id] < 2]
    return Assessment(
        sufficiency=9 if not left else 5,
        answered=tuple(one.sub_question.id for one in parts if one.claims),
        open=tuple(OpenPoint(point=one.id, missing=f"{one.subject} {one.aspect}") for one in left),
        follow_ups=tuple(
            FollowUp(sub_question="", query=f"{one.subject} {one.aspect} special", point=one.id)
            for one in left
            if queries
        ),
    )


def paying(effort: str = "standard", *, factor: float = 1.0, hides: bool = True, **arguments: Any) -> World:
    """A run of an effort; with `hides` one cell is found only by a query of its own with the word `special`."""
    web = the_web()

    def find(query: Query) -> list[Hit]:
        cell = _cell(query.text)
        if hides and cell == HIDDEN and "special" not in query.text:
            cell = "s1a1"
        own = web.get(cell) or web["s1a1"]
        start = sum(map(ord, query.text)) % len(own)
        return [hit(one.url) for one in (*own[start:], *own[:start])]

    review = Review(worth=8, queries=(FollowUp(sub_question="", query="Omega backup special costs"),))
    inner = ScriptedThinker(plan=the_plan(), read=_read, assess=_assess, review=review)
    ice = world(
        question="Compare Alpha and Omega on storage, locking, indexing and backup, and say which to take.",
        engines=[FakeEngine(find)],
        documents=[one for pages in web.values() for one in pages],
        thinker=inner,
        depth=None,  # type: ignore[arg-type]
        arguments={"effort": effort, **arguments},
        settings={"min_corroborated": 0.0},
    )
    payer = Payer(inner, Meter(ice.ledger, Prices({}), Tally()), factor)
    ice.research._parts = replace(ice.research._parts, thinker=payer)
    ice.thinker = payer
    return ice


def claims_on(ice: World, cell: str) -> list[Claim]:
    """Verified claims that speak of a cell."""
    return [claim for claim in ice.findings.claims if cell in claim.covers]
