"""The questions that research asks a model: plan, read, judge, assess."""

import math
import re
from collections.abc import Sequence
from typing import get_args

from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.evidence import (
    Assessment,
    Claim,
    ClaimDraft,
    Comparison,
    Difference,
    FollowUp,
    Judgement,
    Lead,
    Reading,
    Relation,
    Verdict,
)
from deepresearch_mcp.records.plan import Brief, Clarification, Plan, Priority, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import Pair, SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.wording import dated, kind_of_claim
from deepresearch_mcp.thinkers.prompted import deciding, lines, material
from deepresearch_mcp.thinkers.prompted.answers import (
    FAULTS,
    AssessAnswer,
    ClaimVerdict,
    CompareAnswer,
    GapsAnswer,
    JudgeAnswer,
    PlanAnswer,
    PlannedPart,
    ReadAnswer,
    ReadClaim,
)
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptSpec

PLAN_PARTS = 7
"""As many sub-questions as a `Plan` holds beside `q0`."""

DECIDING = 160
"""Characters of the page's sentence that decided."""

_VERDICTS: dict[str, Verdict] = {word: word for word in get_args(Verdict)}
_RELATIONS: dict[str, Relation] = {word: word for word in get_args(Relation)}
_DIFFERENCES: dict[str, Difference] = {word: word for word in get_args(Difference)}
_PRIORITIES: dict[str, Priority] = {word: word for word in get_args(Priority)}


def plan(brief: Brief, parts: int, queries: int, name: str, nonce: str, share: float) -> PromptSpec[PlanAnswer, Plan]:
    """At most `parts` sub-questions, `q1` …, with about `queries` queries in all."""
    parts = max(1, min(parts, PLAN_PARTS))

    def result(answer: PlanAnswer) -> Plan | None:
        asked = [part for part in answer.sub_questions if part.question.strip()][:parts]
        found = tuple(_sub_question(number, part) for number, part in enumerate(asked, 1))
        goals = (one_line(answer.goal),) if answer.goal.strip() else ()
        back = tuple(
            Clarification(question=one_line(one.question), options=tuple(map(one_line, one.options)))
            for one in answer.ask
            if one.question.strip()
        )
        return Plan(goals=goals, sub_questions=found, made_by=name, questions=back) if found else None

    return PromptSpec(
        prompt="plan",
        role="planner",
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "limits": material.limits(brief),
            "parts": str(parts),
            "queries": str(max(3, queries)),
            "language": material.language(brief),
            "background": material.background(brief, nonce, share),
        },
        shape=PlanAnswer,
        lines=lines.plan,
        result=result,
        max_tokens=1_500,
        limits={
            "sub_questions": {"minItems": 1, "maxItems": parts},
            # The planner's answer is on every run's critical path: no question is written that will not be asked.
            "ask": {"maxItems": 3 if brief.may_ask else 0},
            "options": {"maxItems": 4},
            # With a single sub-question all the angles are its own.
            "queries": {"minItems": 1, "maxItems": max(math.ceil(queries / parts), 3 if parts == 1 else 1)},
        },
    )


def _sub_question(number: int, part: PlannedPart) -> SubQuestion:
    # Only what comes earlier in the list can be waited for: so no circle can be named at all.
    earlier = Labels("q", [f"q{other}" for other in range(1, number)])
    return SubQuestion(
        id=f"q{number}",
        text=one_line(part.question),
        priority=_PRIORITIES.get(part.priority.strip().lower(), "medium"),
        queries=tuple(dict.fromkeys(one_line(query) for query in part.queries if query.strip())),
        depends_on=tuple(earlier.find_all(part.depends_on)),
    )


def read(
    brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, nonce: str, share: float
) -> PromptSpec[ReadAnswer, Reading]:
    """At most `limit` claims of these passages."""
    labels = Labels("p", material.kept(passages, share))

    def result(answer: ReadAnswer) -> Reading | None:
        found = tuple(
            _draft(item, passage)
            for item in answer.claims
            if item.claim.strip() and item.quote.strip() and (passage := labels.find(item.passage_id))
        )
        leads = tuple(Lead(query=one_line(lead.query)) for lead in answer.leads if lead.query.strip())
        return Reading(claims=found[:limit], leads=leads[:1]) if found or not answer.claims else None

    return PromptSpec(
        prompt="read",
        role="reader",
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "sub_question": material.asked(sub_question),
            "limit": str(limit),
            "passages": material.passages_text(labels, nonce),
        },
        shape=ReadAnswer,
        lines=lines.read,
        result=result,
        max_tokens=300 + 250 * limit,
        limits={"claims": {"maxItems": limit}},
    )


_HEDGED = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|probably|presumably|reportedly|allegedly|supposedly|rumou?red|unconfirmed|"
    r"unclear|uncertain|suggests?|appears?|seems?)\b",
    re.IGNORECASE,
)


def _draft(item: ReadClaim, passage: Passage) -> ClaimDraft:
    """A claim with what its words say that it is, and when it holds.

    Not asked for: the prompt has a reader say whose estimate, opinion or forecast it is, so the words tell (in English;
    elsewhere it stays a fact), and two more fields a claim cost a reading a second. A page that is not sure of it
    itself leaves little confidence.
    """
    text = one_line(item.claim)
    return ClaimDraft(
        text=text,
        quote=item.quote.strip(),
        passage_id=passage.passage_id,
        kind=kind_of_claim(text, item.quote),
        confidence="low" if _HEDGED.search(item.quote) else "medium",
        dated=dated(one_line(item.quote)) or dated(text),
    )


