"""What a run found and what happened to it: claims, and the audit trail."""

import json
from collections.abc import Sequence
from typing import Any

from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.store.connection import Database
from deepresearch_mcp.store.encoding import to_json


class SqliteClaims:
    """`ports.store.Claims` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, run_id: str, claims: Sequence[Claim]) -> None:
        """See `Claims.save`: all of them, or, on an error, none."""
        rows = [(run_id, claim.claim_id, claim.model_dump_json()) for claim in claims]
        if rows:
            await self._database.write(
                lambda conn: conn.executemany(
                    "INSERT INTO claims(run_id, claim_id, claim) VALUES(?, ?, ?)"
                    " ON CONFLICT(run_id, claim_id) DO UPDATE SET claim = excluded.claim",
                    rows,
                )
            )

    async def of(self, run_id: str) -> list[Claim]:
        """See `Claims.of`."""
        found = await self._database.rows("SELECT claim FROM claims WHERE run_id = ? ORDER BY number", run_id)
        return [Claim.model_validate_json(claim) for (claim,) in found]


class SqliteEvents:
    """`ports.store.Events` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, run_id: str, at: float, kind: str, data: dict[str, Any]) -> None:
        """See `Events.add`."""
        await self._database.change(
            "INSERT INTO events(run_id, at, kind, data) VALUES(?, ?, ?, ?)", (run_id, at, kind, to_json(data))
        )

    async def of(self, run_id: str, after: int = 0, limit: int = 1000) -> list[EventRow]:
        """See `Events.of`."""
        found = await self._database.rows(
            "SELECT number, run_id, at, kind, data FROM events WHERE run_id = ? AND number > ? ORDER BY number LIMIT ?",
            run_id,
            after,
            limit,
        )
        return [EventRow(number, run, at, kind, json.loads(data)) for number, run, at, kind, data in found]
