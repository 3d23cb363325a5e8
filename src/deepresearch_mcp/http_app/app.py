"""One Starlette application of all that is served over HTTP, behind the gate; all of it shares the same jobs."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from deepresearch_mcp.http_app import health, metrics, protected_resource, shared
from deepresearch_mcp.http_app.address import PATH, origins_of
from deepresearch_mcp.http_app.authentication import FirstOf, LocalToken, StoredTokens
from deepresearch_mcp.http_app.bodies import Whole
from deepresearch_mcp.http_app.caller_rates import CallerRates
from deepresearch_mcp.http_app.context import Authenticator, HttpContext, Stopping
from deepresearch_mcp.http_app.gate import Gate
from deepresearch_mcp.http_app.oauth import OAuthTokens
from deepresearch_mcp.http_app.one_time_codes import OneTimeCodes
from deepresearch_mcp.http_app.pages import site
from deepresearch_mcp.http_app.places import SESSIONS, Places
from deepresearch_mcp.http_app.problems import exception_handlers
from deepresearch_mcp.http_app.rest import service
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.mcp_server.wire import LONGEST
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.tokens import Tokens
from deepresearch_mcp.service_client import service_client
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock

ROUTES: tuple[Callable[[HttpContext], list[BaseRoute]], ...] = (
    health.routes,
    protected_resource.routes,
    service.routes,
    metrics.routes,
    shared.routes,
    site.routes,
)
"""The route lists of all modules. A module that is added here is behind the gate, and in the authentication matrix."""

OPEN_PATHS: tuple[str, ...] = (
    *health.OPEN_PATHS,
    *protected_resource.OPEN_PATHS,
    *shared.OPEN_PATHS,
    service.OPENAPI,
    service.PROBLEMS,
    *site.OPEN_PATHS,
)
"""Paths that need no token; one that ends with a slash, and is no bare slash, opens all below it."""


@asynccontextmanager
async def open_app(
    settings: Settings,
    hosts: Sequence[str],
    *,
    local_token: str | None = None,
    clock: Clock | None = None,
    server: ResearchServer | None = None,
    codes: OneTimeCodes | None = None,
    stopping: Stopping | None = None,
) -> AsyncGenerator[ASGIApp]:
    """Open the jobs' context, and give the application that serves on it until this is left.

    Args:
        settings: Those of the server.
        hosts: Values of the header Host that requests may have.
        local_token: This machine's own; None: no token is asked for, and each caller is this machine's user.
        clock: For tests.
        server: The MCP server, in place of one that is built.
        codes: Sign in this machine's own browser.
        stopping: Set when the server is told to stop.
    """
    clock, server = clock or SystemClock(), server or build_server(settings)
    public = settings.http.public_url
    # A page in a browser may know our address: names it could have given us are refused, as are its requests.
    security = TransportSecuritySettings(allowed_hosts=list(hosts), allowed_origins=origins_of(hosts, public))
    async with AsyncExitStack() as stack:
        shared = await stack.enter_async_context(server.shared_context())
        context, metadata_url = HttpContext(settings, shared, clock, codes=codes), ""
        context = replace(context, stopping=stopping or context.stopping)

        async def tokens() -> Tokens:
            return (await shared.jobs()).runtime.store.tokens

        if local_token is not None:
            kinds: list[Authenticator] = [
                LocalToken(local_token),
                StoredTokens(tokens, clock),
                *([codes] if codes else []),
            ]
            if (oauth := settings.http.oauth).issuer:
                address = public or f"http://{hosts[0]}"
                http = await stack.enter_async_context(service_client(settings))
                guesses = CallerRates(settings.http.requests_a_minute, clock)
                kinds.append(OAuthTokens(oauth, address + PATH, http, clock, guesses))
                metadata_url = f"{address}{protected_resource.WELL_KNOWN}{PATH}"
            context = replace(context, authenticator=FirstOf(kinds))
        protocol = server.streamable_http_app(
            streamable_http_path=PATH,
            transport_security=security,
            max_sessions=SESSIONS,
            max_request_body_size=LONGEST,
        )
        app = Starlette(
            routes=[*protocol.routes, *(route for routes in ROUTES for route in routes(context))],
            lifespan=lambda _: server.session_manager.run(),
            exception_handlers=exception_handlers(),
        )
        rates = CallerRates(settings.http.requests_a_minute, clock)
        yield Gate(
            Places(Whole(app), lambda caller: _sessions_of(server, caller)),
            security,
            context.authenticator,
            OPEN_PATHS,
            rates=rates,
            metadata_url=metadata_url,
            sign_in=site.SIGN_IN,
        )


def _sessions_of(server: ResearchServer, caller: str) -> int:
    """Sessions of the older protocol that a caller has open."""
    owners = server.session_manager._session_owners  # pyright: ignore[reportPrivateUsage] - the SDK tells it nowhere else
    return sum(owner["client_id"] == caller for owner in owners.values())
