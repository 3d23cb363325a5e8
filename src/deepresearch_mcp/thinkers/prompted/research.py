"""The questions that research asks a model after the plan: read, assess, consolidate."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import get_args

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.evidence import (
    AddedSubQuestion,
    Assessment,
    ClaimDraft,
    Comparison,
    Difference,
    Expected,
    FollowUp,
    Lead,
    OpenPoint,
    PointStatus,
    Reading,
)
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.wording import dated, kind_of_claim
from deepresearch_mcp.thinkers.prompted import lines, material, page_links
from deepresearch_mcp.thinkers.prompted.answers import (
    LINKS_OPENED,
    AssessAnswer,
    ConsolidateAnswer,
    ReadAnswer,
    ReadClaim,
)
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    Asker,
    FilledPrompt,
    Halves,
    PromptContext,
    PromptSpec,
    in_two,
    joined,
)
from deepresearch_mcp.thinkers.tasks import AssessCoverage, ConsolidateClaims, ReadPassages

_QUERIES = 3
"""Queries for one open point."""
_EXPECTED = 12
_ADDED = 3

Comparisons = tuple[Comparison, ...]


def read(task: ReadPassages, context: PromptContext) -> FilledPrompt[ReadAnswer, Reading]:
    """Ask for claims of these passages, and for links of their pages to open."""
    brief, limit = task.brief, task.limit
    labels = Labels("p", material.kept(task.passages, context.share))
    wanted = " ".join((task.sub_question.text, *(one.statement for one in task.hypotheses)))
    links = Labels("l", page_links.links_shown(labels.items, task.pages, wanted))
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
        opened = tuple(Lead(url=one.link.url) for one in links.find_all(answer.links)[:LINKS_OPENED])
        # Of too many the weightiest are taken, in the order in which they stand.
        taken = sorted(sorted(range(len(found)), key=lambda at: -found[at].weight)[:limit])
        return (
            Reading(claims=tuple(found[at] for at in taken), leads=(*leads, *opened))
            if found or not answer.claims
            else None
        )

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": material.short_question(brief),
            "points": material.points(scope, task.hypotheses),
            "sub_question": material.asked(task.sub_question, task.others),
            "hypotheses": material.hypotheses_text(task.hypotheses),
            "passages": material.passages_text(labels, task.pages, context.nonce),
            "links": page_links.links_text(links, context.nonce),
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


_STATUSES: dict[str, PointStatus] = {"open": "open", "thin": "thin", "one_sided": "one_sided"}
_REASONS: dict[str, Difference] = {word: word for word in get_args(Difference)}


def assess(task: AssessCoverage, context: PromptContext) -> FilledPrompt[AssessAnswer, Assessment]:
    """Ask which points are open; the queries of the most important ones come first.

    Without `queries` the rounds have ended: each open point has the one search that it is looked for with once more.
    """
    brief, parts, queries = task.brief, task.parts, task.queries
    labels = Labels("q", parts)

    def part_of(name: str) -> str:
        found = labels.find(name)
        return found.sub_question.id if found else ""

    def result(answer: AssessAnswer) -> Assessment:
        seen = [one for one in answer.open if one.point.strip()]
        # The first query of every point before the second of any.
        wanted = [
            FollowUp(sub_question="", query=one_line(one.queries[turn]), point=one_line(one.point, 20))
            for turn in range(_QUERIES)
            for one in seen
            if turn < len(one.queries) and one.queries[turn].strip()
        ]
        return Assessment(
            sufficiency=answer.sufficiency,
            answered=tuple(filter(None, map(part_of, answer.done))),
            retired=tuple(filter(None, map(part_of, answer.done))),
            open=tuple(
                OpenPoint(
                    point=one_line(one.point, 20),
                    status=_STATUSES.get(one.status.strip().lower().replace(" ", "_").replace("-", "_"), "open"),
                    missing=one_line(one.missing, 300),
                )
                for one in seen
            ),
            follow_ups=tuple(wanted),
            expected=tuple(
                Expected(
                    statement=one_line(one.statement, 400),
                    query=one_line(one.query, 300),
                    sub_question=part_of(one.sub_question),
                )
                for one in answer.expect
                if one.statement.strip() and one.query.strip()
            ),
            added=tuple(
                AddedSubQuestion(text=one_line(one.question, 1000), queries=tuple(map(one_line, one.queries)))
                for one in answer.add
                if one.question.strip()
            ),
        )

    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "limits": material.limits(brief),
            "points": material.points_text(brief),
            **({"queries": str(queries)} if queries else {}),
            "claims": material.claims_by_point(parts, context.nonce, context.share),
            "parts": material.parts_tried(labels, context.nonce),
        },
        result=result,
        max_tokens=3_000,
        limits={
            "queries": {"maxItems": _QUERIES if queries else 1},
            "expect": {"maxItems": _EXPECTED if queries else 0},
            "add": {"maxItems": _ADDED if queries else 0},
        },
    )


def consolidate(task: ConsolidateClaims, context: PromptContext) -> FilledPrompt[ConsolidateAnswer, Comparisons]:
    """Ask which claims of each cluster are one fact, and which contradict each other."""
    labels = Labels("c", [claim for cluster in task.clusters for claim in cluster])

    def result(answer: ConsolidateAnswer) -> Comparisons:
        found: list[Comparison] = []
        for group in answer.same:
            first, *others = labels.find_all(group.claim_ids) or [None]
            found += [
                Comparison(first=first.claim_id, second=other.claim_id, relation="same")
                for other in others
                if first and other
            ]
        for one in answer.within:
            sides = labels.find_all(one.claim_ids)
            if len(sides) == len(("shorter", "fuller")):
                found.append(Comparison(first=sides[0].claim_id, second=sides[1].claim_id, relation="within"))
        for one in answer.contradict:
            sides = labels.find_all(one.claim_ids)
            if len(sides) == len(("first", "second")):
                reason = _REASONS.get(one.reason.strip().lower(), "")
                found.append(
                    Comparison(first=sides[0].claim_id, second=sides[1].claim_id, relation="contradict", reason=reason)
                )
        return tuple(found)

    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "clusters": material.clusters_text(task.clusters, labels, context.nonce),
        },
        result=result,
        max_tokens=400 + 25 * len(labels.items),
    )


READ = PromptSpec(prompt="read", role="reader", lines=lines.read, fill=read, shape=ReadAnswer)
ASSESS = PromptSpec(prompt="assess", role="analyst", lines=lines.assess, fill=assess, shape=AssessAnswer)


def _halved(task: ConsolidateClaims) -> Sequence[ConsolidateClaims]:
    return [replace(task, clusters=some) for some in in_two(task.clusters)]


CONSOLIDATE = PromptSpec(
    prompt="consolidate",
    # What is set aside for checking and writing pays for it, as for all that follows the last round.
    role="verifier",
    lines=lines.consolidate,
    fill=consolidate,
    shape=ConsolidateAnswer,
    halves=Halves(_halved, joined),
)

LOOK_BACK = replace(ASSESS, prompt="look_back", role="verifier")


async def _assess(task: AssessCoverage, asker: Asker, step: Step) -> Assessment:
    return await (ASSESS if task.queries else LOOK_BACK).ask(task, asker, step)


HANDLERS = (
    ReadPassages.by(READ.ask),
    AssessCoverage.by(_assess),
    ConsolidateClaims.by(CONSOLIDATE.ask),
)
