"""Render the finished report as Markdown: the answer first, its own figures last."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from deepresearch_mcp.pipeline.headings import Headings, headings_in
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.block_markdown import (
    are_labelled,
    judges,
    paragraph,
    section_markdown,
)
from deepresearch_mcp.pipeline.report.described import as_sentences
from deepresearch_mcp.pipeline.report.differing import Dispute, disputes
from deepresearch_mcp.pipeline.report.gaps import Missing
from deepresearch_mcp.pipeline.report.paragraphs import paragraphs
from deepresearch_mcp.pipeline.report_frame import how_many, not_read
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import ClaimCount, Draft, Section, Table, WrittenSection
from deepresearch_mcp.records.run import Metrics
from deepresearch_mcp.records.sources import TOO_LATE, EngineFailure, Unread
from deepresearch_mcp.text.citations import NOTE
from deepresearch_mcp.text.markdown import escape, inline

_ENGLISH = headings_in("en")


def body(brief: Brief, draft: Draft, numbering: Numbering, missing: Missing) -> list[Section]:
    """The sections in their order with their marks, the answer first. The first one that judges says what is ours."""
    sections: list[Section] = []
    words = headings_in(brief.language)
    told = judges((*draft.in_short, *draft.described))
    if draft.in_short:
        rows = paragraphs(draft.in_short)
        short = bool(draft.sections) and len(draft.in_short) > 1 and brief.request.mode != "answer"
        labelled = are_labelled(rows)
        parts = [paragraph(one, numbering, labelled=labelled, opening=short) for one in rows]
        parts = _with_list(parts) if labelled and short else parts
        described = paragraph(as_sentences(draft.described, brief.language), numbering, opening=short)
        text = "\n\n".join(filter(None, (*parts, described, NOTE if told else "")))
        said = (*draft.in_short, *draft.described)
        sections.append(Section(heading=words.short, markdown=text, sentences=said, part="short"))
    if brief.request.mode == "answer":
        return sections
    for written in draft.sections:
        sections.append(_section(written, numbering, note=not told))
        told = told or judges(written.sentences)
    at_odds = disputes(draft.differences, numbering.claims)
    if at_odds:
        lines = "\n".join(f"- {_dispute(one, numbering)}" for one in at_odds)
        said = tuple(sentence for one in at_odds for sentence in one.sides)
        sections.append(Section(heading=words.differences, markdown=lines, sentences=said, part="differences"))
    parts = (_listed(missing.others), missing.tried, _listed(missing.sought))
    if lines := "\n\n".join(filter(None, parts)):
        sections.append(Section(heading=words.missing, markdown=lines, part="missing"))
    return sections


_A_LIST = 3
"""Labelled paragraphs in a row from which they are shown as a list, which is taken in at a glance."""


def _with_list(parts: Sequence[str]) -> list[str]:
    """The paragraphs of an opening, those with a label as one list if there are several in a row."""
    shown: list[str] = []
    for labelled, run in groupby(parts, lambda text: text.startswith("**")):
        texts = list(run)
        is_list = labelled and len(texts) >= _A_LIST
        shown += ["\n".join(f"- {text}" for text in texts)] if is_list else texts
    return shown


def _section(written: WrittenSection, numbering: Numbering, *, note: bool) -> Section:
    running = (block for block in written.blocks if block.kind != "table")
    tables = (block for block in written.blocks if block.kind == "table")
    return Section(
        heading=written.heading,
        markdown=section_markdown(written, numbering, note=note),
        sentences=tuple(sentence for block in running for sentence in block.sentences),
        tables=tuple(Table(title=one.title, head=one.head, rows=one.rows) for one in tables),
    )


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {inline(text)}" for text in texts)


def _dispute(dispute: Dispute, numbering: Numbering) -> str:
    sides = " — ".join(numbering.sentence(sentence) for sentence in dispute.sides)
    return f"{sides} ({inline(dispute.reason)})" if dispute.reason else sides


def closing(
    first: str,
    unread: Sequence[Unread],
    failures: Sequence[EngineFailure],
    metrics: Metrics,
    thinker: str,
    notes: Sequence[str],
    words: Headings = _ENGLISH,
) -> str:
    """The last lines of a report: `first`, which says how far it answers; what was read; the cost; what to know.

    All other figures are in the run object.
    """
    missed = not_read([page for page in unread if page.reason not in _CHOSEN])
    fared = (_fared(name, figures, failures) for name, figures in metrics.engines.items())
    engines = ", ".join(filter(None, fared)) or "no engine"
    told = [note if note.endswith((".", "!", "?", "…")) else f"{note}." for note in notes]
    lines = [
        escape(first),
        f"{words.read}: {how_many(metrics.pages, 'page', 'pages')}{f'; not read: {missed}' if missed else ''}"
        f" · searched: {engines}",
        f"{words.cost}: {_paid(metrics)} · {_took(metrics.seconds)} · {_model(thinker)}",
        f"{words.note}: {escape(' '.join(told))}" if told else "",
    ]
    return "  \n".join(filter(None, lines))


def _paid(metrics: Metrics) -> str:
    cents = metrics.usd >= _CENT or not metrics.usd
    usd = f"${metrics.usd:.2f}" if cents else f"${metrics.usd:.4f}"
    return usd if metrics.usd_known else f"{usd} and calls of unknown price"


def _took(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _LONG else f"{seconds / 60:.0f} min"


def _model(thinker: str) -> str:
    """The models that took part; which step was whose is in the run object."""
    names = [one for one in _STEPS.sub("", thinker).split(", ") if one != "extractive"]
    return f"model: {', '.join(names)}" if names else "no language model"


def evidence_line(counts: ClaimCount) -> str:
    """The first closing line where nothing was assessed."""
    return f"Evidence: {counts.verdicts.get('supported', 0)} of {how_many(counts.claims, 'claim', 'claims')} supported"


_CHOSEN = frozenset({"ceiling", "domain_cap", "slow"})
"""Reasons that say how the run chose among pages, not what kept it from one. The run object has them all."""
_STEPS = re.compile(r" \([^()]*\)")
_CENT = 0.005
"""Dollars from which two decimals show a cost."""
_LONG = 90
"""Seconds from which minutes are given."""
_REASONS = 2
"""Reasons that are told for one engine, the most frequent first."""


def _fared(name: str, figures: Mapping[str, int], failures: Sequence[EngineFailure]) -> str:
    """An engine, and what kept it from answering; "" for one that came too late each time, as the slower ones do."""
    answered, asked = figures.get("answered", 0), figures.get("asked", 0)
    reasons = Counter(failure.reason.rstrip(".") for failure in failures if failure.engine == name)
    late = reasons.pop(TOO_LATE, 0)
    if answered + late >= asked:
        return name if answered else ""
    why = "; ".join(reason for reason, _ in reasons.most_common(_REASONS))
    return f"{name} answered {answered} of {asked}{f' ({escape(why)})' if why else ''}"
