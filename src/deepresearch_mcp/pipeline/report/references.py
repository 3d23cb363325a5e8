"""The list of references: one entry a source, its quotes below it."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from deepresearch_mcp.pipeline.report.opening import shortened
from deepresearch_mcp.records.report import Citation, Section
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.markdown import escape

QUOTE_SHOWN = 160
"""The most characters of a quote in the list; the run object has all of it."""
QUOTE_RECOGNISED = 70
"""Characters that are shown of a quote however many there are."""
_OF_TEXT = 0.5
"""How long the list may be, as shown, compared with the text that it belongs to."""
_AROUND = 10
"""Characters of a line besides the quote."""
_TITLE_SHOWN = 150
_NO_KINDS: Mapping[str, str] = MappingProxyType({})


def references(
    citations: Sequence[Citation],
    documents: Mapping[str, Document],
    kinds: Mapping[str, str] = _NO_KINDS,
    *,
    beside: int = 0,
) -> Section:
    """An entry for each source: title, site, date, version, kind, when it was read; below it the quotes, one a line.

    `beside` is how long the rest of the report is: where there are many quotes, each is shown shorter. 0: no matter.
    """
    by_source = [list(own) for _, own in groupby(citations, lambda one: one.number)]
    entries = [
        f"- [{own[0].number}] {_source(one, kinds.get(one.source_id, ''))}"
        for own in by_source
        for one in [documents[own[0].source_id]]
    ]
    room = _OF_TEXT * beside - sum(map(len, entries)) if beside else float("inf")
    shown = _shown([len(one.quote) for one in citations], room)
    lines: list[str] = []
    for entry, own in zip(entries, by_source, strict=True):
        lines.append(entry)
        lines += [f"  - {f'{one.part} ' if one.part else ''}{_quoted(one, shown)}" for one in own]
    return Section(heading="References", markdown="\n".join(lines))


def _shown(lengths: Sequence[int], room: float) -> int:
    """How many characters of each quote are shown, so that all of them take no more than the room."""
    fitting = (
        shown
        for shown in range(QUOTE_SHOWN, QUOTE_RECOGNISED, -10)
        if sum(min(length, shown) + _AROUND for length in lengths) <= room
    )
    return next(fitting, QUOTE_RECOGNISED)


def _source(document: Document, kind: str) -> str:
    facts = [
        document.site,
        document.published.isoformat() if document.published else "undated",
        version_of(document),
        "" if document.kind == "html" else document.kind.upper(),
        escape(kind),
        f"read {document.read_at.date().isoformat()}",
    ]
    title = escape(_cut(document.title or document.url, _TITLE_SHOWN))
    return f"“{title}”, {', '.join(filter(None, facts))}"


def _quoted(citation: Citation, shown: int) -> str:
    # Quotes that begin with an item or a row keep its mark in the run object alone.
    quote = escape(_cut(citation.quote.lstrip(" \n\t-*•|#>"), shown))
    link = f" [↗](<{citation.link}>)" if citation.link.startswith("http") else f" {escape(citation.link)}"
    return f"“{quote}”{link}"


def _cut(text: str, most: int) -> str:
    return shortened(" ".join(text.split()), most)


_IN_PATH = re.compile(r"/(?:v|version-?|release-?)?(\d{1,3}(?:\.\d{1,3}){1,3})(?:/|$)", re.IGNORECASE)
_OF_DOCS = re.compile(r"/docs?/(?:v|version-?)?(\d{1,3})(?:/|$)", re.IGNORECASE)
"""`/en/3.2/` is a version; a bare `/18/` only where it stands right behind `/docs/`."""


def version_of(document: Document) -> str:
    """`version 3.2`, where the address names the version that a page describes and its title does not; else empty."""
    path = document.url.partition("#")[0].partition("?")[0]
    found = _IN_PATH.search(path) or _OF_DOCS.search(path)
    if found is None or re.search(rf"(?<![\d.]){re.escape(found[1])}(?![\d.]*\d)", document.title):
        return ""
    return f"version {found[1]}"
