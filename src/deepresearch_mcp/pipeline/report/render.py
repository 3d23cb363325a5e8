"""Render the finished report as Markdown: the answer first, its own figures last."""

from collections import Counter
from collections.abc import Mapping, Sequence

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.block_markdown import (
    NOTE,
    are_labelled,
    judges,
    paragraph,
    prose,
    section_markdown,
)
from deepresearch_mcp.pipeline.report.described import as_sentences
from deepresearch_mcp.pipeline.report.differing import Dispute, disputes
from deepresearch_mcp.pipeline.report.paragraphs import paragraphs
from deepresearch_mcp.pipeline.report_frame import MISSING, REASONS
from deepresearch_mcp.records.evidence import Verdict
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import ClaimCount, Draft, Section, Table, WrittenSection
from deepresearch_mcp.records.run import Metrics
from deepresearch_mcp.records.sources import EngineFailure, Unread
from deepresearch_mcp.text.markdown import escape, inline


def body(brief: Brief, draft: Draft, numbering: Numbering, gaps: Sequence[str]) -> list[Section]:
    """The sections in their order with their marks, `In short` first. The first one that judges says what is ours."""
    sections: list[Section] = []
    told = judges((*draft.in_short, *draft.described))
    if draft.in_short:
        rows = paragraphs(draft.in_short)
        parts = [paragraph(one, numbering, labelled=are_labelled(rows)) for one in rows]
        described = prose(as_sentences(draft.described, brief.language), numbering)
        text = "\n\n".join(filter(None, (*parts, described, NOTE if told else "")))
        sections.append(Section(heading="In short", markdown=text, sentences=(*draft.in_short, *draft.described)))
    if brief.request.mode == "answer":
        return sections
    for written in draft.sections:
        sections.append(_section(written, numbering, note=not told))
        told = told or judges(written.sentences)
    at_odds = disputes(draft.differences, numbering.claims)
    if at_odds:
        lines = "\n".join(f"- {_dispute(one, numbering)}" for one in at_odds)
        said = tuple(sentence for one in at_odds for sentence in one.sides)
        sections.append(Section(heading="Where sources differ", markdown=lines, sentences=said))
    if gaps:
        lines = "\n".join(f"- {inline(text)}" for text in gaps)
        sections.append(Section(heading=MISSING, markdown=lines))
    return sections


def _section(written: WrittenSection, numbering: Numbering, *, note: bool) -> Section:
    running = (block for block in written.blocks if block.kind != "table")
    tables = (block for block in written.blocks if block.kind == "table")
    return Section(
        heading=written.heading,
        markdown=section_markdown(written, numbering, note=note),
        sentences=tuple(sentence for block in running for sentence in block.sentences),
        tables=tuple(Table(title=one.title, head=one.head, rows=one.rows) for one in tables),
    )


def _dispute(dispute: Dispute, numbering: Numbering) -> str:
    sides = " — ".join(numbering.sentence(sentence) for sentence in dispute.sides)
    return f"{sides} ({inline(dispute.reason)})" if dispute.reason else sides


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
    verdict: Sequence[str] = (),
    digest: str = "",
) -> str:
    """The figures of a report: evidence, `doubtful` claims, the `verdict` on the research, what was not read, cost.

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
        *map(escape, verdict),
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
