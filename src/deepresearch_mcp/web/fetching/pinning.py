"""Connects only to addresses that were checked."""

import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import cast

import anyio
import httpcore2
import httpx2

from deepresearch_mcp.exceptions import FetchRefused, SettingsError
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.guard import AllowList, is_public

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Resolves a host and port to IP addresses, best first; raises OSError for an unknown name."""

ADDRESSES_TRIED = 3
"""Addresses tried per host. The time to connect is shared among them; the last one gets all that is left."""


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Resolve a name through the operating system."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a name once, checks every address and connects to one of them.

    One private address among the answers refuses the host: a name that is partly
    private is a trap. TLS and the Host header still use the name.
    """

    def __init__(self, allow: AllowList, resolve: Resolver = system_resolver) -> None:
        self._allow = allow
        self._resolve = resolve
        self._tcp = cast(httpcore2.AsyncNetworkBackend, httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to one of the host's checked addresses.

        Raises:
            FetchRefused: One of the addresses is private.
            httpcore2.ConnectError, httpcore2.ConnectTimeout: No address could be reached in `timeout` seconds.
        """
        try:
            with anyio.fail_after(timeout):
                addresses = await self._vetted(host, port)
                return await self._first(addresses, port, timeout, local_address, socket_options)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout("no connection in time") from error

    async def _first(
        self,
        addresses: Sequence[str],
        port: int,
        timeout: float | None,  # noqa: ASYNC109 - shared out here
        local_address: str | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.AsyncNetworkStream:
        *firsts, last = addresses
        share = None if timeout is None else timeout / len(addresses)
        for address in firsts:
            try:
                return await self._tcp.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._tcp.connect_tcp(last, port, None, local_address, socket_options)

    async def _vetted(self, host: str, port: int) -> Sequence[str]:
        try:
            found = [str(ipaddress.ip_address(host))]
        except ValueError:
            found = await self._resolved(host, port)
        named = self._allow.has_host(host, port)
        if not all(named or is_public(ip) or self._allow.has_address(ip, port) for ip in found):
            # The message does not name the address: private addresses must not leave this network.
            raise FetchRefused(
                host, "address_refused", "The name leads to a private address.", "See the setting web.allow_private."
            )
        return found[:ADDRESSES_TRIED]

    async def _resolved(self, host: str, port: int) -> list[str]:
        try:
            found = [str(ipaddress.ip_address(ip)) for ip in await self._resolve(host, port)]
        except (OSError, UnicodeError, ValueError) as error:
            raise httpcore2.ConnectError("the name does not resolve") from error
        if not found:
            raise httpcore2.ConnectError("the name does not resolve")
        return found

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: no page is served over a Unix socket."""
        del timeout, socket_options
        raise FetchRefused(path, "address_refused", "Unix sockets are not read.")

    async def sleep(self, seconds: float) -> None:
        """Wait between two attempts. httpcore calls it only for its own retries, which are off here."""
        await self._tcp.sleep(seconds)


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a `PinnedBackend`. It speaks only HTTP/1.1, which has fewer ways to fail."""

    def __init__(self, backend: PinnedBackend, context: ssl.SSLContext, connections: int) -> None:
        super().__init__(verify=context, trust_env=False)
        # httpx2 has no public way to set a network backend: its version is pinned, and tests connect through this.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=15.0,
            network_backend=backend,
        )


def open_transport(
    settings: WebSettings, *, resolve: Resolver = system_resolver, context: ssl.SSLContext | None = None
) -> httpx2.AsyncBaseTransport:
    """Return the transport that fetches pages.

    If `settings.proxy` is set, the proxy resolves the names and addresses cannot be pinned. `check_url` still checks
    names and literal addresses, but the proxy alone controls which address a name resolves to.

    Raises:
        SettingsError: The certificate file cannot be used.
    """
    context = context or _context(settings.ca_file)
    if not settings.proxy:
        backend = PinnedBackend(AllowList.of(settings.allow_private), resolve)
        return PinnedTransport(backend, context, settings.concurrency + 4)
    return httpx2.AsyncHTTPTransport(verify=context, proxy=settings.proxy, trust_env=False)


def _context(ca_file: str) -> ssl.SSLContext:
    context = httpx2.create_ssl_context(trust_env=False)
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            raise SettingsError("web.ca_file cannot be read.", "Give a PEM file of certificates.") from error
    return context
