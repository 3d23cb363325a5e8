"""Ranks stored passages: the index proposes, and the best of them are put in order by more than single words."""

import math
from collections.abc import Container, Generator
from contextlib import closing
from dataclasses import replace
from itertools import islice

from deepresearch_mcp.store.sql import Conn, Match, Shelf
from deepresearch_mcp.store.words import query_words
from deepresearch_mcp.text.reranking import Candidate, rerank

_CANDIDATES = 100
"""Passages that are put in order; those after them keep the order of the index."""


def ranked(conn: Conn, query: str, shelf: Shelf, allowed: Container[str] | None = None) -> Generator[Match]:
    """Yield the passages of a shelf that contain words of the query, best first; ties have a stable order.

    `allowed` limits them to texts with these hashes.
    """
    # Closed in every case: an open cursor would block merging SQLite's write-ahead log.
    with closing(conn.dialect.fulltext.matches(conn, query, shelf)) as everything:
        matches = (one for one in everything if allowed is None or one.snapshot in allowed)
        found = list(islice(matches, _CANDIDATES))
        if not found:
            return
        texts = _texts(conn, found)
        candidates = [
            Candidate(title, text[match.start : match.end], match.score)
            for match, (title, text) in ((match, texts[match.snapshot]) for match in found)
        ]
        scores = rerank(query, candidates, _rarity(conn, query))
        for at in sorted(range(len(found)), key=lambda at: (-scores[at], at)):
            yield replace(found[at], score=scores[at])
        # The rest keep the index's order, on the scale of the scores above them.
        scale = min(scores) / (found[-1].score or 1.0)
        for match in matches:
            yield replace(match, score=scale * match.score)


def _texts(conn: Conn, found: list[Match]) -> dict[str, tuple[str, str]]:
    texts: dict[str, tuple[str, str]] = {}
    for match in found:
        if match.snapshot not in texts:
            texts[match.snapshot] = conn.execute(
                "SELECT title, text FROM documents WHERE snapshot = ?", (match.snapshot,)
            ).fetchone()
    return texts


def _rarity(conn: Conn, query: str) -> dict[str, float]:
    words = query_words(query)
    held, size = conn.dialect.fulltext.counts(conn, words)
    return {
        word: math.log(1 + (max(size, number) - number + 0.5) / (number + 0.5))
        for word, number in zip(words, held, strict=True)
        if number
    }
