"""Rounds of one call: what a client carries to the next one is sealed, and any server on the store reads it."""

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcp.server.context import CallNext, HandlerResult
from mcp.server.request_state import AESGCMRequestStateCodec, RequestStateCodec, RequestStateSecurity
from typing_extensions import override

from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.tasks import Ctx

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs

_LASTS = 24 * 60 * 60.0
"""Seconds in which a round may be answered: a user who is asked may be at lunch, and a run waits longer."""


class Seal(RequestStateCodec):
    """Seals what clients carry from round to round, with the key in the store once that is open.

    Until then with one of this process: starting must open nothing, and what is sealed so comes from tools that need
    no store.
    """

    def __init__(self) -> None:
        self._own = secrets.token_bytes(32)
        self._codec = AESGCMRequestStateCodec([self._own])

    async def take_key(self, jobs: "Jobs") -> None:
        """Seal with the key in the store from now on."""
        key = await jobs.runtime.store.keys.of("request-state")
        self._codec = AESGCMRequestStateCodec([key, self._own])

    @override
    def seal(self, payload: bytes) -> str:
        return self._codec.seal(payload)

    @override
    def unseal(self, token: str) -> bytes:
        return self._codec.unseal(token)

    def security(self) -> RequestStateSecurity:
        """What the SDK holds each round to, with this seal."""
        return RequestStateSecurity(codec=self, ttl=_LASTS)


async def opened_for_rounds(ctx: Ctx, call_next: CallNext) -> HandlerResult:
    """Open the store before a further round is read: the first one may have been another server's."""
    if isinstance(ctx.params, Mapping) and ctx.params.get("requestState") is not None:
        desk: ServerContext = ctx.lifespan_context
        await desk.jobs()
    return await call_next(ctx)
