"""Starts, joins, follows and cancels runs. They belong to the server, not to the request that started them."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial

import anyio
from anyio.abc import TaskGroup
from typing_extensions import Unpack

from deepresearch_mcp.exceptions import StoreError, UnknownRun
from deepresearch_mcp.jobs.active_run import ActiveRun, OnProgress
from deepresearch_mcp.jobs.asking import with_freshness
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.jobs.dispatch import Dispatch, Send
from deepresearch_mcp.jobs.naming import fingerprint, new_run_id
from deepresearch_mcp.jobs.outcome import read_run, saved_progress
from deepresearch_mcp.jobs.pending_ends import PendingEnds
from deepresearch_mcp.jobs.retention import RetentionSweep
from deepresearch_mcp.jobs.run_follower import RESTS, RunFollower
from deepresearch_mcp.jobs.running import Runner
from deepresearch_mcp.jobs.webhooks import Deliveries
from deepresearch_mcp.pipeline.signal import at_most, leaf
from deepresearch_mcp.ports.store import ReportFile, RunFilter
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import ENDED, Run, RunRow
from deepresearch_mcp.runtime import Runtime

_log = logging.getLogger(__name__)
_PUMP = 1.0  # seconds between two rounds of `Jobs.pump`


class Jobs:
    """All runs of one server process. Open it with `open_jobs`."""

    def __init__(self, runtime: Runtime, tasks: TaskGroup, *, adopting: bool = False, send: Send | None = None) -> None:
        self._runtime, self._store = runtime, runtime.store
        self._clock, self._tasks = runtime.clock, tasks
        self._live: dict[str, ActiveRun] = {}
        self._ends = PendingEnds(runtime.store, runtime.clock)
        self.deliveries = Deliveries(runtime, self.result)
        self._runner = Runner(runtime, self._ends, self.deliveries)
        self._retention = RetentionSweep(runtime)
        self._adopting = adopting
        self._queue = Dispatch(runtime, self._live, self._begin, self.result, everything=adopting, send=send)
        self._following = RunFollower(self, self._live, self._ends, patient=adopting or send is not None)
        self.starting = anyio.Lock()
        """Held while a run is queued, joined or started."""

    @property
    def runtime(self) -> Runtime:
        """The runtime whose services the runs use."""
        return self._runtime

    async def start_or_join(
        self,
        request: AnyRequest,
        caller: str = LOCAL_CALLER,
        *,
        fresh: bool = False,
        session: str = "",
        run_id: str = "",
    ) -> RunRow:
        """Return the run of this request: an active, interrupted or recent one of the same caller, else a new one.

        An ended run counts as recent for `server.rejoin_minutes`. With `fresh` it is new. `run_id`: that of a new one.

        Raises:
            InvalidRequest, UnknownCollection, UnknownRun, SettingsError, SessionTaken: Nothing was started.
        """
        async with self.starting:
            mark = fingerprint(request, caller)
            now, recent = self._clock.now().timestamp(), 60 * self._runtime.settings.server.rejoin_minutes
            if not fresh and (row := await self.joined(mark, caller, now - recent)):
                return row
            await background_of(request, partial(self.result, caller=caller))
            await self._runtime.check(request, caller)
            request = with_freshness(request, fresh=fresh)
            name, setup, add = run_id or new_run_id(), self._runtime.setup, self._store.runs.create
            # A request that is cancelled now must not leave a row that is not in the queue.
            with anyio.CancelScope(shield=True):
                await add(name, caller, request, mark, now, setup=setup, queued=True, session=session)
                await self._runtime.watching.started(name)
                await self._queue.add(name)
            return await self.get(name, caller)

    async def joined(self, mark: str, caller: str, since: float) -> RunRow | None:
        """The live or interrupted run with this fingerprint, or one completed after `since`; hold `starting`."""
        # A run that a reader sees as ended must also be found as ended: store pending ends first.
        await self.settle()
        # An interrupted run of an equal request is resumed, so that nothing is paid twice.
        await self._queue.adopt(mark)
        row = await self._store.runs.joinable(caller, mark, since)
        if row is None or self._ends.of(row.run_id) is not None:
            return None
        if row.status != "queued":
            return row
        await self._queue.join(row)
        return await self.get(row.run_id, caller)

    async def queued(self, row: RunRow) -> RunRow:
        """Start a queued run if there is room, and return its row. The caller must hold `starting`."""
        await self._queue.add(row.run_id)
        return await self.get(row.run_id, row.caller)

    def _begin(self, row: RunRow, background: str | Run) -> None:
        """Begin an attempt at a run that this process owns; it resumes where the last attempt stopped."""
        saved = row.progress or {}
        before, events = float(saved.get("seconds", 0.0)), int(saved.get("events", 0))
        # Replayed steps emit their events again, so only the values that must never fall are carried over.
        progress = Progress(row.run_id, max_usd=row.request.shape.max_usd, events=events, seconds=before)
        began = self._clock.monotonic() - before
        live = ActiveRun(row.run_id, row.request, began, progress, before, closing=row.cancel)
        self._live[row.run_id] = live
        _log.info("Run %s is worked on", row.run_id)
        self._tasks.start_soon(self._run, live, background)

    async def adopt(self) -> None:
        """Queue runs whose server has died, and start queued ones while there is room."""
        async with self.starting:
            if self._adopting:
                await self._queue.adopt()
            await self._queue.take()

    async def carry_out(self, run_id: str) -> None:
        """Start a queued run if it is its turn, and wait until it ends; one that does not start here stays queued."""
        await self.adopt()
        if (live := self._live.get(run_id)) is not None:
            await live.news.wait_until(lambda: live.ended)

    async def get(self, run_id: str, caller: str = LOCAL_CALLER) -> RunRow:
        """Return the run's row.

        Raises:
            UnknownRun: This caller has no such run.
        """
        return (await self.get_with(None, run_id, caller))[0]

    async def get_with(self, form: ReportFile | None, run_id: str, caller: str) -> tuple[RunRow, str | None]:
        """As `get`, with this form of the report if `Store.run_with_report` gives it."""
        name, ended = run_id.strip(), self._ends.known()
        row, report = await self._store.run_with_report(name, caller, form) if name.isascii() else (None, None)
        if row is None:
            raise UnknownRun(run_id)
        return self._ends.seen(row, ended), report

    async def find(self, caller: str = LOCAL_CALLER, **which: Unpack[RunFilter]) -> list[RunRow]:
        """Return at most `limit` (20) runs of the caller, newest first."""
        ended = self._ends.known()
        rows = await self._store.runs.find(caller=caller, **which)
        return [self._ends.seen(row, ended) for row in rows]

    async def result(self, run_id: str, caller: str = LOCAL_CALLER) -> Run:
        """Return the run object: complete if the run has ended, else its state so far.

        Raises:
            UnknownRun: This caller has no such run.
        """
        row, stored = await self.get_with("report.json", run_id, caller)
        return await read_run(self._store, row, await self.progress(row), stored)

    async def progress(self, row: RunRow) -> Progress:
        """Return the progress of any run; for a run of another process, as last saved."""
        if (live := self._live.get(row.run_id)) is not None:
            return live.now(self._clock)
        if (end := self._ends.of(row.run_id)) is not None:
            return end.progress
        known = saved_progress(row)
        if row.status != "queued":
            return known
        stands = await self._store.runs.position(row)
        return replace(known, place=stands.place, waiting=stands.waiting, at_work=stands.at_work)

    async def follow(
        self,
        run_id: str,
        caller: str = LOCAL_CALLER,
        *,
        wait_seconds: float | None = None,
        on_progress: OnProgress | None = None,
        every: float = 4.0,
    ) -> RunRow:
        """Wait until a run ends or asks for a reply, at most `wait_seconds`; None sets no limit. Return its row.

        `on_progress` is called on every change and at least every `every` seconds. Cancelling this call only detaches.

        Raises:
            UnknownRun: This caller has no such run.
        """
        row = await self.get(run_id, caller)
        if row.status in RESTS or wait_seconds == 0:
            return row

        async def watch() -> None:
            last: Progress | None = None
            while True:
                current = await self._following.next(run_id, last, every)
                if current is None:
                    return
                if on_progress:
                    await on_progress(current)
                last = current

        failure: Exception | None = None
        try:
            if wait_seconds is None:
                await watch()
            else:
                await at_most(self._clock, wait_seconds, watch)
        except* Exception as group:  # noqa: BLE001 - raised below, unwrapped from the task group that waited
            failure = leaf(group)
        if failure:
            raise failure
        return await self.get(run_id, caller)

    async def cancel(self, run_id: str, caller: str = LOCAL_CALLER, *, wait_seconds: float = 20.0) -> RunRow:
        """Cancel a run, whichever process runs it. Its findings are written up; an ended run stays as it is.

        Raises:
            UnknownRun: This caller has no such run.
        """
        row = await self.get(run_id, caller)
        if row.status in ENDED:
            return row
        async with self.starting:
            closing = await self._queue.close(row)
        if not closing:
            await self._store.runs.request_cancel(row.run_id, self._clock.now().timestamp())
            if (live := self._live.get(row.run_id)) is not None:
                live.cancel()
        return await self.follow(row.run_id, caller, wait_seconds=wait_seconds)

    async def _run(self, live: ActiveRun, background: str | Run) -> None:
        try:
            await self._runner.run(live, background)
        finally:
            live.ended = True
            live.news.notify()
            if self._live.get(live.run_id) is live:  # it may have been resumed already
                del self._live[live.run_id]
            if live.waiting:
                self._queue.expect(live.run_id)
            self._tasks.start_soon(self._next_turn)

    async def _next_turn(self) -> None:
        """Start the next run in a place that became free."""
        with suppress(StoreError):  # the pump tries again
            async with self.starting:
                await self._queue.take()

    async def settle(self) -> None:
        """Store the ends of runs that are known here but not stored yet."""
        await self._ends.save()

    async def pump(self) -> None:
        """Start queued runs, honour cancel flags of other processes, and retry failed writes; runs until cancelled."""
        pause = 0.0 if self._adopting else _PUMP  # an adopting server adopts at once
        while True:
            await self._clock.sleep(pause)
            pause = _PUMP
            try:
                await self.adopt()
                wanted = await self._store.runs.cancel_requested(set(self._live)) if self._live else set[str]()
            except StoreError as error:
                _log.warning("Cancel requests of other servers were not read: %s", error)
                continue
            for run_id in wanted:
                if (live := self._live.get(run_id)) is not None and not live.closing:
                    live.cancel()
            await self._ends.save()
            await self._retention.apply()
            await self.deliveries.send(self._tasks)
            self._tasks.start_soon(self._runtime.watching.send)


@asynccontextmanager
async def open_jobs(runtime: Runtime, *, adopting: bool = False, send: Send | None = None) -> AsyncGenerator[Jobs]:
    """Open the jobs of a process. Leaving the context interrupts their runs, and the stored rows show that.

    `adopting` is for long-lived processes: they also start queued runs of others, and runs whose server has died.
    """
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        jobs = Jobs(runtime, tasks, adopting=adopting, send=send)
        tasks.start_soon(jobs.pump)
        try:
            yield jobs
        except Exception as error:  # noqa: BLE001 - raised below, without the wrapping of the task group
            failure = error
        await jobs.deliveries.finish()
        tasks.cancel_scope.cancel()
    if failure:
        raise failure
