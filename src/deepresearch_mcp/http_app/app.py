"""One Starlette application of all that is served over HTTP, behind the gate; all of it shares the same jobs."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from deepresearch_mcp.http_app import health
from deepresearch_mcp.http_app.address import PATH, origins_of
from deepresearch_mcp.http_app.authentication import Authenticator, FirstOf, LocalToken, StoredTokens
from deepresearch_mcp.http_app.bodies import Whole
from deepresearch_mcp.http_app.caller_rates import CallerRates
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.http_app.gate import Gate
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.mcp_server.wire import LONGEST
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock

ROUTES: tuple[Callable[[HttpContext], list[BaseRoute]], ...] = (health.routes,)
"""The route lists of all modules. A module that is added here is behind the gate, and in the authentication matrix."""

OPEN_PATHS: tuple[str, ...] = (*health.OPEN_PATHS,)
"""Paths that need no token; one that ends with a slash, and is no bare slash, opens all below it."""

_SESSIONS = 500
"""Clients of the older protocol at once; each holds about 40 kB. Further ones are answered 503 until one ends."""


@asynccontextmanager
async def open_app(
    settings: Settings,
    hosts: Sequence[str],
    *,
    local_token: str | None = None,
    clock: Clock | None = None,
    server: ResearchServer | None = None,
) -> AsyncGenerator[ASGIApp]:
    """Open the jobs' context, and give the application that serves on it until this is left.

    Args:
        settings: Those of the server.
        hosts: Values of the header Host that requests may have.
        local_token: This machine's own; None: no token is asked for, and each caller is this machine's user.
        clock: For tests.
        server: The MCP server, in place of one that is built.
    """
    clock, server = clock or SystemClock(), server or build_server(settings)
    public = settings.http.public_url
    # A page in a browser may know our address: names it could have given us are refused, as are its requests.
    security = TransportSecuritySettings(allowed_hosts=list(hosts), allowed_origins=origins_of(hosts, public))
    async with server.shared_context() as shared:
        context = HttpContext(settings, shared, clock)
        protocol = server.streamable_http_app(
            streamable_http_path=PATH,
            transport_security=security,
            max_sessions=_SESSIONS,
            max_request_body_size=LONGEST,
        )
        app = Starlette(
            routes=[*protocol.routes, *(route for routes in ROUTES for route in routes(context))],
            lifespan=lambda _: server.session_manager.run(),
        )
        yield Gate(
            Whole(app),
            security,
            _authenticator(context, local_token),
            OPEN_PATHS,
            rates=CallerRates(settings.http.requests_a_minute, clock),
        )


def _authenticator(context: HttpContext, local_token: str | None) -> Authenticator | None:
    if local_token is None:
        return None
    return FirstOf([LocalToken(local_token), StoredTokens(context)])
