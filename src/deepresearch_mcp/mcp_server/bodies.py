"""Requests over HTTP, handed on once they have come whole and hold a message."""

from collections import deque
from typing import TYPE_CHECKING

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response

from deepresearch_mcp.mcp_server.messages import Refusal, line_of, read_message
from deepresearch_mcp.mcp_server.wire import LONGEST

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Whole:
    """Stands before the SDK's application, which logs whoever hangs up half-way as a fault, and quotes pydantic.

    Longer bodies than `LONGEST` are handed on as they come: the SDK refuses them.
    """

    def __init__(self, app: "ASGIApp", security: "TransportSecuritySettings | None" = None) -> None:
        """`security` is the application's: who may not ask is told no more than that."""
        self._app = app
        self._security = TransportSecurityMiddleware(security)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """See ASGI."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        come: deque[Message] = deque()
        body = b""
        more = True
        while more and len(body) <= LONGEST:
            part = await receive()
            if part["type"] == "http.disconnect":
                return
            come.append(part)
            body += part.get("body", b"")
            more = part.get("more_body", False)
        if not more and isinstance(message := read_message(body), Refusal):
            barred = await self._security.validate_request(Request(scope), is_post=True)
            refused = barred or Response(line_of(message.error), 400, media_type="application/json")
            await refused(scope, receive, send)
            return

        async def replay() -> "Message":
            return come.popleft() if come else await receive()

        await self._app(scope, replay, send)
