"""Tokens of callers over HTTP, hashed."""

import hashlib
import secrets
from collections.abc import Collection
from typing import Any

from typing_extensions import override

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.tokens import TokenRow, Tokens
from deepresearch_mcp.records.principal import SCOPES, Scope
from deepresearch_mcp.store.sql import Database

_BYTES = 32
_PREFIX = "drt_"
"""How a token begins, so that scanners for secrets find one that was left in a file."""
_LONGEST = 200
"""Characters of what is looked up at all; ours have 47."""
_FRESH = 60.0
"""Seconds in which a further use is not written down: each request would write to the store."""
_COLUMNS = "token_id, name, caller, scopes, created, expires, used, revoked"


class SqlTokens(Tokens):
    """`ports.tokens.Tokens` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def create(
        self, name: str, scopes: Collection[Scope], now: float, *, expires: float | None = None, same_as: str = ""
    ) -> tuple[str, TokenRow]:
        token, token_id = f"{_PREFIX}{secrets.token_urlsafe(_BYTES)}", secrets.token_hex(4)
        caller = await self._caller_of(same_as) if same_as else f"token:{token_id}"
        row = TokenRow(token_id, name, caller, frozenset(scopes), now, expires)
        granted = " ".join(scope for scope in SCOPES if scope in row.scopes)
        await self._database.change(
            "INSERT INTO tokens(token_id, digest, name, caller, scopes, created, expires) VALUES(?, ?, ?, ?, ?, ?, ?)",
            (token_id, _digest(token), name, caller, granted, now, expires),
        )
        return token, row

    async def _caller_of(self, token_id: str) -> str:
        rows = await self._database.rows("SELECT caller FROM tokens WHERE token_id = ?", token_id)
        if not rows:
            raise InvalidRequest(f"There is no token {token_id[:40]!r}.", "`token list` shows those there are.")
        return rows[0][0]

    @override
    async def find(self, token: str, now: float) -> TokenRow | None:
        if len(token) > _LONGEST:
            return None
        rows = await self._database.rows(
            f"SELECT {_COLUMNS} FROM tokens WHERE digest = ?",  # noqa: S608 - names of columns alone
            _digest(token),
        )
        row = _row(rows[0]) if rows else None
        if row is None or not row.valid(now):
            return None
        if row.used is None or now - row.used > _FRESH:
            await self._database.change("UPDATE tokens SET used = ? WHERE token_id = ?", (now, row.token_id))
        return row

    @override
    async def all(self) -> list[TokenRow]:
        rows = await self._database.rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created, token_id")  # noqa: S608 - names of columns alone
        return [_row(row) for row in rows]

    @override
    async def any_valid(self, now: float) -> bool:
        return any(row.valid(now) for row in await self.all())

    @override
    async def revoke(self, token_id: str, now: float) -> bool:
        changed = await self._database.change(
            "UPDATE tokens SET revoked = ? WHERE token_id = ? AND revoked IS NULL", (now, token_id)
        )
        return changed > 0


def _digest(token: str) -> str:
    # SHA-256 once, without salt or work factor: those protect what people choose, and make each request slow. 256
    # random bits cannot be guessed from their hash, however fast it is computed.
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _row(row: tuple[Any, ...]) -> TokenRow:
    token_id, name, caller, scopes, created, expires, used, revoked = row
    granted: frozenset[Scope] = frozenset(scope for scope in SCOPES if scope in scopes.split())
    return TokenRow(token_id, name, caller, granted, created, expires, used, revoked)
