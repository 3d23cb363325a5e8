"""A forward proxy on loopback that a browser must use, so that each of its requests passes our guard."""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import anyio
import anyio.abc
import httpcore2
import httpx2

from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.web.fetching.guard import AllowList, check_url

LONGEST_HEAD = 65_536
"""Bytes of one request's or response's head."""
CONNECTIONS = 64
"""Most connections at once; a browser opens six to each host."""
BROWSERS_OWN = frozenset(
    {
        "accounts.google.com",
        "android.clients.google.com",
        "clients2.google.com",
        "clients2.googleusercontent.com",
        "content-autofill.googleapis.com",
        "edgedl.me.gvt1.com",
        "mtalk.google.com",
        "optimizationguide-pa.googleapis.com",
        "redirector.gvt1.com",
        "safebrowsing.googleapis.com",
        "update.googleapis.com",
    }
)
"""Hosts that Chromium asks for itself, not for a page; some in spite of its switches."""
_CHUNK = 65_536
_HOP = re.compile(rb"(?:connection|keep-alive|proxy-[a-z-]+|upgrade)\s*:", re.IGNORECASE)
_METHODS = frozenset({b"GET", b"HEAD", b"POST", b"OPTIONS"})
_BROKEN = (
    anyio.EndOfStream,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.DelimiterNotFound,
    anyio.IncompleteRead,
    httpcore2.NetworkError,
    httpcore2.TimeoutException,
    OSError,
)


@dataclass(slots=True)
class GuardedProxy:
    """Passes on only what leads to a public address, or to one that the settings allow, and only so many bytes.

    It looks at the host of an encrypted connection and never inside it. Names are resolved here, once, and checked
    when connecting: the browser needs no resolver of its own.
    """

    backend: httpcore2.AsyncNetworkBackend
    """Connects; it checks the addresses that a name resolves to."""
    allow: AllowList
    ports: Sequence[int]
    most: int
    """Bytes sent to the browser, over all connections; above it every connection is closed."""
    seconds: float
    """Time limit for connecting."""
    sent: int = 0
    refused: list[str] = field(default_factory=list[str])
    """Hosts that were refused, with their ports."""
    _room: anyio.Semaphore = field(default_factory=lambda: anyio.Semaphore(CONNECTIONS))

    async def serve(self, stream: anyio.abc.SocketStream) -> None:
        """Serve one connection of the browser, which carries one request or one tunnel."""
        async with stream, self._room:
            with suppress(*_BROKEN):
                head, rest = await _head(stream.receive)
                try:
                    await self._pass_on(stream, head, rest)
                except FetchRefused:
                    await stream.send(_answer("403 Forbidden"))
                except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                    await stream.send(_answer("502 Bad Gateway"))
                except ValueError:
                    await stream.send(_answer("400 Bad Request"))
                except _BROKEN:
                    raise
                except Exception:  # noqa: BLE001 - one connection of a hostile page must not end the others
                    await stream.send(_answer("502 Bad Gateway"))

    async def _pass_on(self, stream: anyio.abc.SocketStream, head: bytes, rest: bytes) -> None:
        first, *lines = head.split(b"\r\n")
        method, target, _ = first.split(b" ", 2)
        if method == b"CONNECT":
            upstream = await self._connect(f"https://{target.decode('ascii')}/")
            await stream.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            if rest:
                await upstream.write(rest)
            await self._both_ways(stream, upstream)
            return
        if method not in _METHODS or any(line.lower().startswith(b"transfer-encoding") for line in lines):
            raise ValueError(method)
        url = target.decode("ascii")
        upstream = await self._connect(url)
        # One request a connection: a second one could be meant for another host, which has not been checked.
        path = httpx2.URL(url).raw_path
        kept = [line for line in lines if not _HOP.match(line)]
        line = b" ".join((method, path, b"HTTP/1.1"))
        await upstream.write(b"\r\n".join((line, *kept, b"Connection: close", b"", rest)))
        await self._both_ways(stream, upstream, plain=True)

    async def _connect(self, url: str) -> httpcore2.AsyncNetworkStream:
        host = url.partition("://")[2].partition("/")[0]
        try:
            checked = check_url(url, self.allow, self.ports)
            if checked.host in BROWSERS_OWN:
                raise FetchRefused(url, "address_refused", "The browser's own reports are not sent.")
            port = checked.port or (443 if checked.scheme == "https" else 80)
            return await self.backend.connect_tcp(checked.raw_host.decode("ascii"), port, self.seconds)
        except FetchRefused:
            self.refused.append(host)
            raise

    async def _both_ways(
        self, stream: anyio.abc.SocketStream, upstream: httpcore2.AsyncNetworkStream, *, plain: bool = False
    ) -> None:
        try:
            async with anyio.create_task_group() as group:

                async def up() -> None:
                    with suppress(*_BROKEN):
                        while True:
                            await upstream.write(await stream.receive(_CHUNK))
                    group.cancel_scope.cancel()

                group.start_soon(up)
                with suppress(*_BROKEN):
                    await self._down(stream, upstream, plain=plain)
                group.cancel_scope.cancel()
        finally:
            with anyio.move_on_after(1, shield=True):
                await upstream.aclose()

    async def _down(
        self, stream: anyio.abc.SocketStream, upstream: httpcore2.AsyncNetworkStream, *, plain: bool
    ) -> None:
        async def read() -> bytes:
            return await upstream.read(_CHUNK)

        if plain:
            head, rest = await _head(read)
            status, *lines = head.split(b"\r\n")
            kept = [line for line in lines if not _HOP.match(line)]
            await self._send(stream, b"\r\n".join([status, *kept, b"Connection: close", b"", rest]))
        while data := await read():
            await self._send(stream, data)

    async def _send(self, stream: anyio.abc.SocketStream, data: bytes) -> None:
        self.sent += len(data)
        if self.sent > self.most:
            raise anyio.ClosedResourceError
        await stream.send(data)


@asynccontextmanager
async def open_proxy(proxy: GuardedProxy) -> AsyncGenerator[str]:
    """Serve a proxy on a free port of loopback as long as the context is open; yield its address."""
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        port: int = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - no query of a database
        group.start_soon(listener.serve, proxy.serve)
        yield f"http://127.0.0.1:{port}"
        group.cancel_scope.cancel()


async def _head(read: Callable[[], Awaitable[bytes]]) -> tuple[bytes, bytes]:
    """Read up to the empty line; return what stands before it and what was read behind it."""
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        if len(data) > LONGEST_HEAD or not (more := await read()):
            raise anyio.EndOfStream
        data += more
    return data[:end], data[end + 4 :]


def _answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode("ascii")