def judge(
    brief: Brief, claims: Sequence[Claim], nonce: str, share: float
) -> PromptSpec[JudgeAnswer, tuple[Judgement, ...]]:
    """A verdict for each claim that was shown; a claim without one is not among the judgements."""
    labels = Labels("c", material.kept(claims, share))

    def result(answer: JudgeAnswer) -> tuple[Judgement, ...] | None:
        found: dict[str, Judgement] = {}
        for item in answer.verdicts:
            claim, verdict = labels.find(item.claim_id), _VERDICTS.get(_word(item.verdict))
            if claim and verdict:
                # Whatever else it says: an order is no claim.
                verdict = "unsupported" if _word(item.fault) == "order" else verdict
                reason = "" if verdict == "supported" else _reason(item, claim)
                found.setdefault(claim.claim_id, Judgement(claim_id=claim.claim_id, verdict=verdict, reason=reason))
        return tuple(found.values()) or None

    return PromptSpec(
        prompt="judge",
        role="verifier",
        values={"today": brief.today.isoformat(), "claims": deciding.claims_to_judge(labels, nonce)},
        shape=JudgeAnswer,
        lines=lines.judge,
        result=result,
        max_tokens=200 + 60 * len(labels.items),
        limits={"verdicts": {"minItems": len(labels.items), "maxItems": len(labels.items)}},
    )


def _reason(item: ClaimVerdict, claim: Claim) -> str:
    """What decided, in our words, and the page's own sentence where one shows it; nothing that a model typed."""
    fault = _word(item.fault).replace(" ", "_")
    if fault in {"not_said", "order"}:
        # What is an order is not repeated in a report, as a reason either.
        return FAULTS[fault]
    shown = deciding.shown_to_judge(claim)
    found = Labels("", shown).find(item.sentence) or (shown[0] if len(shown) == 1 else "")
    return ": ".join(filter(None, (FAULTS.get(fault, ""), found and f"“{one_line(found, DECIDING)}”")))


def compare(
    brief: Brief, pairs: Sequence[Pair], nonce: str, share: float
) -> PromptSpec[CompareAnswer, tuple[Comparison, ...]]:
    """What the claims of each pair are to each other; only what is more than `neither` is answered."""
    labels = Labels("d", material.kept(pairs, share))

    def result(answer: CompareAnswer) -> tuple[Comparison, ...]:
        found: dict[tuple[str, str], Comparison] = {}
        for item in answer.comparisons:
            pair, relation = labels.find(item.pair_id), _RELATIONS.get(_word(item.relation))
            if pair and relation:
                first, second = pair[0].claim_id, pair[1].claim_id
                reason = _DIFFERENCES.get(_word(item.reason), "") if relation == "contradict" else ""
                found.setdefault(
                    (first, second), Comparison(first=first, second=second, relation=relation, reason=reason)
                )
        return tuple(found.values())

    return PromptSpec(
        prompt="compare",
        role="verifier",
        values={"today": brief.today.isoformat(), "pairs": material.pairs_text(labels, nonce)},
        shape=CompareAnswer,
        lines=lines.compare,
        result=result,
        max_tokens=150 + 40 * len(labels.items),
        limits={"comparisons": {"maxItems": len(labels.items)}},
    )


def _word(text: str) -> str:
    return text.strip(" .*`").lower()


def assess(
    brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, nonce: str, share: float
) -> PromptSpec[AssessAnswer, Assessment]:
    """How far each part has come; at most `queries` follow-ups, those of unanswered parts first."""
    labels = Labels("q", parts)

    def result(answer: AssessAnswer) -> Assessment:
        seen = [(item, part.sub_question) for item in answer.parts if (part := labels.find(item.id))]
        first = sorted(seen, key=lambda pair: pair[0].answered)
        # Every part's first query before any part's second.
        wanted = [
            FollowUp(sub_question=sub_question.id, query=one_line(item.queries[turn]))
            for turn in range(queries)
            for item, sub_question in first
            if turn < len(item.queries) and item.queries[turn].strip()
        ]
        return Assessment(
            sufficiency=answer.sufficiency,
            answered=tuple(sub_question.id for item, sub_question in seen if item.answered),
            follow_ups=tuple(wanted[:queries]),
        )

    return PromptSpec(
        prompt="assess",
        role="analyst",
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "limits": material.limits(brief),
            "queries": str(queries),
            "parts": material.parts_text(labels, nonce, share, tried=True),
        },
        shape=AssessAnswer,
        lines=lines.assess,
        result=result,
        max_tokens=200 + 100 * len(parts),
        limits={"parts": {"minItems": len(parts), "maxItems": len(parts)}, "queries": {"maxItems": max(1, queries)}},
    )


def gaps(
    brief: Brief, parts: Sequence[SubQuestionEvidence], nonce: str, share: float
) -> PromptSpec[GapsAnswer, Assessment]:
    """What the research could not establish, told when nothing more will be searched."""
    labels = Labels("q", parts)
    return PromptSpec(
        prompt="gaps",
        role="analyst",
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "limits": material.limits(brief),
            "parts": material.parts_text(labels, nonce, share, tried=False),
        },
        shape=GapsAnswer,
        lines=lines.gaps,
        result=lambda answer: Assessment(
            sufficiency=answer.sufficiency, gaps=tuple(one_line(gap) for gap in answer.gaps if gap.strip())
        ),
        max_tokens=500,
    )
