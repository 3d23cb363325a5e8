"""A store in a directory of its own, a clock moved by hand, and documents to put in."""

import hashlib
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any

import pytest

from clocks import NOON, HandClock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.sqlite import open_sqlite_store
from postgres_server import own_schema


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


class Place:
    """Where a test's store lies: opened as often as it wants owners, as servers would."""

    def __init__(self, open_it: Callable[[], AbstractAsyncContextManager[Store]], raw: Callable[[], Any]) -> None:
        self._open = open_it
        self._raw = raw

    def __call__(self) -> AbstractAsyncContextManager[Store]:
        return self._open()

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        """Do something behind the back of the store."""
        with closing(self._raw()) as conn, conn:
            found = conn.execute(sql)
            return found.fetchall() if found.description else []


@pytest.fixture
def sqlite_place(home: Path, clock: HandClock) -> Place:
    return Place(lambda: open_sqlite_store(home, clock), lambda: sqlite3.connect(home / FILE))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, home: Path, clock: HandClock) -> Generator[Place]:
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_place")
        return
    import psycopg

    from deepresearch_mcp.store.postgres import opening

    with own_schema(request.getfixturevalue("database_url")) as url:
        yield Place(lambda: opening.open_postgres_store(url, home, clock, grace=0), lambda: psycopg.connect(url))


@pytest.fixture
async def store(place: Place) -> AsyncGenerator[Store]:
    async with place() as store:
        yield store


@pytest.fixture
async def other(store: Store, place: Place) -> AsyncGenerator[Store]:
    """A second owner of the same store, as another server would be."""
    async with place() as other:
        yield other


def make_document(text: str, url: str = "https://example.org/ice", **fields: Any) -> Document:
    known: dict[str, Any] = {
        "source_id": "s" + hashlib.sha256(url.encode()).hexdigest()[:12],
        "url": url,
        "requested_url": url,
        "title": "",
        "snapshot": hashlib.sha256(text.encode()).hexdigest(),
        "length": len(text),
        "read_at": NOON,
        "text": text,
    }
    return Document.model_validate(known | fields)


@pytest.fixture
def document() -> Callable[..., Document]:
    """Makes a document of a text, an address and any other field."""
    return make_document


@pytest.fixture
def create(clock: HandClock) -> Callable[..., Any]:
    """Stores a run with little said about it."""

    async def make(
        store: Store, run_id: str = "r1", question: str = "Why does ice float?", now: float = 100.0, **fields: Any
    ) -> RunRow:
        given = {"caller": "me", "fingerprint": "f"} | fields
        return await store.runs.create(run_id, request=ResearchRequest(question=question), now=now, **given)

    return make
