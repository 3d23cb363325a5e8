"""Stored documents: each text once, under its hash, and a card for each reading of it."""

import json
from collections.abc import Collection, Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from typing_extensions import override

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Documents, FoundPassage
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document, DocumentCard
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.facts import of_which_hold
from deepresearch_mcp.store.owned import names_by_id
from deepresearch_mcp.store.ranked import ranked
from deepresearch_mcp.store.sql import Conn, Database, Match, Shelf, among
from deepresearch_mcp.text.chunks import best_part, chunks
from deepresearch_mcp.text.passages import PassageSpan, headings_at

_TEXTS = "texts"
"""Name of the lock held while texts are stored or deleted."""
_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


class SqlDocuments(Documents):
    """`ports.documents.Documents` in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @override
    async def save(self, document: Document, run_id: str | None = None) -> None:
        await self._database.write(lambda conn: put_reading(conn, document, run_id=run_id or ""))

    @override
    async def text(self, snapshot: str) -> str | None:
        return await self._database.read(lambda conn: _text(conn, snapshot))

    @override
    async def cards(self, run_id: str) -> list[DocumentCard]:
        """List the documents that a run read, in the order in which they were first saved."""
        found = await self._database.rows("SELECT card FROM readings WHERE run_id = ? ORDER BY number", run_id)
        return [DocumentCard.model_validate_json(card) for (card,) in found]

    @override
    async def load(self, card: DocumentCard) -> Document | None:
        text = await self.text(card.snapshot)
        return None if text is None else with_text(card, text)

    @override
    async def cached(self, url: str) -> tuple[DocumentCard, dict[str, Any]] | None:
        """Find the latest reading of an address. The address is compared as given, without normalisation."""
        found = await self._database.rows(
            "SELECT r.card, c.validators FROM cache c JOIN readings r ON r.number = c.reading WHERE c.url = ?", url
        )
        return (DocumentCard.model_validate_json(found[0][0]), json.loads(found[0][1])) if found else None

    @override
    async def keep(self, url: str, document: Document, validators: dict[str, Any]) -> None:
        """Store a reading for reuse; its text becomes searchable too."""
        now = self._clock.now().timestamp()

        def remember(conn: Conn) -> None:
            reading = put_reading(conn, document)
            conn.execute(
                "INSERT INTO cache(url, reading, validators, kept) VALUES(?, ?, ?, ?) ON CONFLICT(url) DO UPDATE"
                " SET reading = excluded.reading, validators = excluded.validators, kept = excluded.kept",
                (url, reading, to_json(validators), now),
            )

        await self._database.write(remember)

    @override
    async def search(
        self,
        query: str,
        *,
        caller: str,
        collections: Collection[str] | None = None,
        limit: int = 20,
        where: Sequence[Condition] = (),
    ) -> list[FoundPassage]:
        """Find passages.

        A text with several readings appears once: under a collection if one has it, else under its latest reading.
        """

        def look(conn: Conn) -> list[FoundPassage]:
            chosen = names_by_id(conn, caller, collections)
            shelf = of_collections(chosen) if collections is not None else of_caller(caller, chosen)
            return _look(conn, query, shelf, limit, chosen, of_which_hold(conn, where, chosen))

        return await self._database.read(look)

    @override
    async def is_seen(self, caller: str, snapshot: str) -> bool:
        def look(conn: Conn) -> bool:
            shelf = of_caller(caller, names_by_id(conn, caller, None))
            sql = f"SELECT 1 FROM readings r WHERE r.snapshot = ? AND {shelf.condition} LIMIT 1"  # noqa: S608 - one of a few conditions of ours
            return conn.execute(sql, (snapshot, *shelf.values)).fetchone() is not None

        return await self._database.read(look)

    @override
    async def search_run(self, run_id: str, query: str, *, limit: int = 20) -> list[FoundPassage]:
        return await self._database.read(lambda conn: _look(conn, query, Shelf("r.run_id = ?", (run_id,)), limit))


def _look(
    conn: Conn,
    query: str,
    shelf: Shelf,
    limit: int,
    names: Mapping[str, str] = _NO_NAMES,
    allowed: Container[str] | None = None,
) -> list[FoundPassage]:
    """Passages of a shelf; `names` gives the name for each id of a collection."""
    found: dict[tuple[str, int], FoundPassage] = {}
    known: dict[str, tuple[str, tuple[str, str, str, str]]] = {}
    for match in ranked(conn, query, shelf, allowed):
        if len(found) >= limit:
            break
        if match.snapshot not in known:
            known[match.snapshot] = (_text(conn, match.snapshot) or "", _shown(conn, match.snapshot, shelf))
        text, (source_id, url, title, collection) = known[match.snapshot]
        part = best_part(text, PassageSpan(match.start, match.end, ""), query)
        # Chunks overlap: two of them may have the same best part.
        source = source_id, url, title, names.get(collection, "")
        found.setdefault((match.snapshot, part.start), _found(match, part, text, source))
    return list(found.values())


def of_collections(ids: Collection[str]) -> Shelf:
    """Readings of the collections with these ids."""
    return Shelf(f"r.collection IN {among(ids)}", (*ids,))


def of_caller(caller: str, collections: Collection[str]) -> Shelf:
    """Readings of these collections and of this caller's runs; for the machine's own user those of the cache too.

    What others had read must not show that they asked.
    """
    own = f"r.collection IN {among(collections)} OR r.run_id IN (SELECT run_id FROM runs WHERE caller = ?)"  # noqa: S608 - question marks alone
    cache = " OR (r.run_id = '' AND r.collection = '')" if caller == LOCAL_CALLER else ""
    return Shelf(f"({own}{cache})", (*collections, caller))


def with_text(card: DocumentCard, text: str) -> Document:
    """A document from a card and its text."""
    return Document.model_construct(**dict(card), text=text)


def put_reading(conn: Conn, document: Document, *, run_id: str = "", collection: str = "") -> int:
    """Store a text if it is new, and the card of this reading; return the reading's number.

    Call it inside a transaction.
    """
    conn.dialect.guard(conn, _TEXTS, "together")
    _put_text(conn, document)
    card = document.card()
    (number,) = conn.execute(
        "INSERT INTO readings(run_id, collection, source_id, snapshot, url, title, read_at, card)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(run_id, collection, source_id, snapshot) DO UPDATE"
        " SET url = excluded.url, title = excluded.title, read_at = excluded.read_at, card = excluded.card"
        " RETURNING number",
        (
            *(run_id, collection, card.source_id, card.snapshot),
            *(card.url, card.title, card.read_at.timestamp(), card.model_dump_json()),
        ),
    ).fetchone()
    return number


def drop_reading(conn: Conn, number: int) -> None:
    """Delete a reading, and its text if no other reading uses it; call it inside a transaction."""
    # No process may add a reading of the text between the check for other readings and the deletion.
    conn.dialect.guard(conn, _TEXTS, "alone")
    (snapshot,) = conn.execute("DELETE FROM readings WHERE number = ? RETURNING snapshot", (number,)).fetchone()
    if conn.execute("SELECT 1 FROM readings WHERE snapshot = ?", (snapshot,)).fetchone():
        return
    title, text = conn.execute("SELECT title, text FROM documents WHERE snapshot = ?", (snapshot,)).fetchone()
    conn.dialect.fulltext.unindex(conn, snapshot, title, text)
    conn.execute("DELETE FROM documents WHERE snapshot = ?", (snapshot,))


def _put_text(conn: Conn, document: Document) -> None:
    if conn.execute("SELECT 1 FROM documents WHERE snapshot = ?", (document.snapshot,)).fetchone():
        return
    parts = chunks(document.text)
    new = conn.execute(
        "INSERT INTO documents(snapshot, text, title, passages) VALUES(?, ?, ?, ?) ON CONFLICT(snapshot) DO NOTHING",
        (document.snapshot, document.text, document.title, len(parts)),
    ).rowcount
    if new:
        conn.dialect.fulltext.index(conn, document.snapshot, document.title, document.text, parts)


def _text(conn: Conn, snapshot: str) -> str | None:
    found = conn.execute("SELECT text FROM documents WHERE snapshot = ?", (snapshot,)).fetchone()
    return found and found[0]


def _shown(conn: Conn, snapshot: str, shelf: Shelf) -> tuple[str, str, str, str]:
    return conn.execute(
        f"SELECT source_id, url, title, collection FROM readings r WHERE snapshot = ? AND {shelf.condition}"  # noqa: S608 - one of a few conditions of ours
        " ORDER BY collection = '', collection, read_at DESC, number DESC LIMIT 1",
        (snapshot, *shelf.values),
    ).fetchone()


def _found(match: Match, part: PassageSpan, text: str, source: tuple[str, str, str, str]) -> FoundPassage:
    source_id, url, title, collection = source
    words, heading = text[part.start : part.end], headings_at(text, part.start, part.end)
    return FoundPassage(source_id, url, title, collection, words, part.start, part.end, match.score, heading)
