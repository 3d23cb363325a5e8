"""Reflect: what a round has brought, whether another one is made, and what is missing in the end."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from deepresearch_mcp.events import RoundEnded, StageEntered
from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.memory import notes
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.analyst import (
    Decision,
    Reflection,
    assess,
    counted,
    decide,
    gate,
    gate_of,
    missing_points,
)
from deepresearch_mcp.pipeline.research.analyst_notes import notes_by_point
from deepresearch_mcp.pipeline.research.corroboration import NOTHING_TO_BACK, corroboration_of
from deepresearch_mcp.pipeline.research.coverage import brought_up, uncovered
from deepresearch_mcp.pipeline.research.marks import Marks
from deepresearch_mcp.pipeline.research.next_queries import next_queries
from deepresearch_mcp.pipeline.research.tasks import marked_as
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.assessment import RoundAssessment
from deepresearch_mcp.records.evidence import Assessment, FollowUp
from deepresearch_mcp.records.report import Draft
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.leads import leads_on
from deepresearch_mcp.thinkers.staged import goes_by_rules

_BY_RULES = 20
"""Queries of a later round without a model, at most: what does not lead to an answer by then does not by variants."""


class Reflecting:
    """Looks at the findings of one run after each of its rounds."""

    def __init__(self, shape: Shape, parts: Dependencies, findings: Findings, marks: Marks) -> None:
        self._shape = shape
        self._marks = marks
        self._parts = parts
        self._findings = findings
        self._backed = -1
        """Key claims with a second source when they were last counted."""
        self._assessed_claims: set[str] = set()
        """Ids of the claims at the last assessment."""
        self._has_looked_back = False
        self._told: set[str] = set()
        """Queries of the rounds that were told."""

    async def after(self, number: int, queries: int, asked: set[str]) -> Reflection:
        """What follows round `number`: at most so many `queries` of the next one; none when it is enough.

        `asked` are the queries of the run so far, as `query_key` gives them.
        """
        self._parts.emit(StageEntered("reflecting"))
        findings = self._findings
        weighed = findings.claims_by_sub_question
        assessment, met = await self._assessed(_open(weighed, asked), number, queries)
        findings.assessment = assessment
        self._mark(weighed)
        weighed = findings.claims_by_sub_question
        stands = corroboration_of(weighed, findings.settled())
        # Where a round brought no second source there may be none: it is not looked for again.
        if (backed := stands.backed) <= self._backed:
            stands = NOTHING_TO_BACK
        self._backed = backed

        async def reflect() -> Reflection:
            settings, parts = self._parts.settings, findings.parts
            checks = gate(findings.brief, assessment, parts, findings.documents, settings, stands)
            decision = decide(checks)
            if decision.enough:
                return Reflection(decision)
            by_rules = goes_by_rules(self._parts.thinker, Step(steps.assess(number), findings.steps))
            if by_rules and not any(leads_on(part.sub_question, part.claims) for part in weighed):
                # Rules know no better words for what was asked in vain.
                led = (one for one in assessment.follow_ups if query_key(one.query) not in asked)
                return Reflection(decision, tuple(led)[:queries])
            leads = [
                FollowUp(sub_question=part.sub_question.id, query=query, lead=True)
                for part in weighed
                for query in part.leads
            ]
            expected = findings.plan.hypotheses if findings.plan else ()
            room = min(queries, _BY_RULES) if by_rules else queries
            wanted = next_queries(findings.brief, assessment, weighed, room, asked, leads, stands.queries, expected)
            return Reflection(decision, tuple(wanted), assessment.expected, assessment.added)

        if met:
            # Not recorded: a run that is given a larger ceiling resumes its rounds.
            found = Reflection(Decision(enough=True, why=f"{met} is met"))
        else:
            # Recorded, as it depends on which pages were in and who was read first: after a crash all are in at once.
            step = steps.reflect(number, findings.steps)
            found = await self._parts.journal.step(
                step, reflect, kind="decision", result=Reflection, request=(self._shape, queries)
            )
        self._tell(number, assessment, found.decision)
        return found

    @property
    def leaves_open(self) -> bool:
        """Whether a point may be open or thin: the last assessment says so, or what came after it was not assessed."""
        assessment = self._findings.assessment
        return not self._is_current or assessment is None or bool(uncovered(assessment))

    @property
    def _is_current(self) -> bool:
        """Whether the last round was assessed, and nothing has come in since."""
        findings = self._findings
        known = {claim.claim_id for claim in findings.claims}
        return 0 < findings.rounds <= len(findings.assessed) and self._assessed_claims == known

    async def look_back(self) -> None:
        """Assess once more what the last round left open, for the verdict of the research on itself.

        Nothing is asked where nothing has come in since a thinker was asked.
        """
        findings = self._findings
        if self._has_looked_back:
            return
        self._has_looked_back = True
        weighed = findings.claims_by_sub_question
        self._mark(weighed)
        if not (findings.assessment and self._is_current):
            findings.assessment = self._counted(weighed)
            findings.gate = gate_of(findings, self._parts.settings)
            try:
                # A key of its own: the round itself may have been assessed already.
                step = Step(steps.GAPS, findings.steps)
                asked = {query_key(query) for state in findings.states.values() for query in state.tried}
                noted = self._noted(_open(weighed, asked), step)
                findings.assessment = await assess(findings.brief, noted, self._parts.thinker, 0, step, weighed)
            except BudgetExceeded:
                # Counting is enough to say what is missing; the writer tells of the ceiling.
                findings.assessment = self._counted(weighed)
            self._assessed_claims = {claim.claim_id for claim in findings.claims}
        findings.gate = gate_of(findings, self._parts.settings)
        if len(findings.assessed) < findings.rounds:
            why = findings.ended or (
                f"{findings.ceiling} was met" if findings.ceiling else "it was the last round that was planned"
            )
            enough = not uncovered(findings.assessment)
            self._tell(findings.rounds, findings.assessment, Decision(enough=enough, why=why), emit=False)

    def look_at(self, draft: Draft) -> None:
        """Bring coverage and gate up to what was found since the last assessment, and to what the report lacks."""
        findings = self._findings
        if findings.assessment:
            weighed = findings.claims_by_sub_question
            findings.assessment = brought_up(findings.brief, findings.assessment, weighed, self._assessed_claims, draft)
            findings.gate = gate_of(findings, self._parts.settings)

    def _tell(self, number: int, assessment: Assessment, decision: Decision, *, emit: bool = True) -> None:
        findings = self._findings
        tried = [query for state in findings.states.values() for query in state.tried]
        claims = findings.claims
        missing = [one.missing for one in missing_points(assessment)]
        findings.assessed.append(
            RoundAssessment(
                round=number,
                sufficiency=assessment.sufficiency,
                enough=decision.enough,
                why=decision.why,
                queries=tuple(dict.fromkeys(query for query in tried if query not in self._told)),
                engines=tuple(sorted(name for name, fared in findings.engines.items() if fared.get("answered"))),
                found=len(findings.documents),
                used=len({quote.source_id for claim in claims for quote in claim.quotes}),
                claims=len(claims),
                open=tuple(missing),
            )
        )
        self._told.update(tried)
        if emit:
            self._parts.emit(RoundEnded(number, assessment.sufficiency, decision.enough, decision.why))

    async def _assessed(
        self, parts: Sequence[SubQuestionEvidence], number: int, queries: int
    ) -> tuple[Assessment, str]:
        """The assessment, and the ceiling that kept the thinker from making it; counting takes its place then."""
        findings = self._findings
        step = Step(steps.assess(number), findings.steps)
        try:
            noted = self._noted(parts, step)
            found = await assess(findings.brief, noted, self._parts.thinker, queries, step, parts)
            self._assessed_claims = {claim.claim_id for claim in findings.claims}
            return found, ""
        except BudgetExceeded as error:
            findings.use_up(error.kind)
            return self._counted(parts), error.kind

    def _counted(self, parts: Sequence[SubQuestionEvidence]) -> Assessment:
        return counted(self._findings.brief, parts)

    def _mark(self, weighed: Sequence[SubQuestionEvidence]) -> None:
        """Write into the plan how far each of its sub-questions has come."""
        if self._findings.plan:
            marked = tuple(marked_as(part, self._findings) for part in weighed)
            self._marks.mark(marked)
            self._findings.plan = self._findings.plan.model_copy(update={"sub_questions": marked})

    def _noted(self, weighed: Sequence[SubQuestionEvidence], step: Step) -> list[SubQuestionEvidence]:
        """What the thinker of a step is shown: a model, which pays for words, gets the best part; rules get all."""
        if goes_by_rules(self._parts.thinker, step):
            return list(weighed)
        best = [notes(part, self._parts.settings.notes_tokens, quoted=False) for part in weighed]
        return notes_by_point(best)


def _open(parts: Sequence[SubQuestionEvidence], asked: Collection[str]) -> list[SubQuestionEvidence]:
    """The parts with those of their leads of which most words were not asked yet in one query."""
    known = [set(key.split()) for key in asked]

    def is_new(lead: str) -> bool:
        words = set(query_key(lead).split())
        return not any(len(words & other) >= _ASKED * len(words) for other in known)

    return [replace(part, leads=tuple(filter(is_new, part.leads))) for part in parts]


_ASKED = 0.8
"""Share of a lead's words in one query from which it was asked."""
