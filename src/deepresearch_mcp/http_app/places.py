"""How much of a server one caller may hold at once: half of its connections, and half of its sessions."""

import logging
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from starlette.datastructures import Headers

from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.connections import MOST
from deepresearch_mcp.http_app.gate import end, refusal_response
from deepresearch_mcp.mcp_server.tasks import MODERN
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, PRINCIPAL_KEY, Principal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_log = logging.getLogger(__name__)

SESSIONS = 500
"""Clients of the older protocol at once; each holds about 40 kB."""


class Places:
    """Answers 429 to a caller that holds its share, so that there is room for others.

    Counting requests a minute does not do that: a stream is one request, and lasts as long as its client wants.
    It stands behind the gate, which has put the caller into the request. This machine's user has no limit.
    """

    def __init__(
        self,
        app: "ASGIApp",
        sessions_of: Callable[[str], int],
        *,
        requests: int = MOST // 2,
        sessions: int = SESSIONS // 2,
    ) -> None:
        """`sessions_of` counts the open sessions of a caller."""
        self._app = app
        self._sessions_of = sessions_of
        self._requests = requests
        self._sessions = sessions
        self._held = Counter[str]()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, as an ASGI application."""
        principal = scope.get(PRINCIPAL_KEY)
        if not isinstance(principal, Principal) or principal is LOCAL_PRINCIPAL:
            await self._app(scope, receive, send)
            return
        caller = principal.caller
        if why := self._full(caller, scope):
            _log.warning("Caller %s is refused: %s", caller, why)
            await end(refusal_response(429, why, scope["path"], retry_after=5), scope, receive, send)
            return
        self._held[caller] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._held[caller] -= 1
            if not self._held[caller]:
                del self._held[caller]

    def _full(self, caller: str, scope: "Scope") -> str:
        """Why a caller is given no more; "" if it may have this."""
        if self._held[caller] >= self._requests:
            return f"You have {self._requests} requests open at once. End streams that are not read, or wait."
        if _opens_session(scope) and self._sessions_of(caller) >= self._sessions:
            return (
                f"You have {self._sessions} sessions open. End those that are not used with DELETE; one that is not"
                " used for 30 minutes ends by itself."
            )
        return ""


def _opens_session(scope: "Scope") -> bool:
    """Whether the SDK makes a session for this request: newer clients have none."""
    headers = Headers(scope=scope)
    # Versions of the protocol are dates.
    older = headers.get(MCP_PROTOCOL_VERSION_HEADER, "") < MODERN
    return scope["path"] == PATH and older and MCP_SESSION_ID_HEADER not in headers
