"""Vectors of chunks, kept without a limit under the hash of the text and the chunk's place in it."""

import base64
import heapq
from array import array
from collections.abc import Collection, Sequence
from operator import mul

from typing_extensions import override

from deepresearch_mcp.ports.documents import Chunk, Vectors
from deepresearch_mcp.ports.embedding import Vector
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.store.collections import hits_of
from deepresearch_mcp.store.documents import of_collections
from deepresearch_mcp.store.facts import of_which_hold
from deepresearch_mcp.store.owned import names_by_id
from deepresearch_mcp.store.sql import Conn, Database, Match


class SqlVectors(Vectors):
    """`ports.documents.Vectors` in a database. Every vector is compared: 10,000 of 384 numbers take about 0.2 s."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def missing(self, caller: str, names: Collection[str], model: str, limit: int) -> list[Chunk]:
        def look(conn: Conn) -> list[Chunk]:
            shelf = of_collections(names_by_id(conn, caller, names))
            rows = conn.execute(
                "SELECT p.snapshot, p.first, p.beyond, p.heading, d.title, d.text FROM passages p"  # noqa: S608 - question marks alone
                " JOIN documents d ON d.snapshot = p.snapshot WHERE NOT EXISTS(SELECT 1 FROM vectors v"
                " WHERE v.snapshot = p.snapshot AND v.first = p.first AND v.beyond = p.beyond AND v.model = ?)"
                f" AND EXISTS(SELECT 1 FROM readings r WHERE r.snapshot = p.snapshot AND {shelf.condition})"
                " ORDER BY p.number LIMIT ?",
                (model, *shelf.values, limit),
            )
            return [
                Chunk(snapshot, start, end, "\n".join(filter(None, (title, heading, text[start:end]))))
                for snapshot, start, end, heading, title, text in rows
            ]

        return await self._database.read(look)

    @override
    async def keep(self, model: str, vectors: Sequence[tuple[Chunk, Vector]]) -> None:
        rows = [(one.snapshot, one.start, one.end, model, _packed(vector)) for one, vector in vectors]
        await self._database.write(
            lambda conn: conn.executemany(
                "INSERT INTO vectors(snapshot, first, beyond, model, vector) VALUES(?, ?, ?, ?, ?)"
                " ON CONFLICT(snapshot, first, beyond, model) DO NOTHING",
                rows,
            )
        )

    @override
    async def nearest(
        self,
        caller: str,
        names: Collection[str],
        model: str,
        vector: Vector,
        limit: int,
        where: Sequence[Condition] = (),
    ) -> list[Hit]:
        asked = array("f", vector)

        def look(conn: Conn) -> list[Hit]:
            chosen = names_by_id(conn, caller, names)
            shelf, allowed = of_collections(chosen), of_which_hold(conn, where, chosen)
            rows = conn.execute(
                "SELECT v.snapshot, v.first, v.beyond, v.vector FROM vectors v WHERE v.model = ?"  # noqa: S608 - question marks alone
                f" AND EXISTS(SELECT 1 FROM readings r WHERE r.snapshot = v.snapshot AND {shelf.condition})",
                (model, *shelf.values),
            )
            best: dict[str, Match] = {}
            for snapshot, start, end, packed in rows:
                if allowed is not None and snapshot not in allowed:
                    continue
                score = _near(asked, packed)
                if score > 0 and (snapshot not in best or best[snapshot].score < score):
                    best[snapshot] = Match(snapshot, start, end, score)
            found = heapq.nsmallest(limit, best.values(), key=lambda match: (-match.score, match.snapshot))
            return hits_of(conn, found, chosen, allowed)[:limit]

        return await self._database.read(look)


def _packed(vector: Vector) -> str:
    return base64.b64encode(array("f", vector).tobytes()).decode()


def _near(asked: "array[float]", packed: str) -> float:
    """The cosine of two vectors of length 1; 0 if another model of the same name made one of them."""
    one = array("f", base64.b64decode(packed))
    return sum(map(mul, asked, one)) if len(one) == len(asked) else 0.0
