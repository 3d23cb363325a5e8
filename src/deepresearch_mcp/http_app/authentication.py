"""How the token of a request becomes a principal: this machine's own token, tokens of the store, an identity server."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Sequence

import anyio

from deepresearch_mcp.http_app.context import Authenticator
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.tokens import NOTED, TokenRow, Tokens
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, Principal

REVOKED_WITHIN = 1.0
"""Seconds after which a token that was revoked opens nothing, whichever process revoked it."""
_MOST = 2_000
"""Tokens that are remembered; each takes about a kilobyte."""


class LocalToken:
    """The token in the file of this machine's user."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def principal(self, token: str, *, host: str = "") -> Principal | None:  # noqa: ARG002 - it asks no others
        """See `Authenticator`."""
        return LOCAL_PRINCIPAL if hmac.compare_digest(token.encode("utf-8", "replace"), self._token) else None


class StoredTokens:
    """Tokens made with `token create`, remembered: each request would ask the store for the same row.

    Once a second, at most, a request asks whether any token was made or revoked; then all are forgotten.
    """

    def __init__(self, opened: Callable[[], Awaitable[Tokens]], clock: Clock) -> None:
        self._opened = opened
        """Opens the store on first use."""
        self._clock = clock
        self._known: dict[bytes, tuple[float, TokenRow]] = {}
        """A token's hash → when it was found, and its row."""
        self._state: tuple[int, int] | None = None
        self._asked = 0.0
        """When the state was asked for."""
        self._asking = anyio.Lock()

    async def principal(self, token: str, *, host: str = "") -> Principal | None:  # noqa: ARG002 - it asks no others
        """See `Authenticator`."""
        if not token:
            return None
        tokens, clock = await self._opened(), self._clock
        now = clock.now().timestamp()
        if not self._is_current():
            await self._forget_revoked(tokens)
        name, state = hashlib.sha256(token.encode("utf-8", "replace")).digest(), self._state
        found, row = self._known.get(name, (0.0, None))
        if row is None or clock.monotonic() - found >= NOTED:  # Its next use is noted.
            found, row = clock.monotonic(), await tokens.find(token, now)
            # Found before another request saw a change, it may be what was revoked.
            if row is not None and state == self._state:
                self._remember(name, found, row)
        return Principal(row.caller, row.scopes, row.name, row.limits) if row and row.valid(now) else None

    def _is_current(self) -> bool:
        return self._state is not None and self._clock.monotonic() - self._asked < REVOKED_WITHIN

    async def _forget_revoked(self, tokens: Tokens) -> None:
        async with self._asking:
            if self._is_current():
                return
            asked = self._clock.monotonic()
            if (state := await tokens.state()) != self._state:
                self._known.clear()
            self._state, self._asked = state, asked

    def _remember(self, name: bytes, found: float, row: TokenRow) -> None:
        self._known.pop(name, None)
        self._known[name] = found, row
        while len(self._known) > _MOST:
            del self._known[next(iter(self._known))]


class FirstOf:
    """Asks several in turn."""

    def __init__(self, authenticators: Sequence[Authenticator]) -> None:
        self._authenticators = authenticators

    async def principal(self, token: str, *, host: str = "") -> Principal | None:
        """See `Authenticator`."""
        for one in self._authenticators:
            if (found := await one.principal(token, host=host)) is not None:
                return found
        return None
