"""Emits and stores the ends of runs, and keeps them while the store cannot be written."""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import anyio

from deepresearch_mcp.events import Ended
from deepresearch_mcp.exceptions import DeepResearchError, ModelUnusable, StoreError
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.figures import RunFigures
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.run import Run, RunRow, RunStatus

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class End:
    """How a run ended."""

    status: RunStatus
    error: dict[str, str] | None
    progress: Progress
    live: ActiveRun
    """Holds the events that are not stored yet."""


class PendingEnds:
    """Ends that are not stored yet. Without them, a full disk would leave a run that seems to be running."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._unsaved: dict[str, End] = {}

    async def end(self, live: ActiveRun, status: RunStatus, error: dict[str, str] | None = None) -> None:
        """Emit a run's end and store it. If that fails, `save` tries again."""
        with anyio.CancelScope(shield=True):
            _log.info("Run %s has ended: %s", live.run_id, status)
            live.emit(Ended(status, error["message"] if error else ""), self._clock)
            await live.flush(self._store)
            self._unsaved[live.run_id] = End(status, error, live.progress, live)
            await self.save()

    async def save(self) -> None:
        """Store ends that could not be stored before."""
        for run_id, end in list(self._unsaved.items()):
            await end.live.flush(self._store)
            now, last = self._clock.now().timestamp(), asdict(end.progress)
            try:
                await self._store.runs.move(
                    run_id, now, status=end.status, stage="ended", error=end.error, progress=last
                )
                await self._store.figures.close(run_id, _figures(end), now)
            except StoreError as error:
                _log.warning("The end of run %s is not written yet: %s", run_id, error)
                return
            self._unsaved.pop(run_id, None)

    def of(self, run_id: str) -> End | None:
        """Return the end of a run if it is not stored yet."""
        return self._unsaved.get(run_id)

    def known(self) -> dict[str, End]:
        """Return all ends that are not stored yet, by run id."""
        return dict(self._unsaved)

    def seen(self, row: RunRow, before: Mapping[str, End]) -> RunRow:
        """Return the row to show, with its pending end. `before` is what `known` returned before the row was read.

        It is needed for an end that was stored in between: neither the row nor the pending ends hold it.
        """
        end = self._unsaved.get(row.run_id) or before.get(row.run_id)
        return row.model_copy(update={"status": end.status, "stage": "ended", "error": end.error}) if end else row


def _figures(end: End) -> RunFigures:
    """The figures of a run that has no report."""
    last, error = end.progress, (end.error or {}).get("name", "")
    return RunFigures(end.status, last.seconds, last.usd, searches=last.searches, pages=last.read, error=error)


def described(error: DeepResearchError) -> dict[str, str]:
    """Return an error in the form that every JSON surface shows."""
    return {"code": error.code, "name": error.name, "message": error.message, "action": error.action}


def model_error(run: Run) -> ModelUnusable | None:
    """Return the error of a run whose model could not be used, for surfaces that raise it; else None."""
    error = run.error or {}
    return ModelUnusable(error["message"], error["action"]) if error.get("name") == ModelUnusable.name else None


def error_record(run_id: str, error: Exception) -> dict[str, str]:
    """Return the error to store with a run. An unexpected error is logged in full and stored without details."""
    if isinstance(error, DeepResearchError):
        return described(error)
    _log.error("Run %s failed unexpectedly", run_id, exc_info=error)
    return described(DeepResearchError("The run failed by a fault of this server.", "Try again; report it."))
