"""A web site on loopback, hops that answer as they are told, and stores in memory."""

import gzip
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from anyio.abc import SocketAttribute, SocketStream

from clocks import HandClock
from deepresearch_mcp.exceptions import UnknownCollection
from deepresearch_mcp.ports.documents import NO_FACTS, CollectionRow, FileStamp
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, DocumentCard, Hit
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import Request, Response
from deepresearch_mcp.web.parsing import Parsers

DATA = Path(__file__).parents[3] / "shared" / "data"

WORDS = "Ice floats because water expands when it freezes, and so its solid form is lighter than the liquid one. "
PAGE = (
    "<!doctype html><html lang='en'><head><title>Why ice floats</title></head><body><article><h1>Ice</h1>"
    + "".join(f"<p>{number}. {WORDS * 2}</p>" for number in range(12))
    + "<p>See <a href='/density'>density</a>.</p></article></body></html>"
)


def http(
    body: bytes | str = PAGE, status: str = "200 OK", media_type: str = "text/html; charset=utf-8", **headers: str
) -> bytes:
    """A whole response as bytes; header names are written with underscores."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {media_type}", f"Content-Length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + content


Reply = bytes | Callable[[SocketStream], Awaitable[None]]


class Site:
    """Serves `pages` by path, 404 for the rest; a reply may be a function that does what it likes with the stream."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply | list[Reply]] = {}
        self.asked: list[str] = []
        self.requests: list[bytes] = []
        self.port = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.address}{path}"

    async def serve(self, stream: SocketStream) -> None:
        async with stream:
            try:
                while True:
                    request = b""
                    while b"\r\n\r\n" not in request:
                        request += await stream.receive()
                    path = request.split()[1].decode()
                    self.asked.append(path)
                    self.requests.append(request)
                    reply = self.pages.get(path, http("Nothing here.", "404 Not Found"))
                    if isinstance(reply, list):
                        reply = reply.pop(0) if len(reply) > 1 else reply[0]
                    if not isinstance(reply, bytes):
                        await reply(stream)
                        return
                    await stream.send(reply)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return


@pytest.fixture
async def site() -> AsyncGenerator[Site]:
    one = Site()
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        one.port = listener.extra(SocketAttribute.local_port)
        group.start_soon(listener.serve, one.serve)
        yield one
        group.cancel_scope.cancel()


@pytest.fixture
def clock() -> HandClock:
    return HandClock(auto=True)


@pytest.fixture
def settings(site: Site) -> WebSettings:
    """That let the site be read."""
    return WebSettings(allow_private=(site.address,), timeout=20.0)


class ScriptedHop:
    """Answers in turn, the last again and again; an error is raised. Keeps what it was asked."""

    def __init__(self, *script: Response | Exception | int) -> None:
        self.script = list(script) or [200]
        self.asked: list[Request] = []

    async def get(self, ask: Request) -> Response:
        self.asked.append(ask)
        await anyio.lowlevel.checkpoint()
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(said, Exception):
            raise said
        return answer(ask.url, said) if isinstance(said, int) else replace(said, url=ask.url)

    @property
    def urls(self) -> list[str]:
        return [str(ask.url) for ask in self.asked]


def answer(
    url: str | httpx2.URL = "https://example.org/", status: int = 200, body: bytes = b"", **headers: str
) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(httpx2.URL(url), status, httpx2.Headers(named), body, 1.0)


def ask(url: str = "https://example.org/page", seconds: float = 10.0, **headers: str) -> Request:
    return Request(httpx2.URL(url), seconds, {name.replace("_", "-"): value for name, value in headers.items()})


class MemoryDocuments:
    """As much of `ports.store.Documents` as the web needs."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.cache: dict[str, tuple[DocumentCard, dict[str, Any]]] = {}
        self.saved: list[tuple[str, str | None]] = []

    async def save(self, document: Document, run_id: str | None = None) -> None:
        self.texts[document.snapshot] = document.text
        self.saved.append((document.url, run_id))

    async def text(self, snapshot: str) -> str | None:
        return self.texts.get(snapshot)

    async def cards(self, run_id: str) -> list[DocumentCard]:
        return []

    async def load(self, card: DocumentCard) -> Document | None:
        text = self.texts.get(card.snapshot)
        return None if text is None else Document(**dict(card), text=text)

    async def cached(self, url: str) -> tuple[DocumentCard, dict[str, Any]] | None:
        return self.cache.get(url)

    async def keep(self, url: str, document: Document, validators: dict[str, Any]) -> None:
        self.texts[document.snapshot] = document.text
        self.cache[url] = (document.card(), json.loads(json.dumps(validators)))

    async def search(self, query: str, *, caller: str, limit: int = 20) -> list[Any]:
        return []

    async def search_run(self, run_id: str, query: str, *, limit: int = 20) -> list[Any]:
        return []

    async def is_seen(self, caller: str, snapshot: str) -> bool:
        return True


class MemoryCollections:
    """`ports.store.Collections` without a search."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}
        self.files: dict[str, dict[str, tuple[FileStamp, Document]]] = {}
        self.facts: dict[tuple[str, str], dict[str, str]] = {}

    async def put(self, name: str, path: str, now: float) -> None:
        self.folders[name] = path
        self.files.setdefault(name, {})

    async def stamps(self, name: str) -> dict[str, FileStamp]:
        return {path: stamp for path, (stamp, _) in self.files[name].items()}

    async def add(self, name: str, stamp: FileStamp, document: Document, facts: Mapping[str, str] = NO_FACTS) -> None:
        self.files[name][stamp.path] = (stamp, document)
        self.facts[name, stamp.path] = dict(facts)

    async def restamp(self, name: str, stamp: FileStamp) -> None:
        self.files[name][stamp.path] = (stamp, self.files[name][stamp.path][1])

    async def drop(self, name: str, paths: Collection[str]) -> None:
        for path in paths:
            del self.files[name][path]

    async def list(self) -> list[CollectionRow]:
        return []

    async def remove(self, name: str) -> bool:
        return False

    async def search(
        self, names: Collection[str], query: str, limit: int, where: Sequence[Condition] = ()
    ) -> Sequence[Hit]:
        raise UnknownCollection("There is none.")

    async def document(self, url: str) -> Document | None:
        found = (document for files in self.files.values() for _, document in files.values() if document.url == url)
        return next(found, None)


@pytest.fixture
def documents() -> MemoryDocuments:
    return MemoryDocuments()


@pytest.fixture
def collections() -> MemoryCollections:
    return MemoryCollections()


@pytest.fixture
async def parsers(clock: HandClock) -> AsyncGenerator[Parsers]:
    async with Parsers(WebSettings(workers=1), clock) as some:
        yield some


@pytest.fixture
def data() -> Callable[[str], Any]:
    """Read a public data set, JSON, JSON lines or a folder; skip where it is absent."""

    def read(name: str) -> Any:
        path = DATA / name
        if not path.exists():
            pytest.skip(f"the public data set {name} is not here")
        if path.is_dir():
            return path
        if name.endswith(".jsonl.gz"):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                return [json.loads(line) for line in lines]
        return json.loads(path.read_text(encoding="utf-8"))

    return read


@pytest.fixture
def make() -> Any:
    """The helpers of this file, which tests cannot import."""

    class Make:
        http = staticmethod(http)
        hop = ScriptedHop
        answer = staticmethod(answer)
        ask = staticmethod(ask)
        page = PAGE
        words = WORDS

    return Make
