"""Decides who may call over HTTP, from the head of a request, before its body is read."""

import json
import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import anyio
from mcp import types
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, NotAuthenticated, NotAuthorized, RateLimited
from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.context import admit
from deepresearch_mcp.mcp_server.messages import line_of, refusal
from deepresearch_mcp.mcp_server.wire import LONGEST
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL
from deepresearch_mcp.telemetry.trace_context import following

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Receive, Scope, Send

    from deepresearch_mcp.http_app.authentication import Authenticator
    from deepresearch_mcp.http_app.caller_rates import CallerRates
    from deepresearch_mcp.records.principal import Principal

_log = logging.getLogger(__name__)

COOKIE = "deepresearch_token"
"""Browsers may show the token so; it has to be set HttpOnly and SameSite=Strict. See `cookie_name`."""
_BODIES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Gate:
    """Checks Host, Origin, token, scope, rate, type and declared length, in this order; hands on what passes.

    It puts the principal into the request. A refusal closes the connection.
    """

    def __init__(
        self,
        app: "ASGIApp",
        security: TransportSecuritySettings,
        authenticator: "Authenticator | None" = None,
        open_paths: "Collection[str]" = (),
        *,
        rates: "CallerRates | None" = None,
        metadata_url: str = "",
        sign_in: str = "",
    ) -> None:
        """Without an `authenticator` each caller is this machine's user.

        Args:
            app: What is behind the gate.
            security: Names by which requests may call us, and origins that may send them.
            authenticator: Knows tokens.
            open_paths: Paths that need none, and those below one that ends with a slash.
            rates: Counts requests by caller.
            metadata_url: Where clients read which identity server to ask.
            sign_in: Path to which browsers are sent that ask for a page without a valid token.
        """
        self._app = app
        self._security = TransportSecurityMiddleware(security)
        self._authenticator = authenticator
        self._open = frozenset(open_paths)
        self._below = tuple(path for path in open_paths if path.endswith("/") and path != "/")
        self._rates = rates
        self._sign_in = sign_in
        self._challenge = f'Bearer resource_metadata="{metadata_url}"' if metadata_url else "Bearer"

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, as an ASGI application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if (answer := await self._refused(scope)) is not None:
            await end(answer, scope, receive, send)
            return
        user = scope.get("user")
        known = auth_context_var.set(user if isinstance(user, AuthenticatedUser) else None)
        try:
            with following(Headers(scope=scope)):
                await self._app(scope, receive, send)
        finally:
            auth_context_var.reset(known)

    async def _refused(self, scope: "Scope") -> Response | None:
        request, path = Request(scope), scope["path"]
        # Its name and origin first: a stranger is told no more than that.
        if barred := await self._security.validate_request(request):
            return _barred(barred.status_code, path)
        is_open = path in self._open or any(path.startswith(one) for one in self._below)
        if not is_open and (barred := await self._unknown(request)) is not None:
            return barred
        posted = scope["method"] in _BODIES
        if path == PATH and (barred := await self._security.validate_request(request, is_post=posted)):
            return barred
        length = request.headers.get("content-length", "")
        if posted and length.isdecimal() and int(length[:20]) > LONGEST:
            return too_long(path)
        return None

    async def _unknown(self, request: Request) -> Response | None:
        """Why the caller of a request is not served; else its principal is admitted."""
        path, host = request.scope["path"], request.client.host if request.client else ""
        try:
            principal = await self._principal(request)
        except RateLimited as error:
            return _too_often(error.retry_after or 1.0, path)
        except DeepResearchError as error:
            _log.warning("A token could not be checked: %s", error)
            return refusal_response(503, "Tokens cannot be checked now. Try again in a few seconds.", path)
        # Strangers share a bucket by address, so that guessing costs no more than asking.
        seconds = 0.0
        if self._rates and principal is not LOCAL_PRINCIPAL:
            known = (principal.caller, principal.limits.requests_a_minute) if principal else (f"address:{host}", None)
            seconds = self._rates.wait(*known)
        if seconds:
            return _too_often(seconds, path)
        if principal is None and self._sign_in and wants_page(request):
            return RedirectResponse(f"{self._sign_in}?{urlencode({'next': path})}", 303)
        if principal is None:
            unknown = NotAuthenticated()
            why = _WHO_ARE_YOU if path == PATH else unknown.message
            answer = refusal_response(401, why, path, action="" if path == PATH else unknown.action)
            answer.headers["www-authenticate"] = self._challenge
            return answer
        if path == PATH and not principal.may("runs:read"):
            answer = refusal_response(403, str(NotAuthorized("runs:read")), path)
            answer.headers["www-authenticate"] = f"{self._challenge}{',' if '=' in self._challenge else ''} {_SCOPE}"
            return answer
        admit(request.scope, principal)
        request.scope["user"] = _user(principal)
        return None

    async def _principal(self, request: Request) -> "Principal | None":
        if self._authenticator is None:
            return LOCAL_PRINCIPAL
        token = token_of(request)
        host = request.client.host if request.client else ""
        return await self._authenticator.principal(token, host=host) if token else None


