"""Bodies of requests over HTTP: read whole, within a time and within the memory that all of them share."""

from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response

from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.gate import end, refusal_response, too_long
from deepresearch_mcp.mcp_server.messages import Refusal, line_of, read_message
from deepresearch_mcp.mcp_server.wire import LONGEST

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = 15.0
"""Seconds in which a body has to arrive; on loopback, and from a host nearby, 4 MiB take less than one."""
SMALL = 64 * 1024
"""Bytes that every request may send, whatever others send: nearly all messages are shorter."""
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
TOGETHER = 48 * 1024 * 1024
"""Bytes that all longer bodies may hold at once, from their first byte to the end of their answer."""


class Whole:
    """Hands a request on once its body has come whole, and holds a message where one is wanted.

    It stands before the SDK's application, which reads bodies without a time or a common limit, logs a client that
    hangs up half-way as a fault, and quotes pydantic.
    """

    def __init__(self, app: "ASGIApp", *, seconds: float = SECONDS, together: int = TOGETHER) -> None:
        self._app = app
        self._seconds = seconds
        self._room = together

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, as an ASGI application."""
        if scope["type"] != "http" or scope["method"] not in _WITH_BODY:
            await self._app(scope, receive, send)
            return
        body = _Body()
        try:
            await self._answer(scope, receive, send, body)
        finally:
            self._room += body.claimed

    async def _answer(self, scope: "Scope", receive: "Receive", send: "Send", body: "_Body") -> None:
        path = scope["path"]
        late = f"The body did not come within {self._seconds:g} seconds. Send it at once."
        why = refusal_response(408, late, path)
        with anyio.move_on_after(self._seconds):
            why = await self._read(receive, body, path)
        if body.left:
            return
        content = bytes(body.data)
        body.data.clear()
        if why is not None:
            await end(why, scope, receive, send)
            return
        if path == PATH and scope["method"] == "POST" and isinstance(message := read_message(content), Refusal):
            await Response(line_of(message.error), 400, media_type="application/json")(scope, receive, send)
            return
        given = False

        async def replay() -> "Message":
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": content, "more_body": False}

        await self._app(scope, replay, send)

    async def _read(self, receive: "Receive", body: "_Body", path: str) -> Response | None:
        """Why the body is not taken; None once it has come."""
        more = True
        while more:
            part = await receive()
            if part["type"] == "http.disconnect":
                body.left = True
                return None
            body.data += part.get("body", b"")
            more = part.get("more_body", False)
            if len(body.data) > LONGEST:
                return too_long(path)
            wanted = len(body.data) - body.claimed if len(body.data) > SMALL else 0
            if wanted > self._room:
                text = "Too many long messages are being sent at once. Try again in a few seconds."
                return refusal_response(503, text, path, retry_after=5)
            self._room -= wanted
            body.claimed += wanted
        return None


class _Body:
    """The part of a body that has arrived."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.claimed = 0
        """Bytes of the common room that it holds."""
        self.left = False
        """Whether its sender has disconnected."""
