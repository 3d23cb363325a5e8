"""What every report has, of a research or of a check: its facts, its warnings about pages, its Markdown."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from deepresearch_mcp.pipeline.headings import Headings, headings_in
from deepresearch_mcp.records.report import Section
from deepresearch_mcp.records.run import (
    Metrics,
    Provenance,
    RunStatus,
)
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.markdown import escape
from deepresearch_mcp.text.urls import normalise_url


@dataclass(frozen=True, slots=True)
class Facts:
    """What the runtime knows of a run beyond its findings."""

    run_id: str
    status: RunStatus
    metrics: Metrics
    provenance: Provenance
    warnings: tuple[str, ...]
    path: str
    without_model: str = ""
    """What rules did because a model failed, for the top of a report that rules wrote; empty if nothing."""
    by_rules: str = ""
    """The same in plain words, for the end of a report that a model wrote."""
    replaced: tuple[str, ...] = ()
    """The warnings that `by_rules` tells in short."""
    summary_tokens: int = 0
    """Length of the summary of a source; 0: no summary."""


def how_many(number: int, one: str, more: str) -> str:
    """`3 pages`, `1 page`."""
    return f"{number} {one if number == 1 else more}"


def page_warnings(documents: Iterable[Document], flags_of: Callable[[Document], Collection[str]]) -> list[str]:
    """Warnings about pages with text that is not meant for readers."""
    known = [(document.title or document.url, flags_of(document)) for document in documents]
    warnings: list[str] = []
    for flag, said in _TOLD.items():
        flagged = [title for title, flags in known if flag in flags]
        if flagged:
            named = ", ".join(f"“{title}”" for title in flagged[:_NAMED])
            more = f" and {len(flagged) - _NAMED} more" if len(flagged) > _NAMED else ""
            warnings.append(f"{how_many(len(flagged), *said)}: {named}{more}.")
    return warnings


def page_note(flags: Iterable[Collection[str]]) -> str:
    """The same in a sentence for the end of a report; the pages are named in the run's warnings."""
    flagged = [set(own) & _TOLD.keys() for own in flags]
    many = sum(map(bool, flagged))
    kinds = [said for flag, said in _KINDS.items() if any(flag in own for own in flagged)]
    return f"Left out of {how_many(many, 'page', 'pages')}: {' and '.join(kinds)}." if many else ""


_KINDS = {"hidden_text": "text that no reader sees", "planted": "text addressed to AI systems"}
_TOLD = {
    "hidden_text": (
        "page holds text that no reader sees; that text alone was left out",
        "pages hold text that no reader sees; that text alone was left out",
    ),
    "planted": (
        "page holds text addressed to AI systems; that text alone was left out",
        "pages hold text addressed to AI systems; that text alone was left out",
    ),
}
"""Flag of a document → the warning for one such page, and for several."""
_NAMED = 3
"""Titles that a warning names."""
REASONS = {
    "address_refused": "refused as unsafe addresses",
    "robots": "refused by robots.txt",
    "not_found": "not found",
    "paywalled": "paywalled",
    "blocked": "blocked",
    "consent_wall": "behind a consent form",
    "parked": "on parked domains",
    "trap": "made as traps for crawlers",
    "rate_limited": "rate limited",
    "timed_out": "timed out",
    "unreachable": "unreachable",
    "server_error": "with server errors",
    "too_large": "too large",
    "unsupported_type": "of a type that cannot be read",
    "unparsable": "unparsable",
    "empty": "without text",
    "encrypted": "encrypted",
    "scanned": "scanned, without text",
    "missing_extra": "in need of an extra package",
    "off_limits": "outside the limits asked for",
    "domain_cap": "beyond the pages of one site",
    "circuit_open": "on hosts that kept failing",
    "ceiling": "past a limit of the run",
    "slow": "too slow",
    "low_quality": "below the quality asked for",
    "not_peer_reviewed": "not peer reviewed",
    "no_ai": "closed to AI by their sites",
}
"""`exceptions.UnreadReason` → the words for it in a report."""
_REMEDIES = 2
"""Causes with a remedy that are told for one reason, the most frequent first."""


def not_read(unread: Sequence[Unread]) -> str:
    """How many pages were not read for which reason, the most frequent first; and which setting keeps them out.

    No address is named: one of the network here is nothing for everybody who reads a report.
    """
    reasons = Counter(page.reason for page in unread)
    return ", ".join(
        f"{number} {REASONS.get(reason, reason)}{_remedy([one for one in unread if one.reason == reason])}"
        for reason, number in reasons.most_common()
    )


def _remedy(unread: Sequence[Unread]) -> str:
    causes = Counter((page.detail, page.action) for page in unread if page.action)
    told = (f"{detail} {action}" for (detail, action), _ in causes.most_common(_REMEDIES))
    return f" ({escape(' '.join(told))})" if causes else ""


def own_not_read(unread: Sequence[Unread], own: Collection[str]) -> str:
    """A sentence on the pages that the user named and that were not read; empty where all were."""
    wanted = {normalise_url(url) or url for url in own}
    missed = [one for one in unread if (normalise_url(one.url) or one.url) in wanted]
    told = [f"{one.url} ({REASONS.get(one.reason, one.reason)})" for one in missed[:_NAMED]]
    more = f" and {len(missed) - _NAMED} more" if len(missed) > _NAMED else ""
    return f"Not read of the pages that you named: {', '.join(told)}{more}." if told else ""


_LEADS = frozenset({"without_model", "short"})
"""Parts at the top of a report, which have no heading of their own."""
_ENGLISH = headings_in("en")


def without_model(told: str, words: Headings = _ENGLISH) -> list[Section]:
    """The first part of a report if rules did the work of a model; otherwise nothing."""
    return [Section(heading=words.without_model, markdown=escape(told), part="without_model")] if told else []


def markdown(title: str, sections: Sequence[Section], last: str, words: Headings = _ENGLISH) -> str:
    """The whole report as one text."""
    parts = [f"# {escape(title)}"]
    for section in sections:
        if section.part in _LEADS:
            # Before a label in bold it stands alone.
            apart = "\n\n" if section.markdown.startswith("**") else " "
            parts.append(f"**{section.heading}{words.stop}**{apart}{section.markdown}")
        else:
            parts.append(f"## {escape(section.heading)}\n\n{section.markdown}")
    return "\n\n".join([*parts, f"---\n\n{last}"]) + "\n"
