"""How the token of a request becomes a principal: this machine's own token, tokens of the store, an identity server."""

import hmac
from collections.abc import Sequence

from deepresearch_mcp.http_app.context import Authenticator, HttpContext
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, Principal


class LocalToken:
    """The token in the file of this machine's user."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def principal(self, token: str) -> Principal | None:
        """See `Authenticator`."""
        return LOCAL_PRINCIPAL if hmac.compare_digest(token.encode("utf-8", "replace"), self._token) else None


class StoredTokens:
    """Tokens made with `token create`. Each request asks the store: what was revoked elsewhere ends at once."""

    def __init__(self, context: HttpContext) -> None:
        self._context = context

    async def principal(self, token: str) -> Principal | None:
        """See `Authenticator`."""
        if not token:
            return None
        jobs = await self._context.server.jobs()
        row = await jobs.runtime.store.tokens.find(token, self._context.clock.now().timestamp())
        return Principal(row.caller, row.scopes, row.name, row.limits) if row else None


class FirstOf:
    """Asks several in turn."""

    def __init__(self, authenticators: Sequence[Authenticator]) -> None:
        self._authenticators = authenticators

    async def principal(self, token: str) -> Principal | None:
        """See `Authenticator`."""
        for one in self._authenticators:
            if (found := await one.principal(token)) is not None:
                return found
        return None
