"""What `DeepResearch` needs of the place where runs are worked on: this process, or a server."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.ports.documents import FoundPassage
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.run import Run, RunStatus, Stage
from deepresearch_mcp.records.sharing import SharedLink
from deepresearch_mcp.records.trail import RunEvent

OnProgress = Callable[[Progress], Awaitable[None]]
OnEvent = Callable[[RunEvent], Awaitable[None]]
"""Called with each event of a run. If it raises, following stops but the run continues."""

ForkStage = Literal["planner", "searcher", "reader", "verifier", "analyst", "writer"]


class _Record(BaseModel):
    # A newer server may send fields that this version does not know.
    model_config = ConfigDict(frozen=True, extra="ignore")


class RunSummary(_Record):
    """A run as a line of a list."""

    run_id: str
    status: RunStatus
    stage: Stage
    question: str
    created: str
    """ISO 8601, UTC, as is `updated`."""
    updated: str
    progress: str
    """How far it is, in words."""


class RunPage(_Record):
    """Some runs, newest first."""

    runs: tuple[RunSummary, ...]
    next_cursor: str | None = None
    """Where the next page begins; None: there is no more."""


class Collection(_Record):
    """A named set of local documents."""

    name: str
    documents: int
    shared: bool = False
    """Whether all callers of the service see it."""


class Collected(_Record):
    """The result of filling a collection."""

    added: int
    """New or changed documents that were read."""
    unchanged: int
    removed: int
    """Documents that the sources no longer hold."""
    failed: tuple[tuple[str, str], ...] = ()
    """What could not be read, each with the reason."""


class Engine(Protocol):
    """Carries out what `DeepResearch` is asked; its methods are documented there."""

    async def start(self, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        """Start a research and return its run id."""
        ...

    async def start_check(self, arguments: Mapping[str, Any], *, fresh: bool, webhook_url: str) -> str:
        """Start a check of citations and return its run id."""
        ...

    async def follow(
        self, run_id: str, wait_seconds: float | None, on_progress: OnProgress | None, on_event: OnEvent | None
    ) -> Run:
        """Wait until the run ends or asks something, at most `wait_seconds`."""
        ...

    async def events(self, run_id: str, after: int) -> list[RunEvent]:
        """Return some events after number `after`, oldest first; none if there are no more yet."""
        ...

    async def get(self, run_id: str) -> Run:
        """Return the run as it is now."""
        ...

    async def export(self, run_id: str, form: str) -> bytes:
        """Return a run as a file."""
        ...

    async def runs(self, *, status: RunStatus | None, query: str, limit: int, cursor: str) -> RunPage:
        """Return a page of runs, newest first."""
        ...

    async def answer(self, run_id: str, said: Mapping[str, Any]) -> None:
        """Reply to a waiting run; `work` in `said` holds answers to packets."""
        ...

    async def cancel(self, run_id: str) -> Run:
        """End a run."""
        ...

    async def resume(self, run_id: str, ceilings: Mapping[str, Any]) -> str:
        """Begin a new attempt at a run."""
        ...

    async def fork(self, run_id: str, stage: ForkStage, changes: Mapping[str, Any]) -> str:
        """Start a run from another's evidence and return its id."""
        ...

    async def delete(self, run_id: str) -> dict[str, int]:
        """Delete a run; return what was deleted, by kind."""
        ...

    async def estimate(self, arguments: Mapping[str, Any]) -> Estimate:
        """Estimate a research without starting it."""
        ...

    async def share(self, run_id: str, hours: float) -> SharedLink:
        """Make a link to a run."""
        ...

    async def shares(self, run_id: str) -> list[SharedLink]:
        """Return the links of a run, oldest first."""
        ...

    async def unshare(self, run_id: str, share_id: str) -> None:
        """End a link."""
        ...

    async def webhook_secret(self) -> str:
        """Return the secret that verifies webhooks."""
        ...

    async def search_library(
        self, query: str, *, collections: Sequence[str] | None, where: Sequence[str], limit: int
    ) -> list[FoundPassage]:
        """Search stored documents."""
        ...

    async def collections(self) -> list[Collection]:
        """Return all collections, sorted by name."""
        ...

    async def add_collection(self, name: str, sources: Sequence[str]) -> Collected:
        """Make a collection hold what its sources hold."""
        ...

    async def remove_collection(self, name: str) -> None:
        """Remove a collection."""
        ...


Opening = AbstractAsyncContextManager[Engine]
"""Opens an engine; leaving it closes what it holds."""
