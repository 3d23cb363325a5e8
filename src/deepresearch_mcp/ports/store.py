"""What is kept: runs, documents, claims, judgements, events, reports."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from deepresearch_mcp.ports.answers import EngineAnswers
from deepresearch_mcp.ports.consent import Inquiries
from deepresearch_mcp.ports.documents import Collections, Documents
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.queue import Queue
from deepresearch_mcp.ports.retention import Retention
from deepresearch_mcp.ports.spending import Spending
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.run import RunRow, RunStatus, Stage


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


class Runs(Queue, Protocol):
    """Runs and who owns them; with `queued` they are put into the queue, without an owner."""

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
        queued: bool = False,
    ) -> RunRow:
        """Store a new run, owned by this process and running."""
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

    async def beginning(self, prefix: str, caller: str, limit: int) -> list[str]:
        """Ids of the caller's runs that begin with `prefix`, newest first, at most `limit`."""
        ...

    async def joinable(self, caller: str, fingerprint: str, since: float) -> RunRow | None:
        """The open run of an equal request, else one completed after `since`; never an interrupted one."""
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
        """Change a run of this process. False if it has ended, has another owner now, or may not take that status.

        `records.run.may_follow` says which status may follow which; a refusal is logged.
        """
        ...

    async def owns(self, run_id: str) -> bool:
        """Whether this process may still write about a run: no other has adopted it, and it has not ended."""
        ...

    async def fork(
        self,
        origin: str,
        run_id: str,
        request: AnyRequest,
        mark: str,
        setup: str,
        now: float,
        without: Collection[str],
        *,
        queued: bool = False,
    ) -> RunRow | None:
        """Store a new run with the finished steps of another, except those whose keys begin with one of `without`.

        This process owns it, and it pays for nothing that the other run has paid. None if there is no such run.
        """
        ...

    async def delete(self, run_id: str, now: float, *, ended_before: float | None = None) -> dict[str, int] | None:
        """Delete a run with everything that only it holds; returns counts of steps, claims, events, pages and texts.

        None if a process is working on it, or if it does not exist; with `ended_before` also if it did not end before
        that moment. Its report is not touched, and what it used counts for the ceilings of a day.
        """
        ...

    async def ended_before(self, moment: float, now: float, limit: int) -> list[str]:
        """Ids of runs that ended before a moment (seconds since the epoch), oldest first.

        A run whose events follow later ones of other runs only seems that old, because the clock was wrong; it is left
        out.
        """
        ...

    async def request_cancel(self, run_id: str, now: float) -> bool:
        """Set the cancel flag; a run without a living owner is cancelled at once. False when it had ended."""
        ...

    async def cancel_requested(self, run_ids: Collection[str]) -> set[str]:
        """The runs among these that are to be cancelled."""
        ...


class Claims(Protocol):
    """The verified claims of a run."""

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
        """The number of the first event that was changed or that follows a missing one; None if the chain holds."""
        ...


ReportFile = Literal["report.md", "report.json"]


class Reports(Protocol):
    """Finished reports."""

    def place(self, run_id: str) -> str:
        """The folder of a run's report, present or future; "" if reports are not kept in folders of this machine."""
        ...

    async def write(self, run_id: str, markdown: str, json_text: str) -> None:
        """Keep both forms of a report, replacing earlier ones."""
        ...

    async def read(self, run_id: str, name: ReportFile) -> str | None:
        """One form of a report; None if there is none."""
        ...

    async def remove(self, run_id: str) -> bool:
        """Delete a report; False if there was none."""
        ...


class Keys(Protocol):
    """Random keys shared by all processes on this store; none is ever shown."""

    async def of(self, name: str) -> bytes:
        """The key of this name, 32 bytes; made at its first use."""
        ...


class Store(Protocol):
    """All of it, open."""

    runs: Runs
    documents: Documents
    claims: Claims
    judgements: Judgements
    answers: EngineAnswers
    inquiries: Inquiries
    events: Events
    collections: Collections
    spending: Spending
    retention: Retention
    reports: Reports
    keys: Keys
    home: Path
    """The data directory of this machine."""

    def journal(self, run_id: str) -> AbstractAsyncContextManager[Journal]:
        """The journal of a run this process owns; loads its recorded steps once."""
        ...
