"""What is kept: runs, documents, claims, events, local collections."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from deepresearch_mcp.ports.consent import Inquiries
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.spending import Spending
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.run import RunRow, RunStatus, Stage
from deepresearch_mcp.records.sources import Document, DocumentCard, Hit


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of a run's audit trail."""

    number: int
    """Rises within the store; where a reader left off."""
    run_id: str
    at: float
    """Seconds since the epoch."""
    kind: str
    data: dict[str, Any]


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
    """What tells whether a file changed since it was indexed."""

    path: str
    """Relative to the collection's folder, with forward slashes."""
    size: int
    modified_ns: int


class Runs(Protocol):
    """Runs and who owns them."""

    async def create(
        self,
        run_id: str,
        caller: str,
        request: AnyRequest,
        fingerprint: str,
        now: float,
        *,
        setup: str = "",
        origin: str = "",
    ) -> RunRow:
        """Store a new run, owned by this process and running."""
        ...

    async def adopt(self, setup: str, now: float, limit: int, fingerprint: str = "") -> list[RunRow]:
        """Take over at most `limit` runs of an equal setup that nobody owns and that wait for no reply, oldest first.

        With a `fingerprint`: those of equal requests alone.

        Each has a higher fence then, so that an owner wrongly taken for dead cannot write on. One that is to be
        cancelled is left alone.
        """
        ...

    async def revive(
        self, run_id: str, request: AnyRequest, setup: str, now: float, *, complete: bool = False
    ) -> RunRow | None:
        """Take over a run that has ended or whose owner is gone, to go on with `request` in the place of its own.

        None where somebody works on it, where there is none, and where it is complete, unless that is wanted too.
        """
        ...

    async def get(self, run_id: str) -> RunRow | None:
        """The run, with `interrupted` for one whose owner is gone."""
        ...

    async def find(
        self,
        *,
        caller: str | None = None,
        status: RunStatus | None = None,
        text: str = "",
        limit: int = 20,
        before: tuple[float, str] | None = None,
    ) -> list[RunRow]:
        """Newest first; `before` is `(created, run_id)` of the last one seen; `text` is looked for in the question."""
        ...

    async def joinable(self, caller: str, fingerprint: str, since: float) -> RunRow | None:
        """The live or waiting run of an equal request, else one completed after `since`; never an interrupted one."""
        ...

    async def move(
        self,
        run_id: str,
        now: float,
        *,
        status: RunStatus | None = None,
        stage: Stage | None = None,
        error: dict[str, str] | None = None,
        progress: dict[str, Any] | None = None,
    ) -> bool:
        """Change a run this process owns; False when it has ended, has another owner now, or may not go there.

        What may follow what is told by `records.run.may_follow`; a refusal is logged.
        """
        ...

    async def fork(
        self, origin: str, run_id: str, request: AnyRequest, mark: str, setup: str, now: float, without: Collection[str]
    ) -> RunRow | None:
        """Store a new run with the finished steps of another, but those whose keys begin with one of `without`.

        It is owned by this process and pays for nothing that the other has paid. None where there is no such run.
        """
        ...

    async def delete(self, run_id: str) -> dict[str, int] | None:
        """Delete a run with all that only it holds: how many steps, claims, events, pages and texts.

        None where somebody works on it, or there is none. Its folder of reports is not touched.
        """
        ...

    async def ended_before(self, moment: float, limit: int) -> list[str]:
        """Ids of runs that ended before a moment (seconds since the epoch), oldest first."""
        ...

    async def request_cancel(self, run_id: str, now: float) -> bool:
        """Set the cancel flag; a run without a living owner is cancelled at once. False when it had ended."""
        ...

    async def cancel_requested(self, run_ids: Collection[str]) -> set[str]:
        """Those of the runs that are to be cancelled."""
        ...


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
        self, query: str, *, collections: Collection[str] | None = None, limit: int = 20
    ) -> list[FoundPassage]:
        """Full text, bm25, best first; `collections`: only these; None: everything stored."""
        ...


class Claims(Protocol):
    """Claims of a run, as far as they are verified."""

    async def save(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Add or replace by `claim_id`."""
        ...

    async def of(self, run_id: str) -> list[Claim]:
        """In the order in which they were first saved."""
        ...


class Judgements(Protocol):
    """Judgements of gate 2 by what was judged, for all runs: equal claims with equal evidence are judged once."""

    async def find(self, subjects: Collection[str]) -> dict[str, Judgement]:
        """Those that are known, by subject (a hash that holds all that decides); their `claim_id` is empty."""
        ...

    async def keep(self, judgements: Mapping[str, Judgement]) -> None:
        """Add or replace, by subject."""
        ...


class Events(Protocol):
    """The audit trail."""

    async def add(self, run_id: str, at: float, kind: str, data: dict[str, Any]) -> None:
        """Append; never changed afterwards."""
        ...

    async def of(self, run_id: str, after: int = 0, limit: int = 1000) -> list[EventRow]:
        """Oldest first, numbers above `after`."""
        ...

    async def broken(self, run_id: str) -> int | None:
        """The number of the first event that was changed, or before which one was taken out; None: all stand."""
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
        """Forget a collection; False when there is none. The folder itself is never touched."""
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


class Store(Protocol):
    """All of it, open."""

    runs: Runs
    documents: Documents
    claims: Claims
    judgements: Judgements
    inquiries: Inquiries
    events: Events
    collections: Collections
    spending: Spending
    home: Path
    """Reports lie in `home/runs/<run_id>/`."""

    def journal(self, run_id: str) -> AbstractAsyncContextManager[Journal]:
        """The journal of a run this process owns; loads its recorded steps once."""
        ...
