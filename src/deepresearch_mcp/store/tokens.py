"""Tokens of callers over HTTP, hashed."""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import astuple
from typing import Any

from typing_extensions import override

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.tokens import NOTED, TokenRow, Tokens
from deepresearch_mcp.records.principal import NO_LIMITS, SCOPES, CallerLimits, Scope
from deepresearch_mcp.store.sql import Conn, Database

_BYTES = 32
_PREFIX = "drt_"
"""How a token begins, so that scanners for secrets find one that was left in a file."""
_LONGEST = 200
"""Characters of what is looked up at all; ours have 47."""
_COLUMNS = (
    "token_id, name, caller, scopes, created, expires, used, revoked, runs_at_once, requests_a_minute, usd_per_day"
)


class SqlTokens(Tokens):
    """`ports.tokens.Tokens` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def create(
        self,
        name: str,
        scopes: Collection[Scope],
        now: float,
        *,
        expires: float | None = None,
        same_as: str = "",
        limits: CallerLimits | None = None,
    ) -> tuple[str, TokenRow]:
        token, token_id = f"{_PREFIX}{secrets.token_urlsafe(_BYTES)}", secrets.token_hex(4)
        earlier = await self._earlier(same_as) if same_as else None
        caller = earlier.caller if earlier else f"token:{token_id}"
        limits = limits or (earlier.limits if earlier else NO_LIMITS)
        row = TokenRow(token_id, name, caller, frozenset(scopes), now, expires, limits=limits)
        granted = " ".join(scope for scope in SCOPES if scope in row.scopes)
        await self._database.change(
            "INSERT INTO tokens(token_id, digest, name, caller, scopes, created, expires, runs_at_once,"
            " requests_a_minute, usd_per_day) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (token_id, _digest(token), name, caller, granted, now, expires, *astuple(limits)),
        )
        return token, row

    async def _earlier(self, token_id: str) -> TokenRow:
        rows = await self._database.rows(f"SELECT {_COLUMNS} FROM tokens WHERE token_id = ?", token_id)  # noqa: S608 - names of columns alone
        if not rows:
            raise InvalidRequest(f"There is no token {token_id[:40]!r}.", "`token list` shows those there are.")
        return _row(rows[0])

    @override
    async def find(self, token: str, now: float) -> TokenRow | None:
        if not token.startswith(_PREFIX) or len(token) > _LONGEST:
            return None  # An identity server's, or none: not worth a question.
        rows = await self._database.rows(
            f"SELECT {_COLUMNS} FROM tokens WHERE digest = ?",  # noqa: S608 - names of columns alone
            _digest(token),
        )
        row = _row(rows[0]) if rows else None
        if row is None or not row.valid(now):
            return None
        if row.used is None or now - row.used >= NOTED:
            await self._database.change("UPDATE tokens SET used = ? WHERE token_id = ?", (now, row.token_id))
        return row

    @override
    async def state(self) -> tuple[int, int]:
        [(made, revoked)] = await self._database.rows("SELECT COUNT(*), COUNT(revoked) FROM tokens")
        return made, revoked

    @override
    async def all(self) -> list[TokenRow]:
        rows = await self._database.rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created, token_id")  # noqa: S608 - names of columns alone
        return [_row(row) for row in rows]

    @override
    async def limits(self) -> dict[str, CallerLimits]:
        return await self._database.read(limits_of_callers)

    @override
    async def any_valid(self, now: float) -> bool:
        return any(row.valid(now) for row in await self.all())

    @override
    async def revoke(self, token_id: str, now: float) -> bool:
        changed = await self._database.change(
            "UPDATE tokens SET revoked = ? WHERE token_id = ? AND revoked IS NULL", (now, token_id)
        )
        return changed > 0


def limits_of_callers(conn: Conn) -> dict[str, CallerLimits]:
    """The limits of callers that have their own."""
    rows = conn.execute(
        "SELECT caller, runs_at_once, requests_a_minute, usd_per_day FROM tokens WHERE revoked IS NULL"
        " ORDER BY created, token_id"
    ).fetchall()
    found = {caller: CallerLimits(*limits) for caller, *limits in rows}
    return {caller: limits for caller, limits in found.items() if limits != NO_LIMITS}


def _digest(token: str) -> str:
    # SHA-256 once, without salt or work factor: those protect what people choose, and make each request slow. 256
    # random bits cannot be guessed from their hash, however fast it is computed.
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _row(row: tuple[Any, ...]) -> TokenRow:
    token_id, name, caller, scopes, created, expires, used, revoked, *limits = row
    granted: frozenset[Scope] = frozenset(scope for scope in SCOPES if scope in scopes.split())
    return TokenRow(token_id, name, caller, granted, created, expires, used, revoked, CallerLimits(*limits))
