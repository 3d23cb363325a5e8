"""Serves the demo's site on loopback, with a search in SearXNG's shape, so that the real engine and reader are used."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from deepresearch_mcp.cli.demo.site import ROBOTS, Site, SitePage
from deepresearch_mcp.ports.clock import Clock

HOST = "127.0.0.1"
SLOW = 30.0
"""Seconds that the slow page takes: longer than any reader waits."""

_HEAD = 16_000
"""Bytes of a request that are read; one of ours has a few hundred."""


@dataclass(frozen=True, slots=True)
class _Reply:
    status: str
    media_type: str
    body: bytes


@asynccontextmanager
async def serve_site(site: Site, clock: Clock) -> AsyncGenerator[str]:
    """Serve until the context is left; yields the base address, with a port that was free."""
    listener = await anyio.create_tcp_listener(local_host=HOST)
    port = listener.extra(SocketAttribute.local_port)  # noqa: S610 - no Django here
    base = f"http://{HOST}:{port}"

    async def handle(stream: SocketStream) -> None:
        # A client that hangs up in the middle is the client's business.
        async with stream:
            try:
                await _exchange(stream, site, base, clock)
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.DelimiterNotFound):
                return
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        yield base
        tasks.cancel_scope.cancel()


async def _exchange(stream: SocketStream, site: Site, base: str, clock: Clock) -> None:
    head = await BufferedByteReceiveStream(stream).receive_until(b"\r\n\r\n", _HEAD)
    words = head.split(b"\r\n", 1)[0].decode("ascii", "replace").split(" ")
    target = urlsplit(words[1]) if len(words) == 3 else urlsplit("/")
    reply = await _reply(site, target.path, parse_qs(target.query), base, clock)
    lines = (
        f"HTTP/1.1 {reply.status}",
        f"Content-Type: {reply.media_type}",
        f"Content-Length: {len(reply.body)}",
        "Connection: close",
    )
    await stream.send("\r\n".join((*lines, "", "")).encode() + (b"" if words[0] == "HEAD" else reply.body))


async def _reply(site: Site, path: str, query: dict[str, list[str]], base: str, clock: Clock) -> _Reply:
    if path == "/robots.txt":
        return _Reply("200 OK", "text/plain; charset=utf-8", ROBOTS.encode())
    if path == "/search":
        wanted = query.get("q", [""])[0]
        return _Reply("200 OK", "application/json", _results(site, wanted, base))
    if path == "/":
        return _html(site.index())
    page = site.pages.get(path)
    if page is None or page.fault == "missing":
        return _html("<!doctype html><title>Not found</title><p>There is no such page.", "404 Not Found")
    if page.fault == "slow":
        await clock.sleep(SLOW)
    charset = "iso-8859-1" if page.fault == "mislabelled" else "utf-8"
    return _html(site.html(page), charset=charset)


def _html(text: str, status: str = "200 OK", charset: str = "utf-8") -> _Reply:
    # Whatever the header says, the bytes are UTF-8.
    return _Reply(status, f"text/html; charset={charset}", text.encode())


def _results(site: Site, query: str, base: str) -> bytes:
    rows = [_row(page, snippet, base) for page, snippet in site.search(query)]
    return json.dumps({"query": query, "results": rows, "unresponsive_engines": []}).encode()


def _row(page: SitePage, snippet: str, base: str) -> dict[str, str]:
    return {"url": base + page.path, "title": page.title, "content": snippet, "engine": "demo"}
