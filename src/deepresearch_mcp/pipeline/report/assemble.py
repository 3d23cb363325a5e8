"""Assemble the run object from the findings. No thinker takes part."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline import report_frame
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report import render, sourcing
from deepresearch_mcp.pipeline.report.block_markdown import plain
from deepresearch_mcp.pipeline.report.digest_figures import evidence_line, sufficiency_of, unanswered
from deepresearch_mcp.pipeline.report.no_findings import why_nothing
from deepresearch_mcp.pipeline.report.references import references
from deepresearch_mcp.pipeline.report.shortcomings import doubtful, limitations, queries_tried
from deepresearch_mcp.pipeline.report.unbacked import unbacked
from deepresearch_mcp.pipeline.report.verdict import verdict_lines
from deepresearch_mcp.pipeline.report_frame import Facts, how_many, page_warnings
from deepresearch_mcp.records.assessment import CoveredPoint, RunAssessment, confidence
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Citation, ClaimCount, Gap, Section
from deepresearch_mcp.records.run import BY_RULE, NOTHING_FOUND, QuoteCount, Run, RunStatus
from deepresearch_mcp.records.sources import TOO_LATE, Document
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.markdown import escape
from deepresearch_mcp.text.urls import addresses_in

_MISSING = "What could not be established"
OWN_KNOWLEDGE = "This answer is from the model's own knowledge; nothing is cited."


def assemble(findings: Findings, facts: Facts) -> Run:
    """Number, link, count and render. With many sources this takes long, so call it off the event loop."""
    claims = findings.settled()
    documents = findings.documents
    distinct = list({claim.claim_id: claim for claim in claims.values()}.values())
    if findings.digest:
        # A digest states what it cites: sentences that were only looked at are no claims of it.
        distinct = list(findings.passages.values())
    grader = findings.grader or Grader(findings.brief, findings.scale)
    grades = grader.all(documents, distinct, findings.returned)
    numbering = Numbering(claims, documents, findings.draft.sentences, findings.places)
    early = facts.status != "completed"
    sufficiency = findings.assessment.sufficiency if findings.assessment else 0
    sufficiency = sufficiency_of(findings) if findings.digest else sufficiency
    short = limitations(findings, _cause(findings, facts.status)) if early and claims else []
    gaps = [*_gaps(findings, ended_early=early), *short]
    sections = render.body(findings.brief, findings.draft, numbering, gaps)
    citations = numbering.citations()
    if citations:
        sections.append(references(citations, documents, sourcing.kinds(grades)))
    kept = {claim.claim_id for claim in distinct}
    turned_down = {claim.claim_id: claim for state in findings.states.values() for claim in state.refused}
    turned_down = {} if findings.digest else turned_down
    refused = [claim for name, claim in turned_down.items() if name not in kept]
    counts = count_claims([*distinct, *refused], len(findings.removed), findings.repaired, findings.restored)
    metrics = facts.metrics.model_copy(
        update={"counts": counts, "rounds": findings.rounds, "engines": findings.engines}
    )
    cautions = sourcing.source_cautions(findings, citations, grades)
    engines = _engine_warnings(findings)
    listed = {section.heading for section in sections}
    warnings = (*_warnings(findings, distinct, short, listed=_MISSING in listed), *engines, *cautions, *facts.warnings)
    if findings.direct:
        sections = [Section(heading="In short", markdown=f"{escape(findings.direct)}\n\n*{OWN_KNOWLEDGE}*")]
        warnings = (OWN_KNOWLEDGE, *warnings)
    elif not citations:
        sections.insert(0, Section(heading="In short", markdown=why_nothing(findings, distinct, facts.status)))
        if asked := queries_tried(findings):
            lines = "\n".join(f"- {escape(one)}" for one in asked)
            sections.insert(1, Section(heading="What was tried", markdown=lines))
    sections = [*report_frame.without_model(facts.without_model), *sections]
    # The closing has a line of its own on engines.
    notes = [warning for warning in warnings if warning not in engines]
    named = doubtful([*distinct, *refused], findings.brief.question)
    last = render.closing(
        counts,
        findings.unread,
        findings.failures,
        metrics,
        facts.provenance.thinker,
        notes,
        named,
        verdict_lines(findings),
        evidence_line(findings),
    )
    title = findings.draft.title or findings.brief.question
    return Run(
        run_id=facts.run_id,
        status=facts.status,
        stage="ended",
        question=findings.brief.request.question,
        answer=findings.direct or plain(findings.draft.in_short),
        report=report_frame.markdown(title, sections, last),
        sections=tuple(sections),
        citations=citations,
        claims=(*distinct, *refused),
        sources=sourcing.source_rows(findings, citations, distinct, grades, facts.summary_tokens),
        unread=tuple(findings.unread),
        warnings=tuple(dict.fromkeys(warnings)),
        quotes=located(citations, documents),
        assessment=RunAssessment(
            sufficiency=sufficiency,
            confidence=confidence(sufficiency, complete=not early, missing=not all(one.met for one in findings.gate)),
            coverage=_coverage(findings),
            gate=findings.gate,
            limitations=tuple(short),
            rounds=tuple(findings.assessed),
            why=_why(findings, facts) if facts.status == "partial" else "",
            ended=findings.ended,
        ),
        metrics=metrics,
        provenance=facts.provenance.model_copy(
            update={
                "plan": _plan(findings),
                "failures": tuple(findings.failures),
                "searched": tuple(findings.searched),
                "removed": findings.removed,
            }
        ),
        path=facts.path,
    )


def count_claims(claims: Sequence[Claim], removed: int, repaired: int = 0, restored: int = 0) -> ClaimCount:
    """The figures of a report on its claims."""
    verdicts: dict[str, int] = {}
    for claim in claims:
        verdicts[claim.verdict] = verdicts.get(claim.verdict, 0) + 1
    supported = [claim for claim in claims if claim.verdict == "supported"]
    return ClaimCount.model_validate(
        {
            "claims": len(claims),
            "verdicts": verdicts,
            "independent": sum(claim.backing >= 2 for claim in supported),
            "thin": sum(claim.thin for claim in supported),
            "removed": removed,
            "repaired": repaired,
            "restored": restored,
        }
    )


def located(citations: Sequence[Citation], documents: Mapping[str, Document]) -> QuoteCount:
    """How many cited quotes are at their offsets in the snapshot: checked, not assumed."""
    found = sum(
        (document := documents.get(one.source_id)) is not None
        and document.snapshot == one.snapshot
        and document.text[one.start : one.end] == one.quote
        for one in citations
    )
    return QuoteCount(located=found, total=len(citations))


def _coverage(findings: Findings) -> tuple[CoveredPoint, ...]:
    scope = findings.brief.scope
    texts = {one.id: one.text for one in scope.deliverables}
    texts |= {one.id: f"{one.subject}: {one.aspect}" for one in scope.cells}
    points = findings.assessment.coverage if findings.assessment else ()
    return tuple(
        CoveredPoint(point=one.point, text=texts[one.point], status=one.status, claims=one.claims)
        for one in points
        if one.point in texts
    )


def _why(findings: Findings, facts: Facts) -> str:
    """Why a report is partial: a ceiling, nothing was found, or rules did a step of a model."""
    return findings.ceiling or (NOTHING_FOUND if findings.cut_short else BY_RULE if facts.without_model else "")


def _cause(findings: Findings, status: RunStatus) -> str:
    early = {"cancelled": "the run was cancelled", "failed": "the run failed"}.get(status, "")
    return early or (f"{findings.ceiling} was met" if findings.ceiling else "the research ended before")


def _gaps(findings: Findings, *, ended_early: bool) -> list[str]:
    # What was perhaps never searched for may not be called missing from the sources.
    why = "Not answered before the research ended" if ended_early else "No source that could be read answers"
    why = "Nothing relevant was found on" if findings.digest and not findings.ceiling else why
    unshown = unanswered(findings)
    empty = {
        part.sub_question.text: why if _asked(part.sub_question, findings) else _unasked(part.sub_question, findings)
        for part in findings.claims_by_sub_question
        # A claim that was read for it answers it, even if it fits another one better.
        if (
            part.sub_question.id in unshown
            if findings.digest
            else not part.claims and not findings.of(part.sub_question.id).claims
        )
    }
    # A gap has no citation, so its figures and addresses must be known from elsewhere.
    claims = findings.settled().values()
    known = "\n".join(
        (
            findings.brief.question,
            *(part.sub_question.text for part in findings.parts),
            *(part for claim in claims for part in (claim.text, *(quote.text for quote in claim.quotes))),
        )
    )
    tried = [gap for gap in findings.gaps if not is_screened(gap.missing) and _is_backed(gap.missing, known)]
    guessed = findings.assessment.gaps if findings.assessment and not findings.digest else ()
    said = [*map(_told_gap, tried), *(gap for gap in guessed if _is_backed(gap, known))]
    told = [set(map(stem, content_words(gap))) for gap in said]
    return list(
        dict.fromkeys([*said, *(f"{reason}: {text}" for text, reason in empty.items() if not _told(text, told))])
    )


def _told_gap(gap: Gap) -> str:
    """What is missing, and what was tried for it."""
    missing = gap.missing.rstrip(" .")
    missing = f"{missing[:1].upper()}{missing[1:]}"
    if gap.ceiling:
        return f"{missing}. It was not searched further: {gap.ceiling} was met."
    queries = [f"“{one}”" for one in gap.queries if not addresses_in(one)]
    asked = f", nor by searching for {' and '.join(queries)}" if queries else ""
    pages = how_many(gap.pages, "page that was read", "pages that were read")
    return f"{missing}. Nothing on it was found in the {pages}{asked}."


def _is_backed(gap: str, known: str) -> bool:
    return all(_TURN.fullmatch(one) for one in unbacked(gap, known))


_TURN = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
"""An ordinal, as in "4th quarter". A gap may name it, since it says that nothing is known."""


def _asked(sub_question: SubQuestion, findings: Findings) -> bool:
    """Whether it was searched for. Without a plan it is the question, which is searched as a whole."""
    same = WHOLE_QUESTION if sub_question.text == findings.whole.text else sub_question.id
    return findings.of(sub_question.id).asked or findings.of(same).asked


def _unasked(sub_question: SubQuestion, findings: Findings) -> str:
    ceiling = findings.left_out.get(sub_question.id)
    return f"Not asked, as {ceiling} left no room for it" if ceiling else "Not searched for in this research"


_ABOUT_IT = 0.6
"""Share of a sub-question's words from which a gap is about it."""


