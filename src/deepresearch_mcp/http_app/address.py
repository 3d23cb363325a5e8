"""Where a server over HTTP is reached: its socket, the names it answers to, and who may be let near it."""

import ipaddress
import os
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from deepresearch_mcp.exceptions import SettingsError

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8765

PATH = "/mcp"


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections to this address.

    Raises:
        SettingsError: The port cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise SettingsError(
            f"Port {port} of {host} cannot be used ({_reason(error)}).",
            "Choose another one with --port.",
        ) from error


def _reason(error: Exception) -> str:
    """The system's own words; those of the library repeat them inside others."""
    number = getattr(error, "errno", None)
    return os.strerror(number).lower() if number else str(error)


def refuse_open(host: str) -> None:
    """Refuse to serve others than this machine where no caller would have to show a token of their own.

    Raises:
        SettingsError: The host is not this machine's own.
    """
    if not is_loopback(host):
        raise SettingsError(
            f"Serving on {host!r} is refused: there is no token and no identity server, so nobody could sign in.",
            "Make a token with `deepresearch-server token create NAME`, set http.oauth.issuer, or use"
            f" --host {DEFAULT_HOST}.",
        )


def hosts_of(listener: socket.socket, public_url: str = "", others: Collection[str] = ()) -> list[str]:
    """The values of the header Host by which a server may be called: its own, its public one, and others."""
    name, port = listener.getsockname()[:2]
    own = [f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]", in_address(name))]
    public = urlsplit(public_url).netloc.rpartition("@")[2]
    return list(dict.fromkeys([*own, *([public] if public else []), *others]))


def origins_of(hosts: Collection[str], public_url: str = "") -> list[str]:
    """The origins of pages that may call it: its own, with the scheme of its public address."""
    scheme = urlsplit(public_url).scheme or "http"
    return [f"{one}://{host}" for host in hosts for one in dict.fromkeys(("http", scheme))]


def address_of(listener: socket.socket) -> str:
    """Where clients connect to."""
    return f"{base_of(listener)}{PATH}"


def base_of(listener: socket.socket) -> str:
    """The same without a path."""
    name, port = listener.getsockname()[:2]
    return f"http://{in_address(name)}:{port}"


def in_address(name: str) -> str:
    """A host as it stands in an address."""
    return f"[{name}]" if ":" in name else name


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches this address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
