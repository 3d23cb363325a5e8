"""Named sets of local documents, and the `library://` addresses that cite them."""

from collections.abc import Collection, Container, Mapping, Sequence
from pathlib import PurePosixPath

from typing_extensions import override

from deepresearch_mcp.ports.documents import NO_FACTS, CollectionRow, Collections, CollectionsByOwner, FileStamp
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, DocumentCard, Hit
from deepresearch_mcp.store.documents import drop_reading, of_collections, put_reading, with_text
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.facts import of_which_hold
from deepresearch_mcp.store.owned import check_known, id_of_own, names_by_id, visible
from deepresearch_mcp.store.ranked import ranked
from deepresearch_mcp.store.sql import Conn, Database, Match, among
from deepresearch_mcp.store.words import first_word
from deepresearch_mcp.text.chunks import best_part
from deepresearch_mcp.text.library_urls import library_url, split_library_url
from deepresearch_mcp.text.passages import PassageSpan

_SNIPPET = 300
"""Longest snippet of a hit, in characters."""


class SqlCollectionsByOwner(CollectionsByOwner):
    """`ports.documents.CollectionsByOwner` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    def of(self, caller: str) -> Collections:
        return SqlCollections(self._database, caller)

    @override
    async def owners(self) -> list[str]:
        return [owner for (owner,) in await self._database.rows("SELECT DISTINCT owner FROM collections ORDER BY 1")]


class SqlCollections(Collections):
    """`ports.documents.Collections` in a database, as one caller sees them."""

    def __init__(self, database: Database, caller: str) -> None:
        self._database = database
        self._caller = caller

    @override
    async def put(self, name: str, path: str, now: float) -> None:
        """Create or move a collection; files indexed from another folder stay until they are replaced or dropped."""

        def make(conn: Conn) -> None:
            id_of_own(conn, self._caller, name)
            conn.execute(
                "INSERT INTO collections(collection_id, owner, name, path, updated) VALUES(?, ?, ?, ?, ?)"
                " ON CONFLICT(owner, name) DO UPDATE SET path = excluded.path, updated = excluded.updated",
                (f"{self._caller}/{name}", self._caller, name, path, now),
            )

        await self._database.write(make)

    @override
    async def share(self, name: str, *, shared: bool) -> None:
        def change(conn: Conn) -> None:
            check_known(conn, self._caller, [name])
            collection = id_of_own(conn, self._caller, name)
            conn.execute("UPDATE collections SET shared = ? WHERE collection_id = ?", (int(shared), collection))

        await self._database.write(change)

    @override
    async def stamps(self, name: str) -> dict[str, FileStamp]:
        def look(conn: Conn) -> dict[str, FileStamp]:
            found = conn.execute(
                "SELECT path, size, modified_ns, content FROM collection_files WHERE collection_id = ? ORDER BY path",
                (visible(conn, self._caller).get(name, ""),),
            )
            return {row[0]: FileStamp(*row) for row in found.fetchall()}

        return await self._database.read(look)

    @override
    async def add(self, name: str, stamp: FileStamp, document: Document, facts: Mapping[str, str] = NO_FACTS) -> None:
        """Index one file; the document gets the file's `library://` address."""
        url = library_url(name, stamp.path)
        ours = document.model_copy(update={"url": url, "requested_url": url})

        def put(conn: Conn) -> None:
            check_known(conn, self._caller, [name])
            collection = id_of_own(conn, self._caller, name) or ""
            old = _reading(conn, collection, stamp.path)
            reading = put_reading(conn, ours, collection=collection)
            conn.execute(
                "INSERT INTO collection_files(collection_id, path, size, modified_ns, content, facts, reading)"
                " VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(collection_id, path) DO UPDATE SET size = excluded.size,"
                " modified_ns = excluded.modified_ns, content = excluded.content, facts = excluded.facts,"
                " reading = excluded.reading",
                (collection, stamp.path, stamp.size, stamp.modified_ns, stamp.content, to_json(dict(facts)), reading),
            )
            if old is not None and old != reading:
                _release(conn, old)

        await self._database.write(put)

    @override
    async def restamp(self, name: str, stamp: FileStamp) -> None:
        def note(conn: Conn) -> None:
            conn.execute(
                "UPDATE collection_files SET size = ?, modified_ns = ? WHERE collection_id = ? AND path = ?",
                (stamp.size, stamp.modified_ns, id_of_own(conn, self._caller, name) or "", stamp.path),
            )

        await self._database.write(note)

    @override
    async def drop(self, name: str, paths: Collection[str]) -> None:
        """Remove files; runs keep what they have read of them."""

        def forget(conn: Conn) -> None:
            collection = id_of_own(conn, self._caller, name) or ""
            for path in paths:
                reading = _reading(conn, collection, path)
                if reading is not None:
                    conn.execute(
                        "DELETE FROM collection_files WHERE collection_id = ? AND path = ?", (collection, path)
                    )
                    _release(conn, reading)

        await self._database.write(forget)

    @override
    async def all(self) -> list[CollectionRow]:
        def look(conn: Conn) -> list[CollectionRow]:
            ids = visible(conn, self._caller).values()
            found = conn.execute(
                "SELECT c.name, c.path, COUNT(f.path), COALESCE(SUM(d.passages), 0), c.updated, c.owner, c.shared"  # noqa: S608 - question marks alone
                " FROM collections c LEFT JOIN collection_files f ON f.collection_id = c.collection_id"
                " LEFT JOIN readings r ON r.number = f.reading LEFT JOIN documents d ON d.snapshot = r.snapshot"
                f" WHERE c.collection_id IN {among(ids)}"
                " GROUP BY c.name, c.path, c.updated, c.owner, c.shared ORDER BY c.name",
                (*ids,),
            )
            return [self._row(*row) for row in found.fetchall()]

        return await self._database.read(look)

    def _row(
        self, name: str, path: str, documents: int, passages: int, updated: float, owner: str, shared: int
    ) -> CollectionRow:
        own = owner == self._caller
        return CollectionRow(name, path if own else "", documents, passages, updated, own=own, shared=bool(shared))

    @override
    async def check(self, names: Collection[str]) -> None:
        if names:
            await self._database.read(lambda conn: check_known(conn, self._caller, names))

    @override
    async def remove(self, name: str) -> bool:
        def forget(conn: Conn) -> bool:
            collection = id_of_own(conn, self._caller, name)
            if collection is None:
                return False
            readings = conn.execute(
                "SELECT reading FROM collection_files WHERE collection_id = ?", (collection,)
            ).fetchall()
            conn.execute("DELETE FROM collection_files WHERE collection_id = ?", (collection,))
            for (reading,) in readings:
                _release(conn, reading)
            return conn.execute("DELETE FROM collections WHERE collection_id = ?", (collection,)).rowcount > 0

        return await self._database.write(forget)

    @override
    async def search(
        self, names: Collection[str], query: str, limit: int, where: Sequence[Condition] = ()
    ) -> list[Hit]:
        """Find documents; each ranks by its best passage.

        Raises:
            UnknownCollection: The caller sees no collection of one of the names.
        """

        def look(conn: Conn) -> list[Hit]:
            check_known(conn, self._caller, names)
            chosen = names_by_id(conn, self._caller, names)
            hits: dict[str, Hit] = {}
            seen: set[str] = set()
            allowed = of_which_hold(conn, where, chosen)
            for match in ranked(conn, query, of_collections(chosen), allowed):
                if len(hits) >= limit:
                    break
                if match.snapshot not in seen:
                    seen.add(match.snapshot)
                    files = allowed and allowed[match.snapshot]
                    hits |= {hit.url: hit for hit in _hits(conn, match, chosen, query, files)}
            return list(hits.values())[: max(0, limit)]

        return await self._database.read(look)

    @override
    async def document(self, url: str) -> Document | None:
        if (place := split_library_url(url)) is None:
            return None

        def look(conn: Conn) -> Document | None:
            name, path = place
            found = conn.execute(
                "SELECT r.card, d.text FROM collection_files f JOIN readings r ON r.number = f.reading"
                " JOIN documents d ON d.snapshot = r.snapshot WHERE f.collection_id = ? AND f.path = ?",
                (visible(conn, self._caller).get(name, ""), path),
            ).fetchone()
            return with_text(DocumentCard.model_validate_json(found[0]), found[1]) if found else None

        return await self._database.read(look)


