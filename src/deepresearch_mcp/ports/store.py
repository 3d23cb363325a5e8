"""The port of the store: runs, documents, claims, judgements, events, reports."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict

from deepresearch_mcp.ports.answers import EngineAnswers
from deepresearch_mcp.ports.consent import Inquiries
from deepresearch_mcp.ports.documents import CollectionsByOwner, Documents, Vectors
from deepresearch_mcp.ports.figures import Figures
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.queue import Queue
from deepresearch_mcp.ports.retention import Retention
from deepresearch_mcp.ports.sessions import Sessions
from deepresearch_mcp.ports.shares import Shares
from deepresearch_mcp.ports.spending import Spending
from deepresearch_mcp.ports.tokens import Tokens
from deepresearch_mcp.ports.watching import Prompts, Traces
from deepresearch_mcp.ports.webhooks import Webhooks
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.run import RunRow, RunStatus, Stage


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of a run's audit trail."""

    number: int
    """Rises within the store; a reader continues after the last one it saw."""
    run_id: str
    at: float
    """Seconds since the epoch."""
    kind: str
    data: dict[str, Any]


class RunFilter(TypedDict, total=False):
    """Which runs of a caller, as for `Runs.find`."""

    status: RunStatus | None
    text: str
    limit: int
    before: tuple[float, str] | None
    since: float | None
    until: float | None


class Runs(Queue, Protocol):
    """Runs and their owners."""

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
        session: str = "",
    ) -> RunRow:
        """Store a new run: running and owned by this process, or with `queued`, in the queue without an owner.

        Raises:
            SessionTaken: Another run carries `session` out already; of two processes one makes its run.
        """
        ...

    async def get(self, run_id: str) -> RunRow | None:
        """Return the run; its status is `interrupted` if its owner is gone."""
        ...

    async def find(
        self,
        *,
        caller: str | None = None,
        status: RunStatus | None = None,
        text: str = "",
        limit: int = 20,
        before: tuple[float, str] | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> list[RunRow]:
        """Return runs, newest first.

        `text` is searched in the question; `before` is `(created, run_id)` of the last run seen; `since`, included, and
        `until`, not included, bound when runs were created, in seconds since the epoch.
        """
        ...

    async def beginning(self, prefix: str, caller: str, limit: int) -> list[str]:
        """Return the ids of the caller's runs that begin with `prefix`, newest first, at most `limit`."""
        ...

    async def joinable(self, caller: str, fingerprint: str, since: float) -> RunRow | None:
        """Return the open run of an equal request, or one completed after `since`; never an interrupted one."""
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
        """Change a run of this process. False if it has ended, has another owner, or may not take that status.

        `records.run.may_follow` says which status may follow another; a refusal is logged.
        """
        ...

    async def owns(self, run_id: str) -> bool:
        """Whether this process may still write to a run: no other has adopted it, and it has not ended."""
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
        """Store a new run with the finished steps of `origin`.

        Steps whose keys begin with an entry of `without` are left out. Ownership is as in `create`. The copied steps
        are not paid for again. None if `origin` does not exist.
        """
        ...

    async def delete(self, run_id: str, now: float, *, ended_before: float | None = None) -> dict[str, int] | None:
        """Delete a run with everything that only it holds; return counts of steps, claims, events, pages and texts.

        None if a process is working on it, if it does not exist, or if it did not end before `ended_before`
        (if given). The report is not deleted, and the run's use still counts for the daily ceilings.
        """
        ...

    async def ended_before(self, moment: float, now: float, limit: int) -> list[str]:
        """Return the ids of runs that ended before `moment` (seconds since the epoch), oldest first.

        A run whose events follow later events of other runs is left out: its clock was wrong, and it only seems that
        old.
        """
        ...

    async def request_cancel(self, run_id: str, now: float) -> bool:
        """Set the cancel flag; a run without a living owner is cancelled at once. False if the run has ended."""
        ...

    async def cancel_requested(self, run_ids: Collection[str]) -> set[str]:
        """Return those of these runs that are to be cancelled."""
        ...


class Claims(Protocol):
    """The verified claims of a run."""

    async def save(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Add claims, or replace those with the same `claim_id`."""
        ...

    async def of(self, run_id: str) -> list[Claim]:
        """Return the claims in the order in which they were first saved."""
        ...


class Judgements(Protocol):
    """Judgements of gate 2 for all runs: equal claims with equal evidence are judged once."""

    async def find(self, subjects: Collection[str]) -> dict[str, Judgement]:
        """Return the known judgements by subject (a hash of all that decides); their `claim_id` is empty."""
        ...

    async def keep(self, judgements: Mapping[str, Judgement]) -> None:
        """Add or replace judgements by subject."""
        ...


class Events(Protocol):
    """The audit trail."""

    async def add(self, run_id: str, at: float, kind: str, data: dict[str, Any]) -> None:
        """Append an event; it never changes afterwards."""
        ...

    async def add_all(self, run_id: str, events: Sequence[tuple[float, str, dict[str, Any]]]) -> None:
        """Append events, each with its time and kind: all of them, or none on error.

        The same list again, right after it, changes nothing: a connection may break after the writing.
        """
        ...

    async def of(self, run_id: str, after: int = 0, limit: int = 1000) -> list[EventRow]:
        """Return events with numbers above `after`, oldest first."""
        ...

    async def broken(self, run_id: str) -> int | None:
        """Return the number of the first event that was changed or follows a missing one; None if there is none."""
        ...


ReportFile = Literal["report.md", "report.json"]


class Reports(Protocol):
    """Finished reports."""

    def place(self, run_id: str) -> str:
        """Return the folder of a run's report, which may not exist yet; "" if reports are stored elsewhere."""
        ...

    async def write(self, run_id: str, markdown: str, json_text: str) -> None:
        """Store both forms of a report; they replace earlier ones."""
        ...

    async def read(self, run_id: str, name: ReportFile) -> str | None:
        """Return one form of a report; None if there is none."""
        ...

    async def remove(self, run_id: str) -> bool:
        """Delete a report; False if there was none."""
        ...


class Keys(Protocol):
    """Random keys that all processes on this store share; they are never shown."""

    async def of(self, name: str) -> bytes:
        """Return the key of this name, 32 bytes; the first call makes it."""
        ...


class Store(Protocol):
    """The open store: one attribute for each kind of data."""

    runs: Runs
    documents: Documents
    claims: Claims
    judgements: Judgements
    answers: EngineAnswers
    inquiries: Inquiries
    events: Events
    collections: CollectionsByOwner
    vectors: Vectors
    spending: Spending
    retention: Retention
    reports: Reports
    keys: Keys
    tokens: Tokens
    webhooks: Webhooks
    sessions: Sessions
    figures: Figures
    shares: Shares
    prompts: Prompts
    traces: Traces
    home: Path
    """The data directory of this machine."""

    async def run_with_report(
        self, run_id: str, caller: str, name: ReportFile | None
    ) -> tuple[RunRow | None, str | None]:
        """Return a run of this caller and, if both lie in one database, one form of the report of an ended run.

        It is one question in the place of two, for what is asked for most often; `Reports.read` reads any report.
        """
        ...

    def journal(self, run_id: str) -> AbstractAsyncContextManager[Journal]:
        """Open the journal of a run that this process owns; its recorded steps are loaded once."""
        ...
