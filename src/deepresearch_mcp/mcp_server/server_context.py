"""What all requests of a server share: its settings, and its jobs, which the first request that needs them opens."""

import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.beginnings import Beginning, Beginnings
from deepresearch_mcp.mcp_server.timeouts import Timeouts
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.mcp_server.announcing import Announcer
    from deepresearch_mcp.records.checks import AnyRequest

    Parts = Callable[[Settings], AbstractAsyncContextManager[Jobs]]
    OnOpened = Callable[[Jobs], Awaitable[None]]

_log = logging.getLogger(__name__)

_LOOK = 1.0
"""Seconds between two looks for runs that lost their server, while nothing is open here."""


class ServerContext:
    """One serving of the server: its settings, its jobs, and what it has told about each run.

    Listing tools must cost nothing, so nothing of ours is imported or opened before `jobs`
    is awaited. The parts live in a task of their own, as their task groups must be left
    where they were entered; a request that is cancelled takes nothing with it.
    """

    def __init__(
        self,
        settings: Settings,
        tasks: TaskGroup,
        parts: "Parts | None" = None,
        announcer: "Announcer | None" = None,
        opened: "OnOpened | None" = None,
    ) -> None:
        """`parts` opens the jobs, in the place of those of the settings; `opened` is called with them first."""
        self.settings = settings
        self._parts = parts or _imported
        self.told: dict[str, int] = {}
        """Run → the number of events that its last progress text had seen."""
        self.put_away: set[tuple[str, str]] = set()
        """Runs, and what they asked in a form that was closed without an answer."""
        self.timeouts = Timeouts(settings.home / "client_timeouts.json")
        self.announcer = announcer
        self._on_opened = opened
        self._tasks = tasks
        self._beginnings = Beginnings(tasks)
        self._opening = anyio.Lock()
        self._jobs: Jobs | None = None

    @property
    def opened(self) -> bool:
        """Whether the jobs can be had at once."""
        return self._jobs is not None

    async def jobs(self) -> "Jobs":
        """The jobs of this process.

        Raises:
            StoreError, SettingsError: The parts cannot be opened; the next call tries again.
        """
        if self._jobs is not None:
            return self._jobs
        async with self._opening:
            jobs = self._jobs
            if jobs is None:
                # Half a second of imports would hold up every other request.
                parts = await anyio.to_thread.run_sync(self._parts, self.settings)
                await self.timeouts.load()
                self._jobs = jobs = await self._tasks.start(self._own, parts)
            return jobs

    def begin(self, request: "AnyRequest", caller: str, *, fresh: bool) -> Beginning:
        """Begin a run, or join one, once the jobs are open, whether or not its caller still waits for that."""

        async def start(run_id: str) -> str:
            jobs = await self.jobs()
            row = await jobs.start_or_join(request, caller, fresh=fresh, run_id=run_id)
            self.watch(jobs, row.run_id, row.caller)
            return row.run_id

        return self._beginnings.begin(caller, lazy.naming.new_run_id(), start)

    def named(self, caller: str, run_id: str) -> Beginning:
        """The run that a caller was told of by this id; it is there once the jobs are open."""

        async def only_open(run_id: str) -> str:
            await self.jobs()
            return run_id

        return self._beginnings.named(caller, run_id, only_open)

    def watch(self, jobs: "Jobs", run_id: str, caller: str) -> None:
        """Announce to subscribers what becomes of a run of this caller."""
        if self.announcer is not None and self.announcer.heard and self.announcer.begin(run_id):
            self._tasks.start_soon(self.announcer.watch, jobs, run_id, caller)

    def watch_list(self, jobs: "Jobs", caller: str) -> None:
        """Announce to this caller's subscribers what becomes of the list of its runs, at any server."""
        if self.announcer is not None and self.announcer.begin_list(caller):
            self._tasks.start_soon(self.announcer.watch_list, jobs, caller)

    def remember(self) -> None:
        """Save what was learned of clients' time-outs for later sessions, in the background."""
        if self.timeouts.unsaved:
            self._tasks.start_soon(self.timeouts.save)

    async def take_up(self) -> None:
        """Open the parts, which then take up runs whose server has died, once there is such a run."""
        while self._jobs is None:
            await SystemClock().sleep(_LOOK)
            # A shared database is opened at once: there, to look costs as much.
            if not self.settings.database_url and not await anyio.to_thread.run_sync(
                lazy.orphans.has_orphans, self.settings.home
            ):
                continue
            try:
                await self.jobs()
            except DeepResearchError as error:
                # A request would be told; this is none.
                _log.warning("Interrupted runs are not resumed: %s", error)
                return

    async def _own(self, parts: "AbstractAsyncContextManager[Jobs]", *, task_status: "TaskStatus[Jobs]") -> None:
        opened = False
        try:
            async with parts as jobs:
                if self._on_opened is not None:
                    await self._on_opened(jobs)
                opened = True
                task_status.started(jobs)
                await anyio.sleep_forever()
        except Exception:
            if not opened:
                raise
            # Any fault of a run reaches this task group. It ends the runs of this process, but not the server, which
            # would take the client's connection with it: the next call opens the parts anew.
            _log.exception("The open parts failed")
        finally:
            self._jobs = None


def _imported(settings: Settings) -> "AbstractAsyncContextManager[Jobs]":
    # Imported here, in a thread, and not where they are used, on the event loop.
    open_runtime, open_jobs = lazy.runtime.open_runtime, lazy.jobs.open_jobs

    @asynccontextmanager
    async def parts() -> AsyncGenerator["Jobs"]:
        async with AsyncExitStack() as stack:
            runtime = await stack.enter_async_context(open_runtime(settings))
            send = None
            if settings.database_url and settings.server.carry_out == "workers":
                send = await stack.enter_async_context(
                    lazy.cluster.open_sender(settings.database_url.get_secret_value())
                )
            yield await stack.enter_async_context(open_jobs(runtime, adopting=send is None, send=send))

    return parts()


@asynccontextmanager
async def open_server_context(
    settings: Settings,
    parts: "Parts | None" = None,
    announcer: "Announcer | None" = None,
    opened: "OnOpened | None" = None,
) -> AsyncGenerator[ServerContext]:
    """A context whose parts are closed, and whose runs are interrupted, when it is left."""
    async with anyio.create_task_group() as tasks:
        desk = ServerContext(settings, tasks, parts, announcer, opened)
        tasks.start_soon(desk.take_up)
        yield desk
        tasks.cancel_scope.cancel()
