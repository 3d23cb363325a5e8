"""Decides who may call over HTTP, from the head of a request, before its body is read."""

import hmac
import logging
from typing import TYPE_CHECKING

import anyio
from mcp import types
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response

from deepresearch_mcp.mcp_server.messages import line_of, refusal
from deepresearch_mcp.mcp_server.wire import LONGEST

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Receive, Scope, Send

_log = logging.getLogger(__name__)


class Gate:
    """Checks Host, Origin, token, type and declared length, in this order; hands on what passes.

    A refusal closes the connection.
    """

    def __init__(
        self,
        app: "ASGIApp",
        security: TransportSecuritySettings,
        token: str | None = None,
        open_paths: "Collection[str]" = (),
    ) -> None:
        """Without a `token` none is asked for; `open_paths` need none either."""
        self._app = app
        self._security = TransportSecurityMiddleware(security)
        self._token = token
        self._open = frozenset(open_paths)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, as an ASGI application."""
        if scope["type"] == "http" and (answer := await self._refused(scope)) is not None:
            await end(answer, scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _refused(self, scope: "Scope") -> Response | None:
        request = Request(scope)
        posted = scope["method"] == "POST"
        # Its name and origin first: a stranger is told no more than that.
        if barred := await self._security.validate_request(request):
            return barred
        if self._token is not None and scope["path"] not in self._open and not self._is_known(request):
            answer = refusal_response(
                401,
                "A token is needed. Send the header “Authorization: Bearer TOKEN”; the server printed the path of the"
                " token file when it started.",
            )
            answer.headers["www-authenticate"] = "Bearer"
            return answer
        if barred := await self._security.validate_request(request, is_post=posted):
            return barred
        length = request.headers.get("content-length", "")
        if posted and length.isdecimal() and int(length[:20]) > LONGEST:
            return too_long()
        return None

    def _is_known(self, request: Request) -> bool:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip().encode(), (self._token or "").encode())
        return scheme.casefold() == "bearer" and right


async def end(answer: Response, scope: "Scope", receive: "Receive", send: "Send") -> None:
    """Answer, and close the connection: whatever body is still to come is thrown away, for a second at most.

    Closed amid what its client sends, a connection is reset, and the client may never see why.
    """
    with anyio.move_on_after(_LINGER):
        while (await receive()).get("more_body", False):
            pass
    answer.headers["connection"] = "close"
    await answer(scope, receive, send)


_LINGER = 1.0


def refusal_response(status: int, text: str) -> Response:
    """An answer that says in a sentence why a request is not taken, as an error of the protocol."""
    error = refusal(types.INVALID_REQUEST, text).error
    return Response(line_of(error), status, media_type="application/json")


def too_long() -> Response:
    """The answer to a body that is longer than any message."""
    return refusal_response(413, f"The message has more than {LONGEST:,} bytes. Send less at once.")
