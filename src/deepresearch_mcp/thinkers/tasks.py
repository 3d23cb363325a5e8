"""What a thinker is asked: one class for each kind of task; those of the last readers are in `audit_tasks`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from typing_extensions import override

from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Hypothesis, Plan, SubQuestion, most_hypotheses
from deepresearch_mcp.records.report import (
    Block,
    Draft,
    GapCheck,
    Position,
    Review,
    SectionDraft,
    SectionPlan,
    Sentence,
    Sketch,
    SpotFill,
    WrittenSection,
)
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.thinkers.base import AskedGap, OpenSpot, SubQuestionEvidence, ThinkerTask


@dataclass(frozen=True, slots=True)
class PlanResearch(ThinkerTask[Plan]):
    """Say what is asked for, and plan at most `parts` sub-questions with about `queries` search queries in all."""

    parts: int
    queries: int

    @property
    def hypotheses(self) -> int:
        """How many statements to test the planner may write down."""
        return most_hypotheses(self.parts)

    name = "plan"
    doing = "plan the research"
    decides = True
    stops_at_ceiling = True


@dataclass(frozen=True, slots=True)
class ReadPassages(ThinkerTask[Reading]):
    """Take from the passages the claims that help to answer the sub-question, at most `limit`, and leads to more."""

    sub_question: SubQuestion
    passages: Sequence[Passage]
    limit: int
    hypotheses: Sequence[Hypothesis] = ()
    """What to confirm, correct or refute; no evidence for anything."""
    pages: Mapping[str, DocumentCard] = field(default_factory=lambda: MappingProxyType(dict[str, DocumentCard]()))
    """The pages of the passages, by source id: their dates and links."""
    others: Sequence[SubQuestion] = ()
    """More sub-questions that some of the passages were chosen for."""

    name = "read"
    doing = "read passages"
    decides = True
    stops_at_ceiling = True
    stops_at_refusal = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.passages

    @override
    def nothing(self) -> Reading:
        return Reading()


@dataclass(frozen=True, slots=True)
class JudgeClaims(ThinkerTask[Sequence[Judgement]]):
    """Give each claim a verdict, from the claim and the context of its quotes alone.

    A claim without a readable verdict is not among the judgements.
    """

    claims: Sequence[Claim]

    name = "judge"
    doing = "check claims"
    instead = "rules alone judged them"
    decides = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.claims

    @override
    def nothing(self) -> Sequence[Judgement]:
        return ()


@dataclass(frozen=True, slots=True)
class AssessCoverage(ThinkerTask[Assessment]):
    """Say which points of the brief the claims leave open, with follow-up queries for about `queries` searches.

    With 0 queries the searching has ended, and only what is open is told.
    """

    parts: Sequence[SubQuestionEvidence]
    queries: int

    name = "assess"
    doing = "weigh the evidence"
    decides = True
    stops_at_ceiling = True


@dataclass(frozen=True, slots=True)
class ConsolidateClaims(ThinkerTask[Sequence[Comparison]]):
    """Say which claims of each cluster state one fact, or a part of another's, and which contradict each other."""

    clusters: Sequence[Sequence[Claim]]

    name = "consolidate"
    doing = "find claims that state one fact"
    takes_a_round = True
    instead = "claims were joined by their words alone"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.clusters

    @override
    def nothing(self) -> Sequence[Comparison]:
        return ()


@dataclass(frozen=True, slots=True)
class SketchReport(ThinkerTask[Sketch]):
    """Decide what the report says: a position for every deliverable, and the sections that carry them."""

    facts: Sequence[Claim]
    sources: Mapping[str, DocumentCard]
    words: int
    more: int = 0
    """Facts beyond these, left out for lack of room."""

    name = "sketch"
    doing = "sketch the report"
    instead = "the sub-questions became its sections"

    @override
    def nothing(self) -> Sketch:
        parts: dict[str, list[Claim]] = {}
        for fact in self.facts:
            parts.setdefault(fact.sub_question, []).append(fact)
        sections = (
            SectionPlan(
                # The stage gives a section without a heading the words of its sub-question.
                heading="",
                sub_questions=(name,),
                claim_ids=tuple(fact.claim_id for fact in own),
            )
            for name, own in parts.items()
        )
        return Sketch(title=self.brief.question[:200], sections=tuple(sections))