def _too_often(seconds: float, path: str) -> Response:
    text = "Too many requests a minute. Slow down; the header Retry-After says."
    return refusal_response(429, text, path, retry_after=seconds)


_WHO_ARE_YOU = (
    "A token is needed. Send the header “Authorization: Bearer TOKEN”; the server printed the path of the"
    " token file when it started."
)
_SCOPE = 'error="insufficient_scope", scope="runs:read"'


def token_of(request: Request) -> str:
    """The token that a request shows, in its header or else as a browser's cookie; "" if none."""
    if (header := request.headers.get("authorization")) is not None:
        scheme, _, given = header.partition(" ")
        return given.strip() if scheme.casefold() == "bearer" else ""
    return cookie_of(request, cookie_name(request)) or cookie_of(request, COOKIE)


def cookie_name(request: Request) -> str:
    """The name of the cookie for this server: browsers give cookies of one host to all its ports."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"{COOKIE}_{port}" if port.isdecimal() else COOKIE


def cookie_of(request: Request, name: str) -> str:
    """The value of a cookie; "" if the request has none of this name."""
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")[:8_192]).get(name)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


def wants_page(request: Request) -> bool:
    """Whether a browser asks for a page to show."""
    return request.method in {"GET", "HEAD"} and "text/html" in request.headers.get("accept", "")


def _user(principal: "Principal") -> AuthenticatedUser:
    """The principal as the SDK knows one: it binds sessions, and rounds of a call, to it."""
    # The token itself is of no use to it, and is best held nowhere.
    return AuthenticatedUser(
        AccessToken(token="", client_id=principal.caller, scopes=sorted(principal.scopes), subject=principal.caller)
    )


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


def refusal_response(
    status: int, text: str, path: str = PATH, *, action: str = "", retry_after: float | None = None
) -> Response:
    """An answer that says in a sentence why a request is not taken: an error of the protocol, or problem details.

    `retry_after`: seconds after which it may be taken.
    """
    headers = {} if retry_after is None else {"retry-after": str(math.ceil(retry_after))}
    if path == PATH:
        said = line_of(refusal(types.INVALID_REQUEST, text).error)
        return Response(said, status, headers, media_type="application/json")
    kind = _KINDS.get(status, InvalidRequest)
    problem = {
        "type": f"/problems/{kind.code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": text,
        "code": kind.code,
        "name": kind.name,
        "action": action,
    }
    return Response(json.dumps(problem, ensure_ascii=False), status, headers, media_type="application/problem+json")


def _barred(status: int, path: str) -> Response:
    """An answer to a request whose Host or Origin is not ours."""
    if status == HTTPStatus.FORBIDDEN:
        text, action = "Another site sent this request (its Origin).", "Open the page at this server's own address."
    else:
        text = "This server is not known by the name it was asked by (Host)."
        action = "Ask it by its own address, or set http.allowed_hosts or http.public_url where it runs."
    return refusal_response(status, text, path, action=action)


_KINDS: Mapping[int, type[DeepResearchError]] = MappingProxyType(
    {401: NotAuthenticated, 403: NotAuthorized, 429: RateLimited, 503: RateLimited}
)
"""By status, the error that a program knows a refusal by: one that waits may ask again."""


def too_long(path: str = PATH) -> Response:
    """The answer to a body that is longer than any message."""
    return refusal_response(413, f"The message has more than {LONGEST:,} bytes. Send less at once.", path)
