"""Analyse how far the evidence answers the question. The thinker proposes; a rule decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import mean

import anyio

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.injection.screen import may_ask
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.queries import is_query, query_key
from deepresearch_mcp.pipeline.witnesses import publisher
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Assessment, Claim, FollowUp
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.thinkers.base import SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.tasks import AssessCoverage

_GROUP = 3
"""Sub-questions in one assessment. Groups are assessed at once, so a wide run waits no longer than a narrow one."""
_BROAD = 4
"""Words of a sub-question that stay when it is asked again more broadly."""

KEY_CLAIMS = 3
"""The best claims of a sub-question, on which its answer rests."""
_WORDS = 8
"""Words of a claim in the query for another source of it."""


@dataclass(frozen=True, slots=True)
class Corroboration:
    """How many key claims have two independent sources or more."""

    backed: int
    total: int
    queries: tuple[FollowUp, ...]
    """What to ask for the others: urgent sub-questions first, the best claim of each before a second."""

    @property
    def share(self) -> float:
        """The share of key claims with two sources, 0 to 1; 1 if there are no claims."""
        return self.backed / self.total if self.total else 1.0


NOTHING_TO_BACK = Corroboration(0, 0, ())


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


async def assess(
    brief: Brief, parts: Sequence[SubQuestionEvidence], thinker: Thinker, queries: int, step: Step
) -> Assessment:
    """Assess all sub-questions; where the thinker fails, by counting.

    Raises:
        BudgetExceeded: A ceiling was met.
    """
    groups = [parts[first : first + _GROUP] for first in range(0, len(parts), _GROUP)]
    share = -(-queries // max(1, len(groups)))

    async def one(group: Sequence[SubQuestionEvidence]) -> Assessment:
        ids = [part.sub_question.id for part in group]
        try:
            said = await thinker.ask(AssessCoverage(brief, group, share), steps.assess_some(step, ids))
        except KeyRefused:
            raise
        except ProviderError:
            return counted(group)
        known = (
            brief.question,
            *(text for part in group for text in (part.sub_question.text, *part.sub_question.queries)),
            *(claim.text for part in group for claim in part.claims),
        )
        # The thinker has not seen other sub-questions, and a page must not decide what is asked.
        return said.model_copy(
            update={
                "answered": tuple(name for name in said.answered if name in ids),
                "follow_ups": tuple(
                    one for one in said.follow_ups if one.sub_question in ids and may_ask(one.query, known)
                ),
                "gaps": tuple(gap for gap in said.gaps if not is_screened(gap)),
            }
        )

    answers = list(await anyio.amap(one, groups))
    return Assessment(
        sufficiency=round(mean(answer.sufficiency for answer in answers)),
        answered=tuple(name for answer in answers for name in answer.answered),
        gaps=tuple(dict.fromkeys(gap for answer in answers for gap in answer.gaps)),
        follow_ups=tuple(one for answer in answers for one in answer.follow_ups),
    )


def counted(parts: Sequence[SubQuestionEvidence]) -> Assessment:
    """An assessment by counting: a part with two claims is answered."""
    answered = tuple(part.sub_question.id for part in parts if len(part.claims) >= 2)
    gaps = tuple(part.sub_question.text for part in parts if len(part.claims) < 2)
    return Assessment(sufficiency=max(1, round(10 * len(answered) / max(1, len(parts)))), answered=answered, gaps=gaps)


def decide(
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    documents: Mapping[str, Document],
    settings: ResearchSettings,
    stands: Corroboration = NOTHING_TO_BACK,
) -> Decision:
    """The gate: it is enough if the score, the counts, every urgent sub-question and the second sources say so."""
    for holds, why, _ in _gate(assessment, parts, documents, settings, stands):
        if not holds:
            return Decision(enough=False, why=why)
    return Decision(enough=True, why=f"sufficiency {assessment.sufficiency} of 10")


def ask_more(
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    documents: Mapping[str, Document],
    settings: ResearchSettings,
    stands: Corroboration,
) -> list[str]:
    """What the gate finds missing: `2 of 3 sites`."""
    return [short for holds, _, short in _gate(assessment, parts, documents, settings, stands) if not holds]


def _gate(
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    documents: Mapping[str, Document],
    settings: ResearchSettings,
    stands: Corroboration,
) -> list[tuple[bool, str, str]]:
    """Each condition: whether it holds, its figures, and what is missing if it does not hold."""
    claims = [claim for part in parts for claim in part.claims]
    places = {(quote.source_id, quote.start) for claim in claims for quote in claim.quotes}
    read = {quote.source_id for claim in claims for quote in claim.quotes}
    sites = {publisher(documents[name]) for name in read if name in documents}
    urgent = [
        part.sub_question
        for part in parts
        if part.sub_question.priority == "high" and part.sub_question.id not in assessment.answered
    ]
    backed = ceil(settings.min_corroborated * stands.total - 1e-9)
    return [
        (
            assessment.sufficiency >= settings.stop_score,
            f"sufficiency {assessment.sufficiency} of 10",
            f"sufficiency {assessment.sufficiency} of 10, where {settings.stop_score} is enough",
        ),
        (
            len(claims) >= settings.min_records,
            f"{len(claims)} verified claims",
            f"{len(claims)} of {settings.min_records} verified claims",
        ),
        (len(places) >= settings.min_cited, f"{len(places)} quotes", f"{len(places)} of {settings.min_cited} quotes"),
        (len(sites) >= settings.min_domains, f"{len(sites)} sites", f"{len(sites)} of {settings.min_domains} sites"),
        (
            not urgent,
            f"unanswered: {', '.join(one.id for one in urgent)}",
            f"{'; '.join(f'“{one.text}”' for one in urgent)} {'is' if len(urgent) == 1 else 'are'} not fully answered",
        ),
        (
            stands.share >= settings.min_corroborated,
            f"{stands.backed} of {stands.total} key claims have a second source",
            f"{stands.backed} of {backed} key claims with a second source",
        ),
    ]


def unmet(findings: Findings, settings: ResearchSettings) -> tuple[str, ...]:
    """What the gate would have asked another round for: `2 of 3 sites`."""
    if findings.assessment is None or not findings.claims:
        return ()
    stands = corroboration_of(findings.claims_by_sub_question, findings.settled())
    return tuple(ask_more(findings.assessment, findings.parts, findings.documents, settings, stands))


def corroboration_of(parts: Sequence[SubQuestionEvidence], settled: Mapping[str, Claim]) -> Corroboration:
    """Count the key claims with a second source; `settled` has the claim that stands for each id."""
    keys: dict[str, tuple[int, str, Claim]] = {}
    for part in sorted(parts, key=lambda part: part.sub_question.urgency):
        own = {one.claim_id: one for claim in part.claims if (one := settled.get(claim.claim_id, claim))}
        best = sorted(own.values(), key=lambda claim: (claim.verdict != "supported", -claim.score))[:KEY_CLAIMS]
        for rank, claim in enumerate(best):
            keys.setdefault(claim.claim_id, (rank, part.sub_question.id, claim))
    alone = sorted((key for key in keys.values() if key[2].backing < 2), key=lambda key: key[0])
    queries = tuple(
        FollowUp(sub_question=name, query=" ".join(keywords(claim.text, _WORDS))) for _, name, claim in alone
    )
    return Corroboration(len(keys) - len(alone), len(keys), queries)


def next_queries(
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    breadth: int,
    asked: set[str],
    leads: Sequence[FollowUp] = (),
    second: Sequence[FollowUp] = (),
) -> list[FollowUp]:
    """Queries of the next round, never one asked before.

    Sub-questions that nothing was found for are asked again more broadly. Then come proposed queries, leads of pages,
    `second` sources for claims that have one, the rest of the plan, and broader queries for what is unanswered.
    """
    chosen: list[FollowUp] = []
    taken = set(asked)

    def take(sub_question: str, text: str, *, lead: bool = False) -> None:
        query = " ".join(text.split())[:300]
        if is_query(query) and query_key(query) not in taken and len(chosen) < breadth:
            taken.add(query_key(query))
            chosen.append(FollowUp(sub_question=sub_question, query=query, lead=lead))

    waiting = [part for part in parts if part.sub_question.status == "todo"]
    for part in waiting:
        for query in part.sub_question.queries[:1]:
            take(part.sub_question.id, query)
    for part in parts:
        if part.sub_question.status == "blocked":
            take(part.sub_question.id, _broader(part))
    for follow_up in (*assessment.follow_ups, *leads, *second):
        take(follow_up.sub_question, follow_up.query, lead=follow_up.lead)
    for part in parts:
        for query in part.sub_question.queries:
            take(part.sub_question.id, query)
    for part in parts:
        if part.sub_question.id not in assessment.answered:
            take(part.sub_question.id, _broader(part))
            take(part.sub_question.id, part.sub_question.text)
    return chosen


def _broader(part: SubQuestionEvidence) -> str:
    return " ".join(keywords(part.sub_question.text, _BROAD))
