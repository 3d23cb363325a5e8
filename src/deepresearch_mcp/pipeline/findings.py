"""Findings: what a research has brought together so far. A report can be made of them at any moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.numbering import QuotePlace
from deepresearch_mcp.pipeline.placing import assign_claims, nearest_sub_question, twins
from deepresearch_mcp.pipeline.same_fact import with_what_it_stands_for
from deepresearch_mcp.pipeline.scope import default_plan
from deepresearch_mcp.pipeline.settling import settle
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.records.assessment import GateCheck, RoundAssessment
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Draft, Gap, GapCheck, Removed
from deepresearch_mcp.records.sources import Document, EngineFailure, Searched, Unread
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

WHOLE_QUESTION = "q0"
"""The id of the question as a whole, which is searched before there is a plan."""


@dataclass(frozen=True, slots=True)
class DigestPart:
    """How many passages a digest shows for one sub-question."""

    sub_question: str
    text: str
    passages: int


@dataclass(slots=True)
class Findings:
    """Grows while a research runs. Nothing is removed from it, except unsupported sentences of the draft."""

    brief: Brief
    plan: Plan | None = None
    states: dict[str, SubQuestionState] = field(default_factory=dict[str, SubQuestionState])
    assessment: Assessment | None = None
    rounds: int = 0
    draft: Draft = field(default_factory=lambda: Draft(title=""))
    direct: str = ""
    """An answer from the model's own knowledge, where no research was asked for."""
    removed: tuple[Removed, ...] = ()
    repaired: int = 0
    """Sentences that the audit repaired."""
    restored: int = 0
    """How many of the removed sentences were replaced by the words of their claims."""
    digest: tuple[DigestPart, ...] = ()
    """The sub-questions of a digest; empty for a report that a model wrote."""
    nearest_only: bool = False
    """The digest shows what comes nearest, as no passage answers."""
    passages: dict[str, Claim] = field(default_factory=dict[str, Claim])
    """What a digest cites, by claim id."""
    by_rule: str = ""
    """`write` where the last resort wrote the report; empty where it did not."""
    places: frozenset[QuotePlace] | None = None
    """The places that the report may cite; None: all."""
    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    unread: Sequence[Unread] = ()
    failures: Sequence[EngineFailure] = ()
    searched: Sequence[Searched] = ()
    """Queries that were answered, with how many hits."""
    engines: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    returned: Mapping[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Engines that returned a page, by normalised address."""
    scale: Scale = field(default_factory=own_scale)
    """What sources are graded by."""
    grader: Grader | None = None
    """The run's own grader, which has graded most of its pages already."""
    ceiling: str = ""
    """The ceiling that cut planned work short, if one did."""
    used_up: str = ""
    """The ceiling whose share for research ended the rounds, if one did: what was planned at first had been done."""
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    """Sub-questions that were not asked, or not asked again, each with the ceiling that was the reason."""

    enough: bool = False
    """No further round was wanted."""
    assessed: list[RoundAssessment] = field(default_factory=list[RoundAssessment])
    """How each round was assessed."""
    ended: str = ""
    """A sentence that says why no further round was made; empty if all were made or a ceiling cut them short."""
    gate: tuple[GateCheck, ...] = ()
    """What the research is held against, at its end."""
    consolidated: tuple[Comparison, ...] = ()
    """Which claims state one fact, or contradict each other, as one look at all of them found."""
    gaps: list[Gap] = field(default_factory=list[Gap])
    """What the report lacks, and what was tried for it."""
    gap_checks: tuple[GapCheck, ...] = ()
    """How these stand beside the finished report; empty where no model has said it."""

    @property
    def cut_short(self) -> bool:
        """Whether the report is partial: a ceiling cut planned work, or half of what was asked is not answered."""
        return bool(self.ceiling) or self.answers_nothing or self.answers_half

    @property
    def answers_nothing(self) -> bool:
        """Whether the report has nothing that answers the question."""
        return self.nearest_only or not (self.direct or self.draft.sections or self.draft.in_short)

    @property
    def answers_half(self) -> bool:
        """Whether a digest has a passage for half of its sub-questions or fewer, and none for all of them together."""
        answered = sum(part.passages > 0 for part in self.digest)
        whole = any(claim.sub_question == WHOLE_QUESTION for claim in self.passages.values())
        return bool(self.digest) and 2 * answered <= len(self.digest) and not (whole or self.draft.in_short)

    @property
    def worth_writing(self) -> bool:
        """Whether there is anything to write up, where no model can be used."""
        return bool(self.claims)

    def meet(self, ceiling: str) -> None:
        """Keep the first ceiling that was met; "" changes nothing."""
        self.ceiling = self.ceiling or ceiling

    def use_up(self, ceiling: str) -> None:
        """Keep the ceiling that left no room for more research: only in the first round does that cut planned work."""
        if self.rounds > 1:
            self.used_up = self.used_up or ceiling
        else:
            self.meet(ceiling)

    def of(self, sub_question: str) -> SubQuestionState:
        """The state of one sub-question, which its workers fill."""
        return self.states.setdefault(sub_question, SubQuestionState())

    @property
    def sub_questions(self) -> tuple[SubQuestion, ...]:
        """The sub-questions of the plan; the question itself while there is no plan."""
        return (self.plan or default_plan(self.brief)).sub_questions

    @property
    def whole(self) -> SubQuestion:
        """The question as a whole."""
        return SubQuestion(id=WHOLE_QUESTION, text=self.brief.question[:1000], priority="low")

    @property
    def parts(self) -> list[SubQuestionEvidence]:
        """The sub-questions of the plan with their claims; what was read for the whole question comes last."""
        return [
            SubQuestionEvidence(
                one,
                tuple(self.of(one.id).claims),
                tried=tuple(self.of(one.id).tried),
                leads=tuple(sorted(set(self.of(one.id).leads))),
            )
            for one in (*self.sub_questions, self.whole)
        ]

    @property
    def claims_by_sub_question(self) -> list[SubQuestionEvidence]:
        """The sub-questions of the plan, each with the claims and leads that fit it best."""
        standing = {claim.claim_id: claim for claim in self.settled().values()}
        placed = assign_claims(list(standing.values()), self.sub_questions)
        *parts, whole = self.parts
        led = [(lead, nearest_sub_question(lead, self.sub_questions)) for lead in whole.leads]
        return [
            replace(
                part,
                claims=tuple(placed[part.sub_question.id]),
                leads=(*part.leads, *(lead for lead, name in led if name == part.sub_question.id)),
            )
            for part in parts
        ]

    @property
    def claims(self) -> list[Claim]:
        """All that may be written, in the order of the plan."""
        return [claim for part in self.parts for claim in part.claims]

    @property
    def steps(self) -> tuple[str, ...]:
        """Keys of all verifications."""
        return tuple(key for state in self.states.values() for key in state.steps)

    def corroborates(self, document: Document) -> bool:
        """Whether a page is good enough to back what another one says."""
        self.grader = self.grader or Grader(self.brief, self.scale)
        return self.grader.corroborates(document)

    def settled(self) -> dict[str, Claim]:
        """The id of every claim, with the claim that stands for it, which has its witnesses and opponents."""
        claims = self.claims
        same = twins(claims)
        comparisons = [
            one.model_copy(update={"first": same.get(one.first, one.first), "second": same.get(one.second, one.second)})
            for one in self.consolidated
        ]
        gone: dict[str, list[Claim]] = {}
        for claim in claims:
            if claim.claim_id in same:
                gone.setdefault(same[claim.claim_id], []).append(claim)
        distinct = [
            with_what_it_stands_for(one, gone.get(one.claim_id, ())) for one in claims if one.claim_id not in same
        ]
        settled = settle(distinct, self.documents, comparisons, self.corroborates)
        found = settled | {name: settled[other] for name, other in same.items()}
        standing = {claim.claim_id: claim for claim in found.values()}
        placed = assign_claims(
            [one for one in standing.values() if one.sub_question != WHOLE_QUESTION], self.sub_questions
        )
        home = {claim.claim_id: name for name, own in placed.items() for claim in own}
        return {
            name: claim.model_copy(update={"sub_question": home.get(claim.claim_id, WHOLE_QUESTION)})
            for name, claim in found.items()
        } | self.passages
