"""Analyse how far the evidence answers the question. The thinker proposes; a rule decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.injection.screen import may_ask
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.research.corroboration import NOTHING_TO_BACK, Corroboration, corroboration_of
from deepresearch_mcp.pipeline.research.coverage import covered, deliverables, score
from deepresearch_mcp.pipeline.witnesses import publisher
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.assessment import GateCheck
from deepresearch_mcp.records.evidence import AddedSubQuestion, Assessment, Expected, FollowUp, OpenPoint
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.tasks import AssessCoverage

_MOST_SCORE = 10


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether to stop, and why."""

    enough: bool
    why: str


@dataclass(frozen=True, slots=True)
class Reflection:
    """What comes after a round: the decision, and the queries of the next round if there is one."""

    decision: Decision
    queries: tuple[FollowUp, ...] = ()
    expected: tuple[Expected, ...] = ()
    """Further hypotheses for the next round."""
    added: tuple[AddedSubQuestion, ...] = ()


async def assess(
    brief: Brief,
    parts: Sequence[SubQuestionEvidence],
    thinker: Thinker,
    queries: int,
    step: Step,
    whole: Sequence[SubQuestionEvidence] = (),
) -> Assessment:
    """Assess the coverage of all points; where the thinker fails, by counting.

    `whole`: all claims, where the thinker is shown the best `parts` of them.

    Raises:
        BudgetExceeded: A ceiling was met.
        KeyRefused: Every later call would fail too.
    """
    try:
        said = await thinker.ask(AssessCoverage(brief, parts, queries), step)
    except KeyRefused:
        raise
    except ProviderError:
        return counted(brief, whole or parts)
    return covered(brief, _sound(said, brief, parts), whole or parts)


def _sound(said: Assessment, brief: Brief, parts: Sequence[SubQuestionEvidence]) -> Assessment:
    """What of an assessment may count: known ids, queries that no page dictated, nothing that addresses a machine."""
    ids = [part.sub_question.id for part in parts]
    subs = [part.sub_question for part in parts]
    claims = [claim for part in parts for claim in part.claims]
    scope = brief.scope
    known = (
        brief.question,
        *(one.text for one in scope.deliverables),
        *(text for part in parts for text in (part.sub_question.text, *part.sub_question.queries)),
        *(" ".join((one.subject, one.aspect)) for one in scope.cells),
        *(claim.text for claim in claims),
    )

    def placed(name: str, text: str) -> str:
        return name if name in ids else nearest_sub_question(text, subs) if subs else ""

    missing = {one.point: one.missing for one in said.open or ()}
    follow_ups = tuple(
        one.model_copy(update={"sub_question": placed(one.sub_question, f"{missing.get(one.point, '')} {one.query}")})
        for one in said.follow_ups
        if may_ask(one.query, known)
    )
    expected = tuple(
        one.model_copy(update={"sub_question": placed(one.sub_question, one.statement)})
        for one in said.expected
        if may_ask(one.query, known) and not is_screened(one.statement)
    )
    added = tuple(
        one.model_copy(update={"queries": tuple(query for query in one.queries if may_ask(query, known))})
        for one in said.added
        if not is_screened(one.text) and may_ask(one.text, known)
    )
    still_open = None
    if said.open is not None:
        still_open = tuple(
            one.model_copy(update={"missing": "" if is_screened(one.missing) else one.missing}) for one in said.open
        )
    answered = tuple(name for name in said.answered if name in ids)
    update = {
        "answered": answered,
        "retired": tuple(name for name in said.retired if name in ids),
        "open": still_open,
        "follow_ups": follow_ups,
        "expected": expected,
        "added": added,
        "gaps": tuple(gap for gap in said.gaps if not is_screened(gap)),
    }
    return said.model_copy(update=update)


def counted(brief: Brief, parts: Sequence[SubQuestionEvidence]) -> Assessment:
    """An assessment by counting, without a thinker: a part with two claims is answered, and points are as covered."""
    answered = tuple(part.sub_question.id for part in parts if len(part.claims) >= 2)
    gaps = tuple(part.sub_question.text for part in parts if len(part.claims) < 2)
    by_parts = max(1, round(10 * len(answered) / max(1, len(parts))))
    found = covered(brief, Assessment(sufficiency=by_parts, answered=answered, gaps=gaps), parts)
    if not (brief.scope.cells or brief.scope.deliverables):
        return found
    return found.model_copy(update={"sufficiency": min(by_parts, score(found.coverage))})


def decide(checks: Sequence[GateCheck]) -> Decision:
    """The gate: it is enough if every check is met."""
    for one in checks:
        if not one.met:
            return Decision(enough=False, why=one.told)
    return Decision(enough=True, why="all that was asked is covered")


def gate(
    brief: Brief,
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    documents: Mapping[str, Document],
    settings: ResearchSettings,
    stands: Corroboration = NOTHING_TO_BACK,
) -> tuple[GateCheck, ...]:
    """Each condition for ending before the last round, with its value and its threshold."""
    claims = [claim for part in parts for claim in part.claims]
    places = {(quote.source_id, quote.start) for claim in claims for quote in claim.quotes}
    read = {quote.source_id for claim in claims for quote in claim.quotes}
    sites = {publisher(documents[name]) for name in read if name in documents}
    wanted = [one for one in assessment.coverage if one.point.startswith("d")]
    cells = [one for one in assessment.coverage if not one.point.startswith("d")]
    urgent = [part for part in parts if part.sub_question.priority == "high"]
    answered = [part for part in urgent if part.sub_question.id in assessment.answered]
    by_parts = assessment.open is None
    known = brief.scope.deliverables
    return (
        GateCheck(
            check="deliverables covered",
            value=sum(one.status == "covered" for one in wanted),
            threshold=len(wanted) if known or wanted else len(deliverables(brief.scope)),
        ),
        GateCheck(check="cells covered", value=sum(one.status == "covered" for one in cells), threshold=len(cells)),
        GateCheck(
            check="urgent sub-questions answered",
            value=len(answered) if by_parts else len(urgent),
            threshold=len(urgent),
        ),
        # A score ends no research that knows what is open; 11 was and is the way to make all rounds.
        GateCheck(
            check="points of sufficiency",
            value=assessment.sufficiency,
            threshold=settings.stop_score if by_parts or settings.stop_score > _MOST_SCORE else 0,
        ),
        GateCheck(check="verified claims", value=len(claims), threshold=settings.min_records),
        GateCheck(check="quotes", value=len(places), threshold=settings.min_cited),
        GateCheck(check="sites", value=len(sites), threshold=settings.min_domains),
        GateCheck(
            check="key claims with a second source",
            value=stands.backed,
            threshold=ceil(settings.min_corroborated * stands.total - 1e-9),
        ),
    )


def gate_of(findings: Findings, settings: ResearchSettings) -> tuple[GateCheck, ...]:
    """The gate at the end of a research; empty where nothing was assessed or nothing found."""
    if findings.assessment is None or not findings.claims:
        return ()
    stands = corroboration_of(findings.claims_by_sub_question, findings.settled())
    parts = findings.parts
    return gate(findings.brief, findings.assessment, parts, findings.documents, settings, stands)


def missing_points(assessment: Assessment) -> tuple[OpenPoint, ...]:
    """The open points that say what is missing."""
    return tuple(one for one in assessment.open or () if one.missing)