def _reading(conn: Conn, collection: str, path: str) -> int | None:
    found = conn.execute(
        "SELECT reading FROM collection_files WHERE collection_id = ? AND path = ?", (collection, path)
    ).fetchone()
    return found and found[0]


def _release(conn: Conn, reading: int) -> None:
    """Delete a reading that no file of a collection uses any more."""
    if not conn.execute("SELECT 1 FROM collection_files WHERE reading = ?", (reading,)).fetchone():
        drop_reading(conn, reading)


def hits_of(
    conn: Conn,
    matches: Sequence[Match],
    names: Mapping[str, str],
    allowed: Mapping[str, Container[tuple[str, str]]] | None = None,
) -> list[Hit]:
    """A hit for every file of these collections, or of the `allowed` ones, whose text holds one of the matches.

    `names` gives the name for each id of a collection; `allowed` has ids and paths.
    """
    return [
        hit for match in matches for hit in _hits(conn, match, names, "", allowed and allowed.get(match.snapshot, ()))
    ]


def _hits(
    conn: Conn, match: Match, names: Mapping[str, str], query: str, files: Container[tuple[str, str]] | None
) -> list[Hit]:
    """A hit for every file, of `files` if they are given, whose text contains the matched passage."""
    found = conn.execute(
        "SELECT f.collection_id, f.path, r.card, d.text FROM readings r JOIN collection_files f ON f.reading = r.number"  # noqa: S608 - question marks alone
        " JOIN documents d ON d.snapshot = r.snapshot"
        f" WHERE r.snapshot = ? AND f.collection_id IN {among(names)} ORDER BY f.collection_id, f.path",
        (match.snapshot, *names),
    )
    hits: list[Hit] = []
    for collection, path, card_json, text in found:
        if files is not None and (collection, path) not in files:
            continue
        card = DocumentCard.model_validate_json(card_json)
        hits.append(
            Hit(
                url=library_url(names[collection], path),
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
