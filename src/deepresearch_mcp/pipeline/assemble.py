"""Assemble: the run object, made by the program from findings; the thinker's last word is long spoken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deepresearch_mcp.pipeline import render
from deepresearch_mcp.pipeline.audit import unbacked
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Citation, ClaimCount, Section, SourceRow
from deepresearch_mcp.records.run import Metrics, Provenance, QuoteCount, Run, RunStatus
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.markdown import escape

OWN_KNOWLEDGE = "This answer is from the model's own knowledge; nothing is cited."


@dataclass(frozen=True, slots=True)
class Facts:
    """What the runtime knows of a run beyond its findings."""

    run_id: str
    status: RunStatus
    metrics: Metrics
    provenance: Provenance
    warnings: tuple[str, ...]
    path: str


def assemble(findings: Findings, facts: Facts) -> Run:
    """Number, link, count and render."""
    claims = findings.settled()
    documents = findings.documents
    numbering = Numbering(claims, documents)
    gaps = _gaps(findings, ended_early=facts.status != "completed")
    sections = render.body(findings.brief, findings.draft, numbering, gaps)
    citations = numbering.citations()
    if citations:
        sections.append(render.references(citations, documents))
    distinct = list({claim.claim_id: claim for claim in claims.values()}.values())
    kept = {claim.claim_id for claim in distinct}
    turned_down = {claim.claim_id: claim for gathered in findings.gathered.values() for claim in gathered.refused}
    refused = [claim for name, claim in turned_down.items() if name not in kept]
    counts = count([*distinct, *refused], len(findings.removed))
    metrics = facts.metrics.model_copy(
        update={"counts": counts, "rounds": findings.rounds, "engines": findings.engines}
    )
    warnings = (*_warnings(findings, distinct), *facts.warnings)
    if findings.direct:
        sections = [Section(heading="In short", markdown=f"{escape(findings.direct)}\n\n*{OWN_KNOWLEDGE}*")]
        warnings = (OWN_KNOWLEDGE, *warnings)
    elif not citations:
        sections.insert(0, Section(heading="In short", markdown=_nothing(findings, distinct, facts.status)))
    last = render.closing(counts, findings.unread, findings.failures, metrics, facts.provenance.thinker, warnings)
    title = findings.draft.title or findings.brief.question
    return Run(
        run_id=facts.run_id,
        status=facts.status,
        stage="ended",
        question=findings.brief.request.question,
        answer=findings.direct or " ".join(sentence.text for sentence in findings.draft.in_short),
        report=render.markdown(title, sections, last),
        sections=tuple(sections),
        citations=citations,
        claims=(*distinct, *refused),
        sources=_sources(documents, citations),
        unread=tuple(findings.unread),
        warnings=tuple(dict.fromkeys(warnings)),
        quotes=located(citations, documents),
        metrics=metrics,
        provenance=facts.provenance.model_copy(
            update={"plan": _plan(findings), "failures": tuple(findings.failures), "removed": findings.removed}
        ),
        path=facts.path,
    )


def count(claims: Sequence[Claim], removed: int) -> ClaimCount:
    """The report's figures on its claims."""
    verdicts: dict[str, int] = {}
    for claim in claims:
        verdicts[claim.verdict] = verdicts.get(claim.verdict, 0) + 1
    supported = [claim for claim in claims if claim.verdict == "supported"]
    return ClaimCount.model_validate(
        {
            "claims": len(claims),
            "verdicts": verdicts,
            "independent": sum(claim.independent >= 2 for claim in supported),
            "removed": removed,
        }
    )


def located(citations: Sequence[Citation], documents: Mapping[str, Document]) -> QuoteCount:
    """Of the cited quotes, those that stand in the snapshot at their offsets: checked, not assumed."""
    found = sum(
        (document := documents.get(one.source_id)) is not None
        and document.snapshot == one.snapshot
        and document.text[one.start : one.end] == one.quote
        for one in citations
    )
    return QuoteCount(located=found, total=len(citations))


