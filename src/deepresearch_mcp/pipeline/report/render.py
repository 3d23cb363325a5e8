"""Render the finished report as Markdown: the answer first, its own figures last."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.differing import Dispute, disputes
from deepresearch_mcp.pipeline.report.passage_markdown import passages
from deepresearch_mcp.pipeline.report_frame import REASONS
from deepresearch_mcp.records.evidence import Verdict
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Citation, ClaimCount, Draft, Section
from deepresearch_mcp.records.run import Metrics
from deepresearch_mcp.records.sources import Document, EngineFailure, Unread
from deepresearch_mcp.text.markdown import escape


def body(brief: Brief, draft: Draft, numbering: Numbering, gaps: Sequence[str]) -> list[Section]:
    """The sections in their order with their marks, `In short` first."""
    sections: list[Section] = []
    if draft.in_short:
        sections.append(Section(heading="In short", markdown=numbering.paragraph(draft.in_short)))
    for written in draft.sections:
        paragraphs = (numbering.paragraph(paragraph) for paragraph in written.paragraphs)
        text = "\n\n".join((*paragraphs, *passages(written.blocks, numbering)))
        sections.append(Section(heading=written.heading, markdown=text))
    if brief.request.mode == "answer":
        return sections
    at_odds = disputes(draft.differences, numbering.claims)
    if at_odds:
        lines = "\n".join(f"- {_dispute(one, numbering)}" for one in at_odds)
        sections.append(Section(heading="Where sources differ", markdown=lines))
    for heading, plain in (("What could not be established", gaps), ("Next steps", draft.next_steps)):
        if plain:
            lines = "\n".join(f"- {escape(' '.join(text.split()))}" for text in plain)
            sections.append(Section(heading=heading, markdown=lines))
    return sections


def _dispute(dispute: Dispute, numbering: Numbering) -> str:
    sides = " — ".join(numbering.sentence(sentence) for sentence in dispute.sides)
    return f"{sides} ({escape(dispute.reason)})" if dispute.reason else sides


_NO_KINDS: Mapping[str, str] = MappingProxyType({})


def references(
    citations: Sequence[Citation], documents: Mapping[str, Document], kinds: Mapping[str, str] = _NO_KINDS
) -> Section:
    """One line for each citation: the source, its kind, when it was read, and the words."""
    lines: list[str] = []
    for citation in citations:
        document = documents[citation.source_id]
        facts = [
            document.site,
            document.published.isoformat() if document.published else "undated",
            "" if document.kind == "html" else document.kind.upper(),
            escape(kinds.get(citation.source_id, "")),
            f"read {document.read_at.date().isoformat()}",
        ]
        title = escape(document.title or document.url)
        quote = escape(" ".join(citation.quote.split()))
        link = f" [↗](<{citation.link}>)" if citation.link.startswith("http") else f" {escape(citation.link)}"
        lines.append(f"- [{citation.number}] “{title}”, {', '.join(filter(None, facts))} · “{quote}”{link}")
    return Section(heading="References", markdown="\n".join(lines))


_BESIDE: tuple[Verdict, ...] = ("partly", "disputed", "unsupported", "unverifiable")
"""Verdicts whose number is told if there are any."""


def closing(
    counts: ClaimCount,
    unread: Sequence[Unread],
    failures: Sequence[EngineFailure],
    metrics: Metrics,
    thinker: str,
    warnings: Sequence[str],
    doubtful: Sequence[str] = (),
    digest: str = "",
) -> str:
    """The figures of a report: evidence with `doubtful` claims, what was not read and why, cost.

    `digest` says, of a digest, what it found in the place of figures on claims.
    """
    supported = counts.verdicts.get("supported", 0)
    evidence = [
        f"{counts.claims} claims",
        f"{supported} supported",
        f"{counts.independent} by two or more independent sources",
        *(
            [f"{counts.thin} by several sources, but fewer than two reliable enough to confirm each other"]
            if counts.thin
            else []
        ),
        *(f"{number} {verdict}" for verdict in _BESIDE if (number := counts.verdicts.get(verdict, 0))),
        f"{counts.removed} sentence{'' if counts.removed == 1 else 's'} removed as unsupported"
        + (f", {counts.restored} of them for their claims' own words" if counts.restored else ""),
        f"{counts.repaired} repaired",
    ]
    reasons = Counter(page.reason for page in unread)
    not_read = (
        ", ".join(f"{number} {REASONS.get(reason, reason)}" for reason, number in reasons.most_common()) or "nothing"
    )
    engines = ", ".join(_fared(name, figures, failures) for name, figures in metrics.engines.items()) or "none asked"
    usd = f"${metrics.usd:.2f}" if metrics.usd_known else f"${metrics.usd:.2f} and calls of unknown price"
    tokens = metrics.input_tokens + metrics.output_tokens
    searches = f"{metrics.searches} searches" + (f" (${metrics.search_usd:.4f})" if metrics.search_usd else "")
    cost = f"{usd}, {tokens:,} tokens, {searches}, {metrics.pages} pages, {metrics.seconds:.0f} s · thinking: {thinker}"
    lines = [
        escape(digest) or f"Evidence: {' · '.join(evidence)}",
        *map(escape, doubtful),
        f"Not read: {not_read} · engines: {engines}",
        f"Cost: {cost}",
        *(f"Note: {escape(warning)}" for warning in warnings),
    ]
    return "  \n".join(lines)


_REASONS = 2
"""Reasons that are told for one engine, the most frequent first."""


def _fared(name: str, figures: Mapping[str, int], failures: Sequence[EngineFailure]) -> str:
    text = f"{name} answered {figures.get('answered', 0)} of {figures.get('asked', 0)}"
    reasons = Counter(failure.reason.rstrip(".") for failure in failures if failure.engine == name)
    why = "; ".join(reason for reason, _ in reasons.most_common(_REASONS))
    return f"{text} ({escape(why)})" if why else text
