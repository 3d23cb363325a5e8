"""The desk: where every request finds the open parts, which are opened when the first of them is needed."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus

from deepresearch_mcp.settings import Settings

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs

_log = logging.getLogger(__name__)


class Desk:
    """One serving of the server: its settings, its jobs, and what it has told about each run.

    Listing tools must cost nothing, so nothing of ours is imported or opened before `jobs`
    is awaited. The parts live in a task of their own, as their task groups must be left
    where they were entered; a request that is cancelled takes nothing with it.
    """

    def __init__(self, settings: Settings, tasks: TaskGroup) -> None:
        self.settings = settings
        self.told: dict[str, int] = {}
        """Run → the number of events that its last progress text had seen."""
        self._tasks = tasks
        self._opening = anyio.Lock()
        self._jobs: Jobs | None = None

    async def jobs(self) -> "Jobs":
        """The jobs of this process.

        Raises:
            StoreError, SettingsError: The parts cannot be opened; the next call tries again.
        """
        async with self._opening:
            if self._jobs is None:
                # Half a second of imports would hold up every other request.
                jobs = await anyio.to_thread.run_sync(import_module, "deepresearch_mcp.jobs.jobs")
                self._jobs = await self._tasks.start(self._own, jobs)
            return self._jobs

    async def _own(self, jobs: Any, *, task_status: TaskStatus["Jobs"]) -> None:  # noqa: ANN401 - a module
        opened = False
        try:
            async with jobs.open_runtime(self.settings) as runtime, jobs.open_jobs(runtime) as open_jobs:
                opened = True
                task_status.started(open_jobs)
                await anyio.sleep_forever()
        except Exception:
            if not opened:
                raise
            # A fault in the parts ends the runs they carried, not the server: the next call opens them anew.
            _log.exception("The open parts failed")
        finally:
            self._jobs = None


@asynccontextmanager
async def open_desk(settings: Settings) -> AsyncGenerator[Desk]:
    """A desk whose parts are closed, and whose runs are interrupted, when this context is left."""
    async with anyio.create_task_group() as tasks:
        yield Desk(settings, tasks)
        tasks.cancel_scope.cancel()
