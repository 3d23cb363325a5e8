"""The list of references: one entry a source, and in one line below it the quotes that marks name by letter."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from deepresearch_mcp.pipeline.headings import Headings, headings_in
from deepresearch_mcp.pipeline.report.opening import shortened
from deepresearch_mcp.records.report import Citation, Section
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.citations import link_to_quotes
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.markdown import escape
from deepresearch_mcp.text.passages import headings_of

QUOTE_SHOWN = 60
"""The most characters of a quote in the list: how it begins. The run object has all of it."""
_TITLE_SHOWN = 150
_UNDER = 80
"""Characters of a heading in the list."""
_INNER = str.maketrans('“”„«»"', "‘’‚‹›'")
"""Quotation marks inside a quote: no words of a page end it early where the list is read again."""
_ENGLISH = headings_in("en")
_NO_KINDS: Mapping[str, str] = MappingProxyType({})


def references(
    citations: Sequence[Citation],
    documents: Mapping[str, Document],
    kinds: Mapping[str, str] = _NO_KINDS,
    words: Headings = _ENGLISH,
    named: Collection[str] | None = None,
) -> Section:
    """An entry for each source: title, link, site, date, version, kind; below it how its quotes begin, by letter.

    `named` are the quotes that the text names by letter, as `3a`: only these are listed, or the first where a source
    has none; None: all. The run object has every one. The link opens the page with what is listed marked: one address a
    source, as a list of long addresses hides what was quoted. The day of reading stands once above the list, or, where
    there are several, in each entry.
    """
    cited = [documents[name] for name in dict.fromkeys(one.source_id for one in citations)]
    days = {document.read_at.date().isoformat() for document in cited}
    lines = [f"{words.read_on.format(days=', '.join(days))}{words.stop}", ""] if len(days) == 1 else []
    for number, own in groupby(citations, lambda one: one.number):
        every = list(own)
        quotes = [one for one in every if named is None or f"{number}{one.part}" in named] or every[:1]
        document = documents[quotes[0].source_id]
        entry = _source(document, quotes, kinds.get(document.source_id, ""), dated=len(days) > 1)
        lines.append(f"- [{number}] {entry}")
        lines.append(f"  - {' · '.join(f'{one.part} {_quoted(one, document)}'.strip() for one in quotes)}")
    return Section(heading=words.references, markdown="\n".join(lines), part="references")


def _source(document: Document, quotes: Sequence[Citation], kind: str, *, dated: bool) -> str:
    facts = [
        document.site,
        document.published.isoformat() if document.published else "undated",
        version_of(document),
        "" if document.kind == "html" else document.kind.upper(),
        escape(kind),
        f"read {document.read_at.date().isoformat()}" if dated else "",
    ]
    title = escape(_cut(document.title or document.url, _TITLE_SHOWN))
    link = link_to_quotes([one.link for one in quotes])
    opened = f" [↗](<{link}>)" if link.startswith("http") else f" {escape(link)}"
    return f"“{title}”{opened}, {', '.join(filter(None, facts))}"


def _quoted(citation: Citation, document: Document) -> str:
    # Quotes that begin with an item or a row keep its mark in the run object alone.
    quote = escape(_cut(citation.quote.lstrip(" \n\t-*•|#>").translate(_INNER), QUOTE_SHOWN))
    # A page of the web is opened at the words themselves; a file of a collection is looked into by hand.
    under = headings_of(citation.heading)[-1:] if citation.url.startswith(LIBRARY) else ()
    where = (
        _leaves(citation, document),
        *(f"under {escape(_cut(one.translate(_INNER), _UNDER))}" for one in under),
    )
    return f"“{quote}”{''.join(f', {one}' for one in where if one)}"


def _leaves(citation: Citation, document: Document) -> str:
    """`p. 24`, or `p. 24–25` of words that go over the end of a page; empty for what has no pages."""
    first, last = citation.page, document.page_at(citation.end - 1)
    return f"p. {first}–{last}" if first and last and last > first else f"p. {first}" if first else ""


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
