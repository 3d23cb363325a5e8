"""Serves the paragraphs of a set as a small web with a search engine, one page per paragraph."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.store.fulltext import match_query, searchable
from deepresearch_mcp.text.urls import normalise_url
from deepresearch_mcp.web.snapshot import source_id

_SNIPPET = 300
"""Longest snippet of a hit, in characters."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One paragraph of a set."""

    id: str
    title: str
    text: str

    @property
    def address(self) -> str:
        """The address of its page, on a host of its own, so that the cap on pages per domain excludes none."""
        return f"https://p{self.id}.example/"


class Corpus(SearchEngine, Web):
    """The ports `SearchEngine` and `Web` over one set of paragraphs.

    It searches like the product's own full-text search: FTS5 with porter stemming, matching any word of the query. A
    word in the title counts four times as much as one in the text; ties are in the order of addresses.
    """

    def __init__(self, papers: Iterable[Paper], clock: Clock) -> None:
        self._papers = {normalise_url(paper.address): paper for paper in papers}
        self._clock = clock
        self._index = sqlite3.connect(":memory:")
        self._index.execute(
            "CREATE VIRTUAL TABLE papers USING fts5("
            "address UNINDEXED, title, body, tokenize='porter unicode61 remove_diacritics 2')"
        )
        self._index.executemany(
            "INSERT INTO papers VALUES(?, ?, ?)",
            ((url, searchable(paper.title), searchable(paper.text)) for url, paper in self._papers.items()),
        )

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def ranked(self, query: str, limit: int) -> list[Paper]:
        """The best `limit` paragraphs for a query, best first."""
        if not (words := match_query(query)):
            return []
        found: Sequence[tuple[str]] = self._index.execute(
            "SELECT address FROM papers WHERE papers MATCH ? ORDER BY bm25(papers, 0, 4.0, 1.0), address LIMIT ?",
            (words, limit),
        ).fetchall()
        return [self._papers[address] for (address,) in found]

    @property
    @override
    def name(self) -> str:
        return "corpus"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        del needs
        return [
            Hit(url=paper.address, title=paper.title, snippet=paper.text[:_SNIPPET], engines=(self.name,))
            for paper in self.ranked(query.text, query.limit)
        ]

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """Find a paragraph by its address; any other address is not found."""
        del needs
        paper = self._papers.get(normalise_url(url))
        if paper is None:
            raise FetchFailed(url, "not_found", "The set has no paragraph at this address.")
        return Document(
            source_id=source_id(url),
            url=paper.address,
            requested_url=url,
            title=paper.title,
            site=f"p{paper.id}.example",
            snapshot=sha256(paper.text.encode()).hexdigest(),
            length=len(paper.text),
            read_at=self._clock.now(),
            flags=("undated",),
            text=paper.text,
        )
