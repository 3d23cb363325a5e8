"""Source: what the report says of its sources: a row for each, a word of its kind, and what to be careful about."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.placing import assign_claims
from deepresearch_mcp.pipeline.report.summaries import summaries
from deepresearch_mcp.quality.scale import DOCUMENTATION, INTRANET, UNKNOWN
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.quality import Flag, Quality
from deepresearch_mcp.records.report import Citation, SourceRow
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.thinkers.extractive.outlining import heading_of

_NAMED = 3
"""Subjects named in one warning at most."""
_LONGEST = 90
"""Characters of a title or subject in a warning."""


def source_rows(
    findings: Findings,
    citations: Sequence[Citation],
    claims: Sequence[Claim],
    grades: Mapping[str, Quality],
    summary_tokens: int,
) -> tuple[SourceRow, ...]:
    """Every document read, graded; with a summary (0 tokens: without) where it gave a claim that stands."""
    cited = {citation.source_id for citation in citations}
    gave = {quote.source_id for claim in claims for quote in claim.quotes}
    questions = [findings.brief.question, *(part.text for part in findings.sub_questions)]
    said = summaries(findings.documents, sorted(cited | gave), questions, summary_tokens) if summary_tokens else {}
    return tuple(
        SourceRow(
            source_id=name,
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
            cited=name in cited,
            flags=document.flags,
            quality=grades.get(name),
            summary=said.get(name, ""),
        )
        for name, document in findings.documents.items()
    )


def kinds(grades: Mapping[str, Quality]) -> dict[str, str]:
    """What sort of source each is, in a word or two for people; those of no known kind are left out."""
    found: dict[str, str] = {}
    for name, quality in grades.items():
        words = (
            [] if quality.kind in {UNKNOWN, INTRANET} else [_WORDS.get(quality.kind, quality.kind.replace("_", " "))]
        )
        if quality.peer_reviewed and quality.kind != "peer_reviewed":
            words.append("peer reviewed")
        if words:
            found[name] = ", ".join(words)
    return found


_WORDS = {DOCUMENTATION: "official documentation"}


def source_cautions(findings: Findings, citations: Sequence[Citation], grades: Mapping[str, Quality]) -> list[str]:
    """What a reader should know of the sources cited: one sentence for each thing, five at most."""
    cited = [findings.documents[name] for name in dict.fromkeys(citation.source_id for citation in citations)]
    said = [_old(findings, {document.source_id for document in cited}, grades)]
    said += [_flagged(flag, cited, grades) for flag in _SAID]
    return [sentence for sentence in said if sentence]


OUTDATED = "Information"
"""Begins the caution about parts whose sources are all old."""
_SIDES = "may take sides (advertising, opinion or self-praise)"
_SAID: Mapping[Flag, tuple[str, str]] = {
    "low_authority": ("is of low authority", "are of low authority"),
    "machine_generated": ("shows signs of text written by a machine", "show signs of text written by a machine"),
    "potential_bias": (_SIDES, _SIDES),
    "paywalled": ("was read only as far as its paywall lets", "were read only as far as their paywalls let"),
}


def _flagged(flag: Flag, cited: Sequence[Document], grades: Mapping[str, Quality]) -> str:
    found = [document for document in cited if flag in grades[document.source_id].flags]
    if not found:
        return ""
    name = _short(found[0].title or found[0].url)
    which = f"“{name}”" if len(found) == 1 else f"“{name}” among them"
    return f"{len(found)} of {len(cited)} cited sources {_SAID[flag][len(found) > 1]}: {which}."


def _old(findings: Findings, cited: Collection[str], grades: Mapping[str, Quality]) -> str:
    """Parts of the question for which everything cited is outdated, each with the years that it is from."""
    found: list[str] = []
    # What was read for the question as a whole belongs to its parts, as it does in the sections.
    placed = assign_claims(findings.of(WHOLE_QUESTION).claims, findings.sub_questions)
    for part in findings.sub_questions:
        claims = (*findings.of(part.id).claims, *placed[part.id])
        if findings.digest:
            # A digest cites its passages, whatever sentences were looked at for a part.
            claims = [claim for claim in findings.passages.values() if claim.sub_question == part.id]
        if days := _days(claims, findings.documents, cited, grades):
            when = _when(days[0], days[-1], findings.brief.today)
            found.append(f"on “{_short(heading_of(part.text))}” is from {when}")
    if not found:
        return ""
    more = len(found) - _NAMED
    rest = f", and on {more} more part{'s' * (more > 1)} as old" if more > 0 else ""
    return f"{OUTDATED} {', '.join(found[:_NAMED])}{rest}."


def _when(first: date, last: date, today: date) -> str:
    if last.year == today.year:
        return f"{last.isoformat()[:7]} at the latest"
    return str(last.year) if first.year == last.year else f"{first.year} to {last.year}"


def _days(
    claims: Sequence[Claim], documents: Mapping[str, Document], cited: Collection[str], grades: Mapping[str, Quality]
) -> list[date]:
    """When their cited sources were published, in order, where all of them are outdated; else none."""
    own = {quote.source_id for claim in claims for quote in claim.quotes} & set(cited)
    if any("outdated" not in grades[name].flags for name in own):
        return []
    return sorted(published for name in own if (published := documents[name].published))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rsplit(' ', 1)[0]}…"
