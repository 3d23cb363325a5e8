"""Full-text search with SQLite's FTS5."""

from collections.abc import Generator, Sequence

from typing_extensions import override

from deepresearch_mcp.store.sql import Conn, FullText, Match, Shelf
from deepresearch_mcp.store.words import only_begins, query_words, searchable
from deepresearch_mcp.text.passages import PassageSpan


class Fts5(FullText):
    """`store.sql.FullText` on a contentless FTS5 table, ranked by bm25."""

    @override
    def index(self, conn: Conn, snapshot: str, title: str, text: str, pieces: Sequence[PassageSpan]) -> None:
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

    @override
    def unindex(self, conn: Conn, snapshot: str, title: str, text: str) -> None:
        rows = conn.execute(
            "SELECT number, first, beyond, heading FROM passages WHERE snapshot = ?", (snapshot,)
        ).fetchall()
        name = searchable(title)
        conn.executemany(
            "INSERT INTO passages_fts(passages_fts, rowid, title, heading, body) VALUES('delete', ?, ?, ?, ?)",
            ((number, name, searchable(heading), searchable(text[start:end])) for number, start, end, heading in rows),
        )
        conn.execute("DELETE FROM passages WHERE snapshot = ?", (snapshot,))

    @override
    def matches(self, conn: Conn, query: str, shelf: Shelf) -> Generator[Match]:
        words = match_query(query)
        if not words:
            return
        cursor = conn.execute(
            # Weights of a word in the title, in a heading above the passage, and in the passage itself.
            "SELECT p.snapshot, p.first, p.beyond, -bm25(passages_fts, 4.0, 2.0, 1.0) AS score"  # noqa: S608 - question marks alone
            " FROM passages_fts JOIN passages p ON p.number = passages_fts.rowid"
            f" WHERE passages_fts MATCH ? AND EXISTS(SELECT 1 FROM readings r WHERE r.snapshot = p.snapshot"
            f" AND {shelf.condition})"
            " ORDER BY score DESC, p.snapshot, p.first",
            (words, *shelf.values),
        )
        # An open cursor would block merging the write-ahead log into the file.
        try:
            for row in cursor:
                yield Match(*row)
        finally:
            cursor.close()

    @override
    def counts(self, conn: Conn, words: Sequence[str]) -> tuple[list[int], int]:
        held = [
            conn.execute("SELECT COUNT(*) FROM passages_fts WHERE passages_fts MATCH ?", (_quoted(word),)).fetchone()[0]
            for word in words
        ]
        # Numbers are given in order and rarely freed, so the last one is near enough, and costs nothing.
        (size,) = conn.execute("SELECT COALESCE(MAX(number), 0) FROM passages").fetchone()
        return held, size


def match_query(text: str) -> str:
    """An FTS5 query that matches any word of a text; "" if it has no words. Stopwords count only if it has no others.

    Every word is quoted, so no text can be a syntax error or an operator.
    """
    return " OR ".join(map(_quoted, query_words(text)))


def _quoted(word: str) -> str:
    return f'"{word}"*' if only_begins(word) else f'"{word}"'
