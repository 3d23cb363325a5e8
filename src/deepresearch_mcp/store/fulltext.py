"""Full-text search over the passages of all stored documents."""

import re
import sqlite3
from collections.abc import Collection, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.text.keywords import STOPWORDS
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.passages import Piece

_MOST_WORDS = 64
"""Of a query; more add time, not meaning."""
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Thai, kana and Han: scripts in which no space ends a word."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Match:
    """A passage in which words of a query stand."""

    snapshot: str
    start: int
    end: int
    score: float
    """bm25, turned round so that higher is better."""


def searchable(text: str) -> str:
    """The text as it is indexed: folded, and scripts without spaces as overlapping pairs of characters.

    Only the same form takes a passage out of the index: who changes it must index everything anew, in a migration.
    """
    return text if text.isascii() else _UNSPACED.sub(_pairs, text.casefold())


def match_query(text: str) -> str:
    """The words of a text as an FTS5 query for any of them, stopwords left out where others remain; "" for no words.

    Every word is quoted, so that no text is a syntax error or an operator.
    """
    found = list(dict.fromkeys(_WORD.findall(searchable(text).casefold())))
    stop = STOPWORDS["en"] | STOPWORDS.get(guess(text), frozenset())
    telling = [word for word in found if word not in stop] or found
    return " OR ".join(_term(word) for word in telling[:_MOST_WORDS])


def index(conn: sqlite3.Connection, snapshot: str, title: str, text: str, pieces: Sequence[Piece]) -> None:
    """Index the passages of a text, inside a transaction."""
    (last,) = conn.execute("SELECT COALESCE(MAX(number), 0) FROM passages").fetchone()
    conn.executemany(
        "INSERT INTO passages(number, snapshot, first, beyond, heading) VALUES(?, ?, ?, ?, ?)",
        ((last + at, snapshot, piece.start, piece.end, piece.heading) for at, piece in enumerate(pieces, 1)),
    )
    name = searchable(title)
    conn.executemany(
        "INSERT INTO passages_fts(rowid, title, heading, body) VALUES(?, ?, ?, ?)",
        (
            (last + at, name, searchable(piece.heading), searchable(text[piece.start : piece.end]))
            for at, piece in enumerate(pieces, 1)
        ),
    )


def unindex(conn: sqlite3.Connection, snapshot: str, title: str, text: str) -> None:
    """Take the passages of a text out again; title and text must be those that were indexed."""
    rows = conn.execute(
        "SELECT number, first, beyond, heading FROM passages WHERE snapshot = ?", (snapshot,)
    ).fetchall()
    name = searchable(title)
    conn.executemany(
        "INSERT INTO passages_fts(passages_fts, rowid, title, heading, body) VALUES('delete', ?, ?, ?, ?)",
        ((number, name, searchable(heading), searchable(text[start:end])) for number, start, end, heading in rows),
    )
    conn.execute("DELETE FROM passages WHERE snapshot = ?", (snapshot,))


def matches(conn: sqlite3.Connection, query: str, collections: Collection[str] | None) -> Generator[Match]:
    """Passages that hold words of the query, best first, equal ones in a lasting order; only of these collections."""
    words = match_query(query)
    if not words:
        return
    cursor = conn.execute(
        # The weights of a word in the title, in a heading above the passage, in the passage itself.
        "SELECT p.snapshot, p.first, p.beyond, -bm25(passages_fts, 4.0, 2.0, 1.0) AS score"
        " FROM passages_fts JOIN passages p ON p.number = passages_fts.rowid"
        " WHERE passages_fts MATCH ?1 AND EXISTS(SELECT 1 FROM readings r WHERE r.snapshot = p.snapshot"
        " AND (?2 IS NULL OR r.collection IN (SELECT value FROM json_each(?2))))"
        " ORDER BY score DESC, p.snapshot, p.first",
        (words, names_json(collections)),
    )
    # Left open, it would keep the write-ahead log from being folded into the file.
    with closing(cursor):
        for row in cursor:
            yield Match(*row)


def names_json(collections: Collection[str] | None) -> str | None:
    """Names as one value of a query; None stays None, and means all."""
    return None if collections is None else to_json(sorted(collections))


def first_word(query: str, text: str) -> int:
    """Where the first word of the query stands in a text; 0 where none stands as it is written."""
    folded = text.lower() if len(text.lower()) == len(text) else text
    places = (folded.find(word.strip('"*')) for word in match_query(query).split(" OR ") if word)
    return min((place for place in places if place >= 0), default=0)


def _term(word: str) -> str:
    # One character of such a script is in the index only as the beginning of pairs.
    return f'"{word}"*' if len(word) == 1 and _UNSPACED.fullmatch(word) else f'"{word}"'


def _pairs(run: re.Match[str]) -> str:
    text = run.group()
    return " " + " ".join(text[at : at + 2] for at in range(max(1, len(text) - 1))) + " "
