"""A store in a directory of its own, a clock moved by hand, and documents to put in."""

import hashlib
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from clocks import NOON, HandClock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store.sqlite import open_store


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
async def store(home: Path, clock: HandClock) -> AsyncGenerator[Store]:
    async with open_store(home, clock) as store:
        yield store


@pytest.fixture
async def other(store: Store, home: Path, clock: HandClock) -> AsyncGenerator[Store]:
    """A second owner of the same file, as another server would be."""
    async with open_store(home, clock) as other:
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