def _told(text: str, gaps: Sequence[set[str]]) -> bool:
    words = set(map(stem, content_words(text)))
    return bool(words) and any(len(words & gap) >= _ABOUT_IT * len(words) for gap in gaps)


def _warnings(findings: Findings, claims: Sequence[Claim], short: Sequence[str], *, listed: bool) -> list[str]:
    warnings: list[str] = []
    if findings.ceiling:
        # A one-line answer has no such section, so the warning names what is missing.
        missing = f"What is missing stands under “{_MISSING}”." if listed else " ".join(short)
        warnings.append(f"The research was cut short: {findings.ceiling} was met. {missing}".strip())
    if claims and (short_of := [one.told for one in findings.gate if not one.met]):
        warnings.append(f"The research may be incomplete: {', '.join(short_of)}.")
    # A digest says beside each passage how many sources agree.
    supported = [claim for claim in claims if claim.verdict == "supported" and not findings.digest]
    single = sum(claim.independent < 2 for claim in supported)
    if single and single == len(supported):
        warnings.append("Every supported claim rests on one source.")
    elif single:
        warnings.append(f"{single} of {len(supported)} supported claims rest on one source.")
    if thin := sum(claim.thin for claim in supported):
        rest = how_many(thin, "supported claim has", "supported claims have")
        warnings.append(f"{rest} several sources, but fewer than two reliable enough to confirm each other.")
    return [*warnings, *page_warnings(findings.documents.values(), lambda document: document.flags)]


def _engine_warnings(findings: Findings) -> list[str]:
    """Engines that did not answer, and why. An engine that was only too slow has not failed."""
    warnings: list[str] = []
    for name, fared in findings.engines.items():
        reasons = Counter(one.reason for one in findings.failures if one.engine == name and one.reason != TOO_LATE)
        if reasons:
            why = "; ".join(reason.rstrip(".") for reason, _ in reasons.most_common())
            asked = how_many(fared["asked"], "query", "queries")
            warnings.append(f"{name} did not answer {reasons.total()} of {asked}: {why}.")
    return warnings


def _plan(findings: Findings) -> dict[str, Any]:
    return findings.plan.model_dump(mode="json") if findings.plan else {}
