"""Secret keys shared by the processes that use one store."""

import secrets

from typing_extensions import override

from deepresearch_mcp.ports.store import Keys
from deepresearch_mcp.store.sql import Database

_BYTES = 32


class SqlKeys(Keys):
    """`ports.store.Keys` in a database. Only the user can read the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def of(self, name: str) -> bytes:
        if (found := await self._found(name)) is None:
            # Two processes may create a key at once; the first to store it wins, so read it again.
            await self._database.change(
                "INSERT INTO keys(name, value) VALUES(?, ?) ON CONFLICT(name) DO NOTHING",
                (name, secrets.token_hex(_BYTES)),
            )
            found = await self._found(name)
        return bytes.fromhex(found or "")

    async def _found(self, name: str) -> str | None:
        rows = await self._database.rows("SELECT value FROM keys WHERE name = ?", name)
        return rows[0][0] if rows else None
