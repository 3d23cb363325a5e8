"""The figures of a worker over HTTP: `/metrics` and `/healthz`, and nothing else."""

import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from typing_extensions import override

from deepresearch_mcp.http_app.authentication import StoredTokens
from deepresearch_mcp.http_app.caller_rates import CallerRates
from deepresearch_mcp.http_app.connections import Bounded
from deepresearch_mcp.http_app.context import principal_of
from deepresearch_mcp.http_app.gate import Gate
from deepresearch_mcp.http_app.metrics import PATH, metrics_response
from deepresearch_mcp.http_app.problems import exception_handlers
from deepresearch_mcp.ports.tokens import Tokens
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.version import __version__

_HEALTHZ = "/healthz"
_FAREWELL = 1
"""Seconds in which an open answer may end when the worker is stopped."""


@asynccontextmanager
async def serving_metrics(runtime: Runtime, listener: socket.socket) -> AsyncGenerator[None]:
    """Serve the figures of this process on a socket of `listening` until this is left."""
    config = uvicorn.Config(
        worker_app(runtime),
        http=Bounded,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=_FAREWELL,
    )
    server = _Guest(config)

    async def serve() -> None:
        # Cancelled, it would leave its connections open, with the store gone.
        with anyio.CancelScope(shield=True):
            await server.serve(sockets=[listener])

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        try:
            yield
        finally:
            server.should_exit = True


def worker_app(runtime: Runtime) -> ASGIApp:
    """The application: figures for tokens with the scope `admin`, or with `telemetry.metrics_open` for everybody."""
    settings, is_open = runtime.settings, runtime.settings.telemetry.metrics_open

    async def metrics(request: Request) -> Response:
        if not is_open:
            principal_of(request, "admin")
        return await metrics_response(runtime)

    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def tokens() -> Tokens:
        return runtime.store.tokens

    routes = [Route(PATH, metrics, methods=["GET"]), Route(_HEALTHZ, healthz, methods=["GET"])]
    # Callers are scrapers, which know a worker by any address. A page in a browser that got here by a name of its own
    # has no token to show, and reads counts at most where they are open to everybody.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return Gate(
        Starlette(routes=routes, exception_handlers=exception_handlers()),
        security,
        StoredTokens(tokens, runtime.clock),
        (_HEALTHZ, PATH) if is_open else (_HEALTHZ,),
        rates=CallerRates(settings.http.requests_a_minute, runtime.clock),
    )


class _Guest(uvicorn.Server):
    """uvicorn's, which would take the signals that are meant for the worker."""

    @contextmanager
    @override
    def capture_signals(self) -> Generator[None]:
        yield
