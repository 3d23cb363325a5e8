"""Assemble the run object from the findings. No thinker takes part."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deepresearch_mcp.pipeline import report_frame
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.headings import Headings, headings_in
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report import render, sourcing
from deepresearch_mcp.pipeline.report.block_markdown import plain
from deepresearch_mcp.pipeline.report.digest_figures import covered_by_digest, evidence_line, sufficiency_of
from deepresearch_mcp.pipeline.report.gaps import points_of, told_gaps
from deepresearch_mcp.pipeline.report.no_findings import why_nothing
from deepresearch_mcp.pipeline.report.references import references
from deepresearch_mcp.pipeline.report.shortcomings import (
    ended_early,
    limitations,
    only_limits,
    queries_tried,
    single_source,
)
from deepresearch_mcp.pipeline.report.verdict import coverage_line
from deepresearch_mcp.pipeline.report_frame import Facts, how_many, own_not_read, page_note, page_warnings
from deepresearch_mcp.records.assessment import CoveredPoint, RunAssessment, confidence
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Citation, ClaimCount, Section
from deepresearch_mcp.records.run import BY_RULE, HALF_FOUND, NOTHING_FOUND, QuoteCount, Run, RunStatus
from deepresearch_mcp.records.sources import TOO_LATE, Document
from deepresearch_mcp.text.citations import named_quotes
from deepresearch_mcp.text.markdown import escape

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
    words = headings_in(findings.brief.language)
    early = facts.status != "completed"
    sufficiency = findings.assessment.sufficiency if findings.assessment else 0
    sufficiency = sufficiency_of(findings) if findings.digest else sufficiency
    short = limitations(findings, _cause(findings, facts.status)) if early and claims else []
    missing = told_gaps(findings, ended_early=early)
    numbering = Numbering(claims, documents, findings.draft.sentences, findings.places, words)
    numbering = numbering.lettered(_named(render.body(findings.brief, findings.draft, numbering, missing)))
    sections = render.body(findings.brief, findings.draft, numbering, missing)
    citations = numbering.citations()
    if citations:
        sections.append(references(citations, documents, sourcing.kinds(grades), words, _named(sections)))
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
    listed = next((section.heading for section in sections if section.part == "missing"), "")
    cut_short = _cut_short(findings, short, listed)
    counted = _warnings(findings, distinct)
    pages = page_warnings(documents.values(), lambda document: document.flags)
    warnings = (*cut_short, *counted, *pages, *engines, *cautions, *facts.warnings)
    if findings.direct:
        sections = [_lead(words, f"{escape(findings.direct)}\n\n*{OWN_KNOWLEDGE}*")]
        warnings = (OWN_KNOWLEDGE, *warnings)
    elif not citations or findings.nearest_only:
        sections.insert(0, _lead(words, why_nothing(findings, distinct, facts.status)))
        if asked := queries_tried(findings):
            lines = "\n".join(f"- {escape(one)}" for one in asked)
            sections.insert(1, Section(heading=words.tried, markdown=lines, part="tried"))
    # Where a model wrote the report, what else it could not do is told at the end.
    by_rule = bool(findings.digest or findings.by_rule)
    sections = [*report_frame.without_model(facts.without_model if by_rule else "", words), *sections]
    # The closing has lines of its own on engines, on the end of the research, and on what rules did; what is counted
    # of claims stands in the run object. The opening may say of what time its sources are.
    old = (one for one in cautions if findings.draft.described and one.startswith(sourcing.OUTDATED))
    apart = {*engines, *cut_short, *facts.replaced, *counted, *old, *pages}
    ruled = facts.by_rules if facts.by_rules and not by_rule else ""
    notes = [
        ended_early(findings, facts.status, ruled),
        *([ruled] if ruled and not only_limits(findings, ruled) else []),
        *(warning for warning in warnings if warning not in apart),
        own_not_read(findings.unread, findings.brief.request.urls),
        page_note(document.flags for document in documents.values()),
    ]
    told = evidence_line(findings, words) or coverage_line(findings) or render.evidence_line(counts)
    last = render.closing(
        f"{told}{single_source(distinct, findings)}",
        findings.unread,
        findings.failures,
        metrics,
        facts.provenance.thinker,
        list(filter(None, notes)),
        words,
    )
    title = findings.draft.title or findings.brief.question
    return Run(
        run_id=facts.run_id,
        status=facts.status,
        stage="ended",
        question=findings.brief.request.question,
        answer=findings.direct or plain(findings.draft.in_short),
        report=report_frame.markdown(title, sections, last, words),
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
            limitations=(*short, *missing.in_full),
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


def _named(sections: Iterable[Section]) -> set[str]:
    """The quotes that marks name by letter."""
    return {name for section in sections for name in named_quotes(section.markdown)}


def _lead(words: Headings, text: str) -> Section:
    return Section(heading=words.short, markdown=text, part="short")


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
    texts = points_of(findings.brief.scope)
    if findings.digest:
        return covered_by_digest(findings)
    points = findings.assessment.coverage if findings.assessment else ()
    return tuple(
        CoveredPoint(point=one.point, text=texts[one.point], status=one.status, claims=one.claims)
        for one in points
        if one.point in texts
    )


def _why(findings: Findings, facts: Facts) -> str:
    """Why a report is partial: a ceiling, nothing was found, or rules did a step of a model."""
    if findings.ceiling:
        return findings.ceiling
    if findings.answers_nothing:
        return NOTHING_FOUND
    return HALF_FOUND if findings.answers_half else BY_RULE if facts.without_model else ""


def _cause(findings: Findings, status: RunStatus) -> str:
    early = {"cancelled": "the run was cancelled", "failed": "the run failed"}.get(status, "")
    return early or (f"{findings.ceiling} was met" if findings.ceiling else "the research ended before")


def _cut_short(findings: Findings, short: Sequence[str], listed: str) -> list[str]:
    """The warning about a ceiling, with the heading below which the gaps stand, or, in a one-line answer, the gaps."""
    if not findings.ceiling:
        return []
    missing = f"What is missing stands under “{listed}”." if listed else " ".join(short)
    return [f"The research was cut short: {findings.ceiling} was met. {missing}".strip()]


def _warnings(findings: Findings, claims: Sequence[Claim]) -> list[str]:
    warnings: list[str] = []
    # How much is covered has a line of its own, see `verdict`.
    unmet = [one for one in findings.gate if not one.met and not one.check.endswith("covered")]
    if claims and not findings.digest and (short_of := [one.told for one in unmet]):
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
    return warnings


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
