"""Texts that are stored and searched: snapshots of pages, and local collections."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from deepresearch_mcp.ports.embedding import Vector
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, DocumentCard, Hit

NO_FACTS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that full-text search found in a stored document."""

    source_id: str
    url: str
    title: str
    collection: str
    """The name of a collection that the caller sees; "" for a page that a run read."""
    text: str
    start: int
    end: int
    score: float
    """Higher is better; comparable within one search."""
    heading: str = ""
    """The headings above it, outermost first, joined with " › "."""


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A named set of documents, as one caller sees it."""

    name: str
    path: str
    """Its sources, one a line; empty where it is not the caller's own. Shown only at the command line."""
    documents: int
    passages: int
    updated: float
    own: bool = True
    """Whether it belongs to the caller, who alone can change it."""
    shared: bool = False
    """Whether all callers see it."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Size, time and content of an indexed file or page, to detect changes."""

    path: str
    """Relative to the collection's source, with forward slashes."""
    size: int
    modified_ns: int
    content: str = ""
    """SHA-256 of the bytes or, for a page, of the text; "" before it is read."""


class Documents(Protocol):
    """Snapshots: texts by their hash, with their metadata."""

    async def save(self, document: Document, run_id: str | None = None) -> None:
        """Store a document and index its passages; equal texts are stored once."""
        ...

    async def text(self, snapshot: str) -> str | None:
        """Return the text with this SHA-256 hash; None if there is none."""
        ...

    async def cards(self, run_id: str) -> list[DocumentCard]:
        """Return the documents that a run read."""
        ...

    async def load(self, card: DocumentCard) -> Document | None:
        """Return the card with its text; None if the text is gone."""
        ...

    async def cached(self, url: str) -> tuple[DocumentCard, dict[str, Any]] | None:
        """Return the latest reading of an address and the web layer's data about it (ETag, expiry …)."""
        ...

    async def keep(self, url: str, document: Document, validators: dict[str, Any]) -> None:
        """Store a reading of an address in the cache."""
        ...

    async def search(
        self,
        query: str,
        *,
        caller: str,
        collections: Collection[str] | None = None,
        limit: int = 20,
        where: Sequence[Condition] = (),
    ) -> list[FoundPassage]:
        """Search the full text of what this caller may see, best first.

        That is its own collections, those shared with all, and what its own runs read; `collections` limits it to
        these. `where` limits it to files of collections of which all conditions hold.
        """
        ...

    async def is_seen(self, caller: str, snapshot: str) -> bool:
        """Return whether `search` may show this caller the text with this hash."""
        ...

    async def search_run(self, run_id: str, query: str, *, limit: int = 20) -> list[FoundPassage]:
        """Search the full text of what a run read, best first."""
        ...


class Collections(Protocol):
    """Named sets of documents, as one caller sees them: its own, and those shared with all.

    Two callers may each have one of the same name. What changes a shared collection of another owner raises
    `InvalidRequest`.
    """

    async def put(self, name: str, path: str, now: float) -> None:
        """Create a collection, or change its sources.

        Raises:
            InvalidRequest: The name is that of a shared collection.
        """
        ...

    async def share(self, name: str, *, shared: bool) -> None:
        """Let all callers see one of the caller's own collections, or let them no longer.

        Raises:
            UnknownCollection: The caller sees none of this name.
        """
        ...

    async def stamps(self, name: str) -> dict[str, FileStamp]:
        """Return the indexed files by relative path."""
        ...

    async def add(self, name: str, stamp: FileStamp, document: Document, facts: Mapping[str, str] = NO_FACTS) -> None:
        """Index one file; it replaces the document under the same path. `facts` is what the file says of itself."""
        ...

    async def restamp(self, name: str, stamp: FileStamp) -> None:
        """Note the size and time of a file whose content is the same."""
        ...

    async def drop(self, name: str, paths: Collection[str]) -> None:
        """Remove files from the index."""
        ...

    async def all(self) -> list[CollectionRow]:
        """Return all that the caller sees, sorted by name."""
        ...

    async def check(self, names: Collection[str]) -> None:
        """Refuse names of collections that the caller does not see.

        Raises:
            UnknownCollection: The error lists those it sees.
        """
        ...

    async def remove(self, name: str) -> bool:
        """Remove a collection from the index; False if it does not exist. Its folder is never touched."""
        ...

    async def search(
        self, names: Collection[str], query: str, limit: int, where: Sequence[Condition] = ()
    ) -> list[Hit]:
        """Return the best documents of which all conditions hold as hits; their `url` is `library://NAME/relative/path`.

        Raises:
            UnknownCollection: The caller sees no collection of this name.
        """
        ...

    async def document(self, url: str) -> Document | None:
        """Return the document at a `library://` address; None if there is none."""
        ...


class CollectionsByOwner(Protocol):
    """The collections of all callers; each belongs to one."""

    def of(self, caller: str) -> Collections:
        """Return what one caller sees and may change."""
        ...

    async def owners(self) -> list[str]:
        """Return the callers that have collections of their own, sorted."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a stored text that is found as one, and the words by which it is embedded."""

    snapshot: str
    start: int
    end: int
    text: str
    """With its document's title and the headings above it."""


class Vectors(Protocol):
    """Vectors of the chunks of collections, by model.

    They are kept by the hash of the text, for all owners, so that an equal text is not paid for twice. A caller is
    shown documents, never vectors, and only of collections that it sees.
    """

    async def missing(self, caller: str, names: Collection[str], model: str, limit: int) -> list[Chunk]:
        """Return at most `limit` chunks of these collections of the caller that have no vector of this model."""
        ...

    async def keep(self, model: str, vectors: Sequence[tuple[Chunk, Vector]]) -> None:
        """Store vectors; one that is there stays as it is."""
        ...

    async def nearest(
        self,
        caller: str,
        names: Collection[str],
        model: str,
        vector: Vector,
        limit: int,
        where: Sequence[Condition] = (),
    ) -> list[Hit]:
        """Return the documents with the chunks nearest in meaning, best first."""
        ...
