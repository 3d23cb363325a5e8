"""Serving over streamable HTTP, to this machine alone."""

import ipaddress
import logging
import socket

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.settings import Settings
from deepresearch_mcp.version import __version__

_log = logging.getLogger(__name__)

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8765

PATH = "/mcp"

_FAREWELL = 5
"""Seconds in which open answers may end when the server is stopped."""


def serve_http(
    settings: Settings, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT, log_level: str = "WARNING"
) -> None:
    """Serve until the process is told to stop; port 0 takes any free one. The address is logged.

    Raises:
        SettingsError: The host is not this machine's own, or the port cannot be had.
    """
    import anyio

    from deepresearch_mcp.mcp_server.logs import to_stderr

    to_stderr(log_level)
    with listening(host, port) as listener:
        anyio.run(serve_on, settings, listener, log_level)


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections from this machine alone.

    Raises:
        SettingsError: The host is not this machine's own, or the port cannot be had.
    """
    if not _loopback(host):
        raise SettingsError(
            f"Serving on {host!r} is refused: this version has no sign-in, so it serves this machine alone.",
            f"Use --host {DEFAULT_HOST}.",
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise SettingsError(
            f"Port {port} of {host} cannot be used ({getattr(error, 'strerror', '') or error}).",
            "Choose another one with --port.",
        ) from error


async def serve_on(settings: Settings, listener: socket.socket, log_level: str = "WARNING") -> None:
    """Serve on a socket of `listening`."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response

    from deepresearch_mcp.mcp_server.server import build_server

    server = build_server(settings, log_level=log_level)

    @server.custom_route("/healthz", methods=["GET"])
    async def healthz(_: Request) -> Response:  # pyright: ignore[reportUnusedFunction] - the route holds it
        return JSONResponse({"status": "ok", "version": __version__})

    name, port = listener.getsockname()[:2]
    own = [f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")]
    # A page in a browser may know our address: names it could have given us are refused, as are its requests.
    security = TransportSecuritySettings(allowed_hosts=own, allowed_origins=[f"http://{host}" for host in own])
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=security)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=_FAREWELL)
    shown = f"[{name}]" if ":" in name else name
    _log.log(max(logging.INFO, logging.getLogger().level), "Serving MCP at http://%s:%d%s", shown, port, PATH)
    await uvicorn.Server(config).serve(sockets=[listener])


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