def _gaps(findings: Findings, *, ended_early: bool) -> list[str]:
    # What was perhaps never looked for may not be called missing from the sources.
    why = "Not answered before the research ended" if ended_early else "No source that could be read answers"
    empty = [part.sub_question.text for part in findings.parts[:-1] if not part.claims]
    # A gap carries no citation: a figure or an address in it must be known from somewhere.
    claims = findings.settled().values()
    known = "\n".join(
        (
            findings.brief.question,
            *(part.sub_question.text for part in findings.parts),
            *(part for claim in claims for part in (claim.text, *(quote.text for quote in claim.quotes))),
        )
    )
    said = [gap for gap in findings.assessment.gaps if not unbacked(gap, known)] if findings.assessment else []
    return list(dict.fromkeys([*said, *(f"{why}: {text}" for text in empty if text not in said)]))


def _nothing(findings: Findings, claims: Sequence[Claim], status: RunStatus) -> str:
    """Why the report states nothing: nobody asked, nothing found, nothing read and nothing said are different facts."""
    early = {"cancelled": "The run was cancelled", "failed": "The run failed"}.get(status, "")
    early = early or (f"{findings.ceiling} was met" if findings.ceiling else "")
    if claims:
        return f"{_some(len(claims), 'claim was', 'claims were')} verified, but no sentence made of them could be kept."
    if findings.brief.request.shape.depth == 0:
        return f"{early} before there was an answer; nothing was searched, as depth=0 asks for."
    if findings.documents:
        read = f"{_some(len(findings.documents), 'page was', 'pages were')} read"
        if early:
            return f"{early} when {read}, and no words that answer the question were found in what was looked at."
        return f"{read[0].upper()}{read[1:]}, and no words that answer the question were found."
    if any(page.reason not in {"off_limits", "slow"} for page in findings.unread):
        found = _some(len(findings.unread), "page that was found was", "pages that were found were")
        return f"{early + '. ' if early else ''}None of the {found} read; why stands below."
    if not any(fared["answered"] for fared in findings.engines.values()):
        failed = "No search engine answered; which failed and why stands below." if findings.failures else ""
        return " ".join(filter(None, (early and f"{early} before anything was found.", failed))) or _NOBODY
    if early:
        return f"{early} before a page was read."
    return "The search found no page for this question within the limits asked for."


_NOBODY = "No search engine was asked."


def _some(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _warnings(findings: Findings, claims: Sequence[Claim]) -> list[str]:
    warnings: list[str] = []
    if findings.ceiling:
        warnings.append(
            f"The research was cut short: {findings.ceiling} was met. What is missing stands under"
            " “What could not be established”."
        )
    single = sum(claim.independent < 2 for claim in claims if claim.verdict == "supported")
    if claims and single == len(claims):
        warnings.append("Every claim rests on one source.")
    elif single:
        warnings.append(f"{single} of {len(claims)} claims rest on one source.")
    for flag, said in _TOLD.items():
        flagged = [one.title or one.url for one in findings.documents.values() if flag in one.flags]
        if flagged:
            named = ", ".join(f"“{title}”" for title in flagged[:_NAMED])
            more = f" and {len(flagged) - _NAMED} more" if len(flagged) > _NAMED else ""
            warnings.append(f"{_some(len(flagged), *said)}: {named}{more}.")
    return warnings


_TOLD = {
    "hidden_text": (
        "page holds text that no reader sees; it was left out",
        "pages hold text that no reader sees; it was left out",
    ),
    "planted": (
        "page holds text addressed to AI systems; it was left out",
        "pages hold text addressed to AI systems; it was left out",
    ),
}
"""Flag of a document → what a reader is told of one such page, and of several."""
_NAMED = 3
"""Titles in such a warning."""


def _sources(documents: Mapping[str, Document], citations: Sequence[Citation]) -> tuple[SourceRow, ...]:
    cited = {citation.source_id for citation in citations}
    return tuple(_row(document, cited=document.source_id in cited) for document in documents.values())


def _row(document: Document, *, cited: bool) -> SourceRow:
    return SourceRow(
        source_id=document.source_id,
        url=document.url,
        title=document.title,
        site=document.site,
        author=document.author,
        published=document.published,
        read_at=document.read_at,
        kind=document.kind,
        language=document.language,
        snapshot=document.snapshot,
        length=document.length,
        cited=cited,
        flags=document.flags,
    )


def _plan(findings: Findings) -> dict[str, Any]:
    return findings.plan.model_dump(mode="json") if findings.plan else {}
