"""Texts that are kept and searched: snapshots of pages, and local collections."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from deepresearch_mcp.records.sources import Document, DocumentCard, Hit


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that full-text search found among stored documents."""

    source_id: str
    url: str
    title: str
    collection: str
    """Empty for a page that a run read."""
    text: str
    start: int
    end: int
    score: float
    """Higher is better; comparable within one search."""


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A named set of local documents."""

    name: str
    path: str
    """Shown to the person at the command line only, never to an MCP caller."""
    documents: int
    passages: int
    updated: float


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Shows whether a file changed since it was indexed."""

    path: str
    """Relative to the collection's folder, with forward slashes."""
    size: int
    modified_ns: int


class Documents(Protocol):
    """Snapshots: texts by their hash, and what is known of them."""

    async def save(self, document: Document, run_id: str | None = None) -> None:
        """Keep a document and index its passages; the same text is kept once."""
        ...

    async def text(self, snapshot: str) -> str | None:
        """The text with this SHA-256."""
        ...

    async def cards(self, run_id: str) -> list[DocumentCard]:
        """Documents that a run read."""
        ...

    async def load(self, card: DocumentCard) -> Document | None:
        """The card with its text."""
        ...

    async def cached(self, url: str) -> tuple[DocumentCard, dict[str, Any]] | None:
        """The latest reading of an address, and what the web layer kept with it (ETag, expiry …)."""
        ...

    async def keep(self, url: str, document: Document, validators: dict[str, Any]) -> None:
        """Remember a reading of an address for the cache."""
        ...

    async def search(
        self, query: str, *, collections: Collection[str] | None = None, run_id: str = "", limit: int = 20
    ) -> list[FoundPassage]:
        """Full text, best first; `collections`: only these; `run_id`: only what that run read; neither: all."""
        ...


class Collections(Protocol):
    """Local documents under a name."""

    async def put(self, name: str, path: str, now: float) -> None:
        """Create a collection, or give it another folder."""
        ...

    async def stamps(self, name: str) -> dict[str, FileStamp]:
        """What is indexed, by relative path."""
        ...

    async def add(self, name: str, stamp: FileStamp, document: Document) -> None:
        """Index one file, replacing what stood under its path."""
        ...

    async def drop(self, name: str, paths: Collection[str]) -> None:
        """Forget files."""
        ...

    async def all(self) -> list[CollectionRow]:
        """By name."""
        ...

    async def remove(self, name: str) -> bool:
        """Forget a collection; False if it does not exist. The folder itself is never touched."""
        ...

    async def search(self, names: Collection[str], query: str, limit: int) -> list[Hit]:
        """Best documents as hits, `url` = `library://NAME/relative/path`.

        Raises:
            UnknownCollection: One of the names is none.
        """
        ...

    async def document(self, url: str) -> Document | None:
        """The document at a `library://` address."""
        ...
