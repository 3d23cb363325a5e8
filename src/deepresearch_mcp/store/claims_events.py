"""Claims and the audit trail of a run.

Each event's hash holds the hash before it, so that no event is changed or taken out unseen.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from deepresearch_mcp.ports.store import Claims, EventRow, Events
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.sql import Conn, Database

FIRST = ""
"""What stands before the first event of a run."""
_LAST = "SELECT hash, at, kind, data FROM events WHERE run_id = ? ORDER BY number DESC LIMIT ?"


def link(before: str, run_id: str, at: float, kind: str, data: str) -> str:
    """The hash of an event: SHA-256 over the previous hash and its fields, as 64 hexadecimal digits.

    `data` is the event's JSON exactly as stored.
    """
    whole = json.dumps([before, run_id, at, kind, data], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def append(conn: Conn, run_id: str, at: float, kind: str, data: dict[str, Any]) -> None:
    """Append one event to the chain of a run; inside a transaction."""
    append_all(conn, run_id, [(at, kind, data)])


def append_all(conn: Conn, run_id: str, events: Sequence[tuple[float, str, dict[str, Any]]]) -> None:
    """Append events to the chain of a run; inside a transaction."""
    rows = [(at, kind, to_json(data)) for at, kind, data in events]
    # Without this lock two concurrent writers could link to the same event.
    conn.execute(conn.dialect.of("SELECT 1 FROM runs WHERE run_id = ?$update"), (run_id,)).fetchone()
    known = conn.execute(_LAST, (run_id, len(rows))).fetchall()
    if [tuple(row[1:]) for row in reversed(known)] == rows:
        return  # Written before the connection broke.
    before = known[0][0] if known else FIRST
    for at, kind, text in rows:
        sealed = link(before, run_id, at, kind, text)
        conn.execute(
            "INSERT INTO events(run_id, at, kind, data, hash) VALUES(?, ?, ?, ?, ?)", (run_id, at, kind, text, sealed)
        )
        before = sealed


class SqlClaims(Claims):
    """`ports.store.Claims` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def save(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Save all claims, or none on error."""
        rows = [(run_id, claim.claim_id, claim.model_dump_json()) for claim in claims]
        if rows:
            await self._database.write(
                lambda conn: conn.executemany(
                    "INSERT INTO claims(run_id, claim_id, claim) VALUES(?, ?, ?)"
                    " ON CONFLICT(run_id, claim_id) DO UPDATE SET claim = excluded.claim",
                    rows,
                )
            )

    @override
    async def of(self, run_id: str) -> list[Claim]:
        found = await self._database.rows("SELECT claim FROM claims WHERE run_id = ? ORDER BY number", run_id)
        return [Claim.model_validate_json(claim) for (claim,) in found]


class SqlEvents(Events):
    """`ports.store.Events` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def add(self, run_id: str, at: float, kind: str, data: dict[str, Any]) -> None:
        await self._database.write(lambda conn: append(conn, run_id, at, kind, data))

    @override
    async def add_all(self, run_id: str, events: Sequence[tuple[float, str, dict[str, Any]]]) -> None:
        if events:
            await self._database.write(lambda conn: append_all(conn, run_id, events))

    @override
    async def broken(self, run_id: str) -> int | None:
        """Find the first broken event. Events from before the chain existed, which have no hash, count as intact."""
        found = await self._database.rows(
            "SELECT number, at, kind, data, hash FROM events WHERE run_id = ? ORDER BY number", run_id
        )
        before = FIRST
        for number, at, kind, data, sealed in found:
            if (sealed or before) and sealed != link(before, run_id, at, kind, data):
                return number
            before = sealed
        return None

    @override
    async def of(self, run_id: str, after: int = 0, limit: int = 1000) -> list[EventRow]:
        found = await self._database.rows(
            "SELECT number, run_id, at, kind, data FROM events WHERE run_id = ? AND number > ? ORDER BY number LIMIT ?",
            run_id,
            after,
            limit,
        )
        return [EventRow(number, run, at, kind, _read(data)) for number, run, at, kind, data in found]


def _read(data: str) -> dict[str, Any]:
    """The fields of an event; empty if its JSON is damaged. `broken` finds such damage through the chain."""
    try:
        return json.loads(data)
    except ValueError:
        return {}
