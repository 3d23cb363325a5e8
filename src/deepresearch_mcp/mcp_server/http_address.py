"""Where a server over HTTP is reached, and its socket: on this machine alone."""

import ipaddress
import socket

from deepresearch_mcp.exceptions import SettingsError

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8765

PATH = "/mcp"


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


def address_of(listener: socket.socket) -> str:
    """Where clients connect to."""
    name, port = listener.getsockname()[:2]
    return f"http://{in_address(name)}:{port}{PATH}"


def in_address(name: str) -> str:
    """A host as it stands in an address."""
    return f"[{name}]" if ":" in name else name


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
