"""Servers on loopback: a canary that must not be reached, and a site that answers as told."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.abc
from typing_extensions import override

from deepresearch_mcp.ports.documents import Documents, FoundPassage
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, DocumentCard

_BROKEN = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


@dataclass(slots=True)
class Server:
    """Counts connections, and answers each request with the bytes for its path, or with 404; then it closes."""

    answers: dict[str, bytes] = field(default_factory=dict[str, bytes])
    hits: int = 0
    asked: list[str] = field(default_factory=list[str])
    """First lines of the requests."""
    port: int = 0

    async def serve(self, stream: anyio.abc.SocketStream) -> None:
        """Serve one connection."""
        self.hits += 1
        async with stream:
            with suppress(*_BROKEN, TimeoutError):
                with anyio.fail_after(10):
                    head = b""
                    while b"\r\n\r\n" not in head and len(head) < 65_536:
                        head += await stream.receive()
                first = head.partition(b"\r\n")[0].decode("latin-1")
                self.asked.append(first)
                path = [*first.split(" "), "", ""][1]
                await stream.send(self.answers.get(path, page(b"", "404 Not Found")))


@asynccontextmanager
async def listening(server: Server, host: str = "127.0.0.1") -> AsyncGenerator[Server]:
    """Let a server listen on a free port of an address of loopback.

    Raises:
        OSError: The system has no such address.
    """
    async with AsyncExitStack() as stack:
        listener = await stack.enter_async_context(
            await anyio.create_tcp_listener(local_host=host, local_port=server.port)
        )
        group = await stack.enter_async_context(anyio.create_task_group())
        server.port = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - no query of a database
        group.start_soon(listener.serve, server.serve)
        yield server
        group.cancel_scope.cancel()


def page(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    """A whole response that holds HTML; header names are written with underscores."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("utf-8", "replace") + body


class NothingStored(Documents):
    """Documents of which none is kept, so that every page is fetched."""

    @override
    async def save(self, document: Document, run_id: str | None = None) -> None:
        del document, run_id

    @override
    async def text(self, snapshot: str) -> str | None:
        del snapshot
        return None

    @override
    async def cards(self, run_id: str) -> list[DocumentCard]:
        del run_id
        return []

    @override
    async def load(self, card: DocumentCard) -> Document | None:
        del card
        return None

    @override
    async def cached(self, url: str) -> tuple[DocumentCard, dict[str, Any]] | None:
        del url
        return None

    @override
    async def keep(self, url: str, document: Document, validators: Mapping[str, Any]) -> None:
        del url, document, validators

    @override
    async def search(
        self,
        query: str,
        *,
        caller: str,
        collections: Collection[str] | None = None,
        limit: int = 20,
        where: Sequence[Condition] = (),
    ) -> list[FoundPassage]:
        del query, caller, collections, limit, where
        return []

    @override
    async def is_seen(self, caller: str, snapshot: str) -> bool:
        del caller, snapshot
        return False

    @override
    async def search_run(self, run_id: str, query: str, *, limit: int = 20) -> list[FoundPassage]:
        del run_id, query, limit
        return []
