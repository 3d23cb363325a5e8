"""Serving over streamable HTTP, to this machine alone."""

import socket
from collections.abc import Callable

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from deepresearch_mcp.ending import beat
from deepresearch_mcp.mcp_server.bodies import Whole
from deepresearch_mcp.mcp_server.connections import Bounded
from deepresearch_mcp.mcp_server.gate import Gate
from deepresearch_mcp.mcp_server.http_address import DEFAULT_HOST, DEFAULT_PORT, PATH, address_of, in_address, listening
from deepresearch_mcp.mcp_server.http_token import http_token
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.mcp_server.wire import LONGEST
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.version import __version__

_FAREWELL = 5
"""Seconds in which open answers may end when the server is stopped."""


OPEN_PATHS = ("/healthz",)
"""Answered without a token: they show only that a server is there."""

_SESSIONS = 500
"""Clients of the older protocol at once; each holds about 40 kB. Further ones are answered 503 until one ends."""


def serve_http(
    settings: Settings,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    *,
    with_token: bool = True,
    emit: Callable[[str], None],
) -> None:
    """Serve until the process is told to stop; port 0 takes any free one. `emit` is given what its user must know.

    Raises:
        SettingsError: The host is not this machine's own, the port cannot be had, or the token's file not be used.
    """
    with listening(host, port) as listener:
        token, path = http_token(settings.home) if with_token else (None, None)
        emit(f"Serving MCP at {address_of(listener)}")
        if path:
            emit(f"Callers need the token in {path}, sent as “Authorization: Bearer TOKEN”. You alone can read it.")
        else:
            emit("No token is asked for: every user and program of this machine can read your reports and spend.")
        anyio.run(serve_on, settings, listener, token)


async def serve_on(settings: Settings, listener: socket.socket, token: str | None) -> None:
    """Serve on a socket of `listening`; without a `token` each caller is served."""
    server = build_server(_left_to_workers(settings))

    @server.custom_route("/healthz", methods=["GET"])
    async def healthz(_: Request) -> Response:  # pyright: ignore[reportUnusedFunction] - the route holds it
        return JSONResponse({"status": "ok", "version": __version__})

    name, port = listener.getsockname()[:2]
    own = [f"{host}:{port}" for host in {"127.0.0.1", "localhost", "[::1]", in_address(name)}]
    # A page in a browser may know our address: names it could have given us are refused, as are its requests.
    security = TransportSecuritySettings(allowed_hosts=own, allowed_origins=[f"http://{host}" for host in own])
    app = server.streamable_http_app(
        streamable_http_path=PATH, transport_security=security, max_sessions=_SESSIONS, max_request_body_size=LONGEST
    )
    config = uvicorn.Config(
        Gate(Whole(app), security, token, OPEN_PATHS),
        http=Bounded,
        ws="none",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_FAREWELL,
    )
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(beat, SystemClock())
        await uvicorn.Server(config).serve(sockets=[listener])
        tasks.cancel_scope.cancel()


def _left_to_workers(settings: Settings) -> Settings:
    """On a shared database the work is for workers: a server keeps nothing then that another would miss."""
    if not settings.database_url or settings.server.carry_out != "auto":
        return settings
    return settings.model_copy(update={"server": settings.server.model_copy(update={"carry_out": "workers"})})
