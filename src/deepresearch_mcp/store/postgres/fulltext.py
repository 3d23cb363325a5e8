"""Full-text search with PostgreSQL's text search, weighted approximately as BM25."""

import re
import unicodedata
from collections.abc import Generator, Sequence

from typing_extensions import override

from deepresearch_mcp.store.sql import Conn, FullText, Match, Shelf
from deepresearch_mcp.store.words import only_begins, query_words, searchable
from deepresearch_mcp.text.passages import PassageSpan

_BETWEEN = re.compile(r"[\W_]+")
_COMMON = 10_000
"""A word found in this many passages says little; it is searched for only if the query has no rarer word."""

_PUT = """
INSERT INTO passages(snapshot, first, beyond, heading, words)
VALUES(?, ?, ?, ?, setweight(to_tsvector('deepresearch', ?), 'A')
  || setweight(to_tsvector('deepresearch', ?), 'B') || to_tsvector('deepresearch', ?))
"""
_COUNT = f"""
SELECT term, (SELECT COUNT(*) FROM (
  SELECT 1 FROM passages WHERE words @@ to_tsquery('deepresearch', term) LIMIT {_COMMON}) AS seen),
  (SELECT COALESCE(MAX(number), 0) FROM passages)
FROM unnest(CAST(? AS text[])) AS asked(term)
"""  # noqa: S608 - a number of our own
# A word counts four times in the title, twice in a heading, once in the text, as in store/fulltext.py. ts_rank levels
# off for repeated words, and its option 1 divides by the logarithm of the length. With the weight for rarity this
# approximates bm25.
_FIND = """
WITH asked AS MATERIALIZED (
  SELECT to_tsquery('deepresearch', term) AS query, ln(1 + (size - found + 0.5) / (found + 0.5)) AS weight
  FROM unnest(CAST(? AS text[]), CAST(? AS float8[]), CAST(? AS float8[])) AS asked(term, found, size)
)
SELECT snapshot, first, beyond, score FROM (
  SELECT p.snapshot, p.first, p.beyond, (
    SELECT SUM(asked.weight * ts_rank('{0.25, 0.25, 0.5, 1.0}', p.words, asked.query, 1)) FROM asked
  ) AS score
  FROM passages p WHERE p.words @@ to_tsquery('deepresearch', ?)
  AND EXISTS(SELECT 1 FROM readings r WHERE r.snapshot = p.snapshot AND %s)
) AS ranked ORDER BY score DESC, snapshot COLLATE "C", first
"""


class TsVector(FullText):
    """`store.sql.FullText` on a tsvector column."""

    @override
    def index(self, conn: Conn, snapshot: str, title: str, text: str, pieces: Sequence[PassageSpan]) -> None:
        name = _plain(title)
        conn.executemany(
            _PUT,
            (
                (
                    *(snapshot, piece.start, piece.end, piece.heading),
                    *(name, _plain(piece.heading), _plain(text[piece.start : piece.end])),
                )
                for piece in pieces
            ),
        )

    @override
    def unindex(self, conn: Conn, snapshot: str, title: str, text: str) -> None:
        del title, text
        conn.execute("DELETE FROM passages WHERE snapshot = ?", (snapshot,))

    @override
    def matches(self, conn: Conn, query: str, shelf: Shelf) -> Generator[Match]:
        """Find passages; very common words are ignored if the query has rarer ones."""
        counted = [row for row in conn.execute(_COUNT, (terms(query),)) if row[1]]
        rare = [row for row in counted if row[1] < _COMMON] or counted
        if not rare:
            return
        names, found, sizes = (list(column) for column in zip(*rare, strict=True))
        numbers = [float(number) for number in found], [float(size) for size in sizes]
        rows = conn.execute(_FIND % shelf.condition, (names, *numbers, " | ".join(names), *shelf.values))
        for row in rows:
            yield Match(*row)

    @override
    def counts(self, conn: Conn, words: Sequence[str]) -> tuple[list[int], int]:
        """Count up to `_COMMON` passages a word; a more frequent one says as little."""
        asked = [_term(word) for word in words]
        known = {row[0]: row for row in conn.execute(_COUNT, (sorted(filter(None, asked)),))}
        size = max((row[2] for row in known.values()), default=0)
        return [known[term][1] if term else 0 for term in asked], size


def terms(query: str) -> list[str]:
    """The words of a query, each quoted for `to_tsquery`, so that no text is a syntax error or an operator."""
    return list(dict.fromkeys(filter(None, map(_term, query_words(query)))))


def _term(word: str) -> str:
    part = _plain(word).strip()
    if not part:
        return ""
    return f"'{part}':*" if only_begins(word) else f"'{part}'"


def _plain(text: str) -> str:
    """Split words as FTS5 does: letters and digits without accents.

    So PostgreSQL's parser never takes a word for an address or a path.
    """
    folded = searchable(text)
    if not folded.isascii():
        apart = unicodedata.normalize("NFKD", folded)
        folded = unicodedata.normalize("NFC", "".join(sign for sign in apart if not unicodedata.combining(sign)))
    return _BETWEEN.sub(" ", folded)