@dataclass(frozen=True, slots=True)
class WriteSection(ThinkerTask[SectionDraft]):
    """Write one section from its facts and the words around their quotes."""

    section: SectionPlan
    sketch: Sketch
    facts: Sequence[Claim]
    blocks: Sequence[Passage]
    """What stands around the quotes of the facts; `passage_id` is `SOURCE_ID:START`."""
    sources: Mapping[str, DocumentCard]
    words: int
    present: WrittenSection | None = None
    """The section as it stands, where it is written again."""
    note: str = ""
    """What a reviewer wants of it."""
    may_propose: bool = True
    """Whether claims of the writer's own can still be checked."""

    name = "section"
    doing = "write a section"
    instead = "its facts stand there in their own words"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.facts

    @override
    def nothing(self) -> SectionDraft:
        if self.present:
            return SectionDraft(section=self.present, by_rule=True)
        rows = tuple((Sentence(text=fact.text, claim_ids=(fact.claim_id,)),) for fact in self.facts)
        blocks = (Block(kind="list", rows=rows),) if rows else ()
        return SectionDraft(section=WrittenSection(heading=self.section.heading, blocks=blocks), by_rule=True)


@dataclass(frozen=True, slots=True)
class WriteOpening(ThinkerTask[Sequence[Sentence]]):
    """Answer every deliverable, from the report as it stands; without sections from the facts."""

    draft: Draft
    positions: Sequence[Position]
    facts: Sequence[Claim]
    max_chars: int = 0
    """0: as long as the answer needs."""
    note: str = ""
    """What a reviewer wants of it."""

    name = "opening"
    doing = "write the direct answer"
    instead = "the best founded claims are the answer"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.facts

    @override
    def nothing(self) -> Sequence[Sentence]:
        return self.draft.in_short


@dataclass(frozen=True, slots=True)
class EditReport(ThinkerTask[Draft]):
    """Edit the whole text once, marks kept, and write the opening that answers every deliverable."""

    draft: Draft
    positions: Sequence[Position]
    facts: Sequence[Claim]
    """What the draft states, and what decides and it does not state."""
    sources: Mapping[str, DocumentCard]
    words: int

    name = "edit"
    doing = "edit the report"
    instead = "its sections stand as they were written"

    @property
    @override
    def is_moot(self) -> bool:
        return not self.draft.sections

    @override
    def nothing(self) -> Draft:
        return self.draft


@dataclass(frozen=True, slots=True)
class ReviewReport(ThinkerTask[Review]):
    """Say what has to change before the report goes out."""

    draft: Draft
    unused: Sequence[Claim]
    """What matters and no sentence states, the most decisive first."""
    thin: Sequence[str]
    """What is thin or open, in words."""
    queries: int
    """How many queries it may ask for."""

    name = "review"
    doing = "review the report"
    instead = "rules alone held the draft to its claims"
    takes_a_round = True

    @override
    def nothing(self) -> Review:
        return Review()


class AnswerDirectly(ThinkerTask[str]):
    """Answer from the model's own knowledge; an empty text says that it has none."""

    name = "direct"
    doing = "answer directly"
    stops_at_ceiling = True

    @override
    def nothing(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class CheckGaps(ThinkerTask[Sequence[GapCheck]]):
    """Say of each gap whether the report answers it, and what is left of it."""

    gaps: Sequence[AskedGap]

    name = "gap_check"
    doing = "compare what is told as open with the report"
    takes_a_round = True
    stops_at_ceiling = True
    stops_at_refusal = True

    @property
    @override
    def is_moot(self) -> bool:
        return not self.gaps

    @override
    def nothing(self) -> Sequence[GapCheck]:
        return ()


@dataclass(frozen=True, slots=True)
class FillSpots(ThinkerTask[Sequence[SpotFill]]):
    """Say what belongs in each spot that a report leaves open; those that stay open are left out."""

    spots: Sequence[OpenSpot]
    sources: Mapping[str, DocumentCard]

    name = "fill"
    doing = "look up what the report leaves empty"
    stops_at_ceiling = True
    stops_at_refusal = True

    @override
    def nothing(self) -> Sequence[SpotFill]:
        return ()
