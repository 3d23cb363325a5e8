"""The questions that research asks a model: plan, read, assess."""

import math
import re
from collections.abc import Collection
from typing import get_args

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.evidence import Assessment, ClaimDraft, FollowUp, Lead, Reading
from deepresearch_mcp.records.plan import Clarification, Plan, Priority, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.wording import dated, kind_of_claim
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.answers import (
    LINKS_OPENED,
    AssessAnswer,
    GapsAnswer,
    PlanAnswer,
    PlannedPart,
    ReadAnswer,
    ReadClaim,
)
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import Asker, FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.tasks import AssessCoverage, PlanResearch, ReadPassages

PLAN_PARTS = 7
"""How many sub-questions a `Plan` holds beside `q0`."""

_PRIORITIES: dict[str, Priority] = {word: word for word in get_args(Priority)}


def plan(task: PlanResearch, context: PromptContext) -> FilledPrompt[PlanAnswer, Plan]:
    """Ask for sub-questions, `q1` …."""
    brief, queries = task.brief, task.queries
    parts = max(1, min(task.parts, PLAN_PARTS))

    def result(answer: PlanAnswer) -> Plan | None:
        asked = [part for part in answer.sub_questions if part.question.strip()][:parts]
        found = tuple(_sub_question(number, part) for number, part in enumerate(asked, 1))
        goals = (one_line(answer.goal),) if answer.goal.strip() else ()
        back = tuple(
            Clarification(question=one_line(one.question), options=tuple(map(one_line, one.options)))
            for one in answer.ask
            if one.question.strip()
        )
        return Plan(goals=goals, sub_questions=found, made_by=context.by, questions=back) if found else None

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "limits": material.limits(brief),
            "parts": str(parts),
            "queries": str(max(3, queries)),
            "language": material.language(brief),
            "background": material.background(brief, context.nonce, context.share),
        },
        result=result,
        max_tokens=1_500,
        limits={
            "sub_questions": {"minItems": 1, "maxItems": parts},
            # The planner's answer is on every run's critical path, so it holds no question that will not be asked.
            "ask": {"maxItems": 3 if brief.may_ask else 0},
            "options": {"maxItems": 4},
            # A single sub-question has all the angles to itself.
            "queries": {"minItems": 1, "maxItems": max(math.ceil(queries / parts), 3 if parts == 1 else 1)},
        },
    )


def _sub_question(number: int, part: PlannedPart) -> SubQuestion:
    # A part can only depend on an earlier one, so the answer cannot hold a circle.
    earlier = Labels("q", [f"q{other}" for other in range(1, number)])
    return SubQuestion(
        id=f"q{number}",
        text=one_line(part.question),
        priority=_PRIORITIES.get(part.priority.strip().lower(), "medium"),
        queries=tuple(dict.fromkeys(one_line(query) for query in part.queries if query.strip())),
        depends_on=tuple(earlier.find_all(part.depends_on)),
    )


def read(task: ReadPassages, context: PromptContext) -> FilledPrompt[ReadAnswer, Reading]:
    """Ask for claims of these passages, and for links of their pages to open."""
    brief, limit = task.brief, task.limit
    labels = Labels("p", material.kept(task.passages, context.share))
    wanted = " ".join((task.sub_question.text, *(one.statement for one in task.hypotheses)))
    links = Labels("l", material.links_shown(labels.items, task.pages, wanted))
    scope = brief.scope
    points = {one.id for named in (scope.deliverables, scope.cells, task.hypotheses) for one in named}

    def result(answer: ReadAnswer) -> Reading | None:
        found = tuple(
            _draft(item, passage, points)
            for item in answer.claims
            if item.claim.strip() and item.quote.strip() and (passage := labels.find(item.passage_id))
        )
        leads = tuple(Lead(query=one_line(lead.query)) for lead in answer.leads if lead.query.strip())[:1]
        # Only a link of these pages has a number, so no other address can be asked for.
        opened = tuple(Lead(url=link.url) for link in links.find_all(answer.links)[:LINKS_OPENED])
        return Reading(claims=found[:limit], leads=(*leads, *opened)) if found or not answer.claims else None

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "points": material.points(scope),
            "sub_question": material.asked(task.sub_question),
            "hypotheses": material.hypotheses_text(task.hypotheses),
            "limit": str(limit),
            "passages": material.passages_text(labels, task.pages, context.nonce),
            "links": material.links_text(links, context.nonce),
        },
        result=result,
        max_tokens=400 + 170 * limit,
        limits={"claims": {"maxItems": limit}},
    )


_HEDGED = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|probably|presumably|reportedly|allegedly|supposedly|rumou?red|unconfirmed|"
    r"unclear|uncertain|suggests?|appears?|seems?)\b",
    re.IGNORECASE,
)


def _draft(item: ReadClaim, passage: Passage, points: Collection[str]) -> ClaimDraft:
    """Take the claim's kind and date from its words.

    Asking for them would cost a reading a second. The prompt already has the claim say whose estimate, opinion or
    forecast it is; rules find that in English and call everything else a fact. A hedging page lowers the confidence.
    """
    text = one_line(item.claim)
    return ClaimDraft(
        text=text,
        quote=item.quote.strip(),
        passage_id=passage.passage_id,
        kind=kind_of_claim(text, item.quote),
        confidence="low" if _HEDGED.search(item.quote) else "medium",
        dated=dated(one_line(item.quote)) or dated(text),
        weight=int(item.weight) if item.weight.strip() in {"1", "2", "3"} else 2,
        covers=tuple(dict.fromkeys(name for one in item.covers if (name := one.strip(" []").lower()) in points)),
    )


def assess(task: AssessCoverage, context: PromptContext) -> FilledPrompt[AssessAnswer, Assessment]:
    """Ask how far each part has come; follow-ups of unanswered parts come first."""
    brief, parts, queries = task.brief, task.parts, task.queries
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

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "limits": material.limits(brief),
            "queries": str(queries),
            "parts": material.parts_text(labels, context.nonce, context.share, tried=True),
        },
        result=result,
        max_tokens=200 + 100 * len(parts),
        limits={"parts": {"minItems": len(parts), "maxItems": len(parts)}, "queries": {"maxItems": max(1, queries)}},
    )


def gaps(task: AssessCoverage, context: PromptContext) -> FilledPrompt[GapsAnswer, Assessment]:
    """Ask what the research could not establish, when nothing more will be searched."""
    brief = task.brief
    labels = Labels("q", task.parts)
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "limits": material.limits(brief),
            "parts": material.parts_text(labels, context.nonce, context.share, tried=False),
        },
        result=lambda answer: Assessment(
            sufficiency=answer.sufficiency, gaps=tuple(one_line(gap) for gap in answer.gaps if gap.strip())
        ),
        max_tokens=500,
    )


PLAN = PromptSpec(prompt="plan", role="planner", lines=lines.plan, fill=plan, shape=PlanAnswer)
READ = PromptSpec(prompt="read", role="reader", lines=lines.read, fill=read, shape=ReadAnswer)
ASSESS = PromptSpec(prompt="assess", role="analyst", lines=lines.assess, fill=assess, shape=AssessAnswer)
GAPS = PromptSpec(
    prompt="gaps",
    role="analyst",
    lines=lines.gaps,
    fill=gaps,
    shape=GapsAnswer,
    doing="tell what is missing",
)


async def _assess(task: AssessCoverage, asker: Asker, step: Step) -> Assessment:
    return await (ASSESS if task.queries else GAPS).ask(task, asker, step)


HANDLERS = (PlanResearch.by(PLAN.ask), ReadPassages.by(READ.ask), AssessCoverage.by(_assess))
