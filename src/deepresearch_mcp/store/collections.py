"""Named sets of local documents, and the `library://` addresses that cite them."""

from collections.abc import Collection, Container, Mapping, Sequence
from pathlib import PurePosixPath

from typing_extensions import override

from deepresearch_mcp.exceptions import UnknownCollection
from deepresearch_mcp.ports.documents import NO_FACTS, CollectionRow, Collections, FileStamp
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, DocumentCard, Hit
from deepresearch_mcp.store.documents import drop_reading, of_collections, put_reading, with_text
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.facts import of_which_hold
from deepresearch_mcp.store.ranked import ranked
from deepresearch_mcp.store.sql import Conn, Database, Match, among
from deepresearch_mcp.store.words import first_word
from deepresearch_mcp.text.chunks import best_part
from deepresearch_mcp.text.library_urls import library_url, split_library_url
from deepresearch_mcp.text.passages import PassageSpan

_SNIPPET = 300
"""Longest snippet of a hit, in characters."""


class SqlCollections(Collections):
    """`ports.store.Collections` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def put(self, name: str, path: str, now: float) -> None:
        """Create or move a collection; files indexed from another folder stay until they are replaced or dropped."""
        await self._database.change(
            "INSERT INTO collections(name, path, updated) VALUES(?, ?, ?)"
            " ON CONFLICT(name) DO UPDATE SET path = excluded.path, updated = excluded.updated",
            (name, path, now),
        )

    @override
    async def stamps(self, name: str) -> dict[str, FileStamp]:
        found = await self._database.rows(
            "SELECT path, size, modified_ns, content FROM collection_files WHERE name = ? ORDER BY path", name
        )
        return {row[0]: FileStamp(*row) for row in found}

    @override
    async def add(self, name: str, stamp: FileStamp, document: Document, facts: Mapping[str, str] = NO_FACTS) -> None:
        """Index one file; the document gets the file's `library://` address.

        Raises:
            UnknownCollection: No collection has that name.
        """
        url = library_url(name, stamp.path)
        ours = document.model_copy(update={"url": url, "requested_url": url})

        def put(conn: Conn) -> None:
            _known(conn, [name])
            old = _reading(conn, name, stamp.path)
            reading = put_reading(conn, ours, collection=name)
            conn.execute(
                "INSERT INTO collection_files(name, path, size, modified_ns, content, facts, reading)"
                " VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(name, path) DO UPDATE SET size = excluded.size,"
                " modified_ns = excluded.modified_ns, content = excluded.content, facts = excluded.facts,"
                " reading = excluded.reading",
                (name, stamp.path, stamp.size, stamp.modified_ns, stamp.content, to_json(dict(facts)), reading),
            )
            if old is not None and old != reading:
                _release(conn, old)

        await self._database.write(put)

    @override
    async def restamp(self, name: str, stamp: FileStamp) -> None:
        await self._database.change(
            "UPDATE collection_files SET size = ?, modified_ns = ? WHERE name = ? AND path = ?",
            (stamp.size, stamp.modified_ns, name, stamp.path),
        )

    @override
    async def drop(self, name: str, paths: Collection[str]) -> None:
        """Remove files; runs keep what they have read of them."""

        def forget(conn: Conn) -> None:
            for path in paths:
                reading = _reading(conn, name, path)
                if reading is not None:
                    conn.execute("DELETE FROM collection_files WHERE name = ? AND path = ?", (name, path))
                    _release(conn, reading)

        await self._database.write(forget)

    @override
    async def all(self) -> list[CollectionRow]:
        found = await self._database.rows(
            "SELECT c.name, c.path, COUNT(f.path), COALESCE(SUM(d.passages), 0), c.updated FROM collections c"
            " LEFT JOIN collection_files f ON f.name = c.name LEFT JOIN readings r ON r.number = f.reading"
            " LEFT JOIN documents d ON d.snapshot = r.snapshot GROUP BY c.name, c.path, c.updated ORDER BY c.name"
        )
        return [CollectionRow(*row) for row in found]

    @override
    async def remove(self, name: str) -> bool:
        def forget(conn: Conn) -> bool:
            readings = conn.execute("SELECT reading FROM collection_files WHERE name = ?", (name,)).fetchall()
            conn.execute("DELETE FROM collection_files WHERE name = ?", (name,))
            for (reading,) in readings:
                _release(conn, reading)
            return conn.execute("DELETE FROM collections WHERE name = ?", (name,)).rowcount > 0

        return await self._database.write(forget)

    @override
    async def search(
        self, names: Collection[str], query: str, limit: int, where: Sequence[Condition] = ()
    ) -> list[Hit]:
        """Find documents; each ranks by its best passage.

        Raises:
            UnknownCollection: One of the names is no collection.
        """

        def look(conn: Conn) -> list[Hit]:
            _known(conn, names)
            hits: dict[str, Hit] = {}
            seen: set[str] = set()
            allowed = of_which_hold(conn, where, names)
            for match in ranked(conn, query, of_collections(names), allowed):
                if len(hits) >= limit:
                    break
                if match.snapshot not in seen:
                    seen.add(match.snapshot)
                    files = allowed and allowed[match.snapshot]
                    hits |= {hit.url: hit for hit in _hits(conn, match, names, query, files)}
            return list(hits.values())[: max(0, limit)]

        return await self._database.read(look)

    @override
    async def document(self, url: str) -> Document | None:
        if (place := split_library_url(url)) is None:
            return None
        found = await self._database.rows(
            "SELECT r.card, d.text FROM collection_files f JOIN readings r ON r.number = f.reading"
            " JOIN documents d ON d.snapshot = r.snapshot WHERE f.name = ? AND f.path = ?",
            *place,
        )
        return with_text(DocumentCard.model_validate_json(found[0][0]), found[0][1]) if found else None


def _known(conn: Conn, names: Collection[str]) -> None:
    there = [name for (name,) in conn.execute("SELECT name FROM collections ORDER BY name")]
    if missing := sorted(set(names) - set(there)):
        have = f"There are: {', '.join(there)}." if there else "There is none yet."
        raise UnknownCollection(
            f"There is no collection {missing[0]!r}.", f"{have} Add a folder with `deepresearch-mcp library add`."
        )


def _reading(conn: Conn, name: str, path: str) -> int | None:
    found = conn.execute("SELECT reading FROM collection_files WHERE name = ? AND path = ?", (name, path)).fetchone()
    return found and found[0]


def _release(conn: Conn, reading: int) -> None:
    """Delete a reading that no file of a collection uses any more."""
    if not conn.execute("SELECT 1 FROM collection_files WHERE reading = ?", (reading,)).fetchone():
        drop_reading(conn, reading)


def hits_of(
    conn: Conn,
    matches: Sequence[Match],
    names: Collection[str],
    allowed: Mapping[str, Container[tuple[str, str]]] | None = None,
) -> list[Hit]:
    """A hit for every file of these collections, or of the `allowed` ones, whose text holds one of the matches."""
    return [
        hit for match in matches for hit in _hits(conn, match, names, "", allowed and allowed.get(match.snapshot, ()))
    ]


def _hits(
    conn: Conn, match: Match, names: Collection[str], query: str, files: Container[tuple[str, str]] | None
) -> list[Hit]:
    """A hit for every file, of `files` if they are given, whose text contains the matched passage."""
    found = conn.execute(
        "SELECT f.name, f.path, r.card, d.text FROM readings r JOIN collection_files f ON f.reading = r.number"  # noqa: S608 - question marks alone
        " JOIN documents d ON d.snapshot = r.snapshot"
        f" WHERE r.snapshot = ? AND f.name IN {among(names)} ORDER BY f.name, f.path",
        (match.snapshot, *names),
    )
    hits: list[Hit] = []
    for name, path, card_json, text in found:
        if files is not None and (name, path) not in files:
            continue
        card = DocumentCard.model_validate_json(card_json)
        hits.append(
            Hit(
                url=library_url(name, path),
                title=card.title or PurePosixPath(path).name,
                snippet=_snippet(text, match, query),
                published=card.published,
                score=match.score,
            )
        )
    return hits


def _snippet(text: str, match: Match, query: str) -> str:
    """At most `_SNIPPET` characters in one line, around the first query word of the chunk's best part."""
    part = best_part(text, PassageSpan(match.start, match.end, ""), query)
    line = " ".join(text[part.start : part.end].split())
    if len(line) <= _SNIPPET:
        return line
    start = max(0, first_word(query, line) - _SNIPPET // 5)
    start = line.rfind(" ", 0, start) + 1
    kept = line[start : start + _SNIPPET - 2]
    if start + len(kept) < len(line):
        kept = (kept.rpartition(" ")[0] or kept) + "…"
    return "…" + kept if start else kept
