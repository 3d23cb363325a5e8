"""Links that show single runs, hashed."""

import hashlib
import secrets
from typing import Any

from typing_extensions import override

from deepresearch_mcp.ports.shares import ShareRow, Shares
from deepresearch_mcp.store.sql import Database

_BYTES = 32
_LONGEST = 200
"""Characters of what is looked up at all; ours have 43."""
_COLUMNS = "share_id, run_id, created, expires, revoked"


class SqlShares(Shares):
    """`ports.shares.Shares` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def create(self, run_id: str, now: float, expires: float) -> tuple[str, ShareRow]:
        secret, row = secrets.token_urlsafe(_BYTES), ShareRow(secrets.token_hex(4), run_id, now, expires)
        await self._database.change(
            "INSERT INTO shares(share_id, digest, run_id, created, expires) VALUES(?, ?, ?, ?, ?)",
            (row.share_id, _digest(secret), run_id, now, expires),
        )
        return secret, row

    @override
    async def find(self, secret: str, now: float) -> ShareRow | None:
        if len(secret) > _LONGEST:
            return None
        rows = await self._database.rows(f"SELECT {_COLUMNS} FROM shares WHERE digest = ?", _digest(secret))  # noqa: S608 - names of columns alone
        row = _row(rows[0]) if rows else None
        return row if row and row.valid(now) else None

    @override
    async def of(self, run_id: str) -> list[ShareRow]:
        query = f"SELECT {_COLUMNS} FROM shares WHERE run_id = ? ORDER BY created, share_id"  # noqa: S608 - names of columns alone
        return [_row(row) for row in await self._database.rows(query, run_id)]

    @override
    async def revoke(self, run_id: str, share_id: str, now: float) -> bool:
        query = "UPDATE shares SET revoked = ? WHERE run_id = ? AND share_id = ? AND revoked IS NULL"
        return await self._database.change(query, (now, run_id, share_id)) > 0


def _digest(secret: str) -> str:
    # As with tokens: 256 random bits need no salt.
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _row(row: tuple[Any, ...]) -> ShareRow:
    return ShareRow(*row)
