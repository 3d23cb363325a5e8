"""Start, join, follow and cancel runs: they belong to the server, never to the request that asked for them."""

import hashlib
import json
import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace

import anyio
from anyio.abc import TaskGroup
from pydantic import TypeAdapter

from deepresearch_mcp.events import Degraded, Ended, Event, Progress, Tell
from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, StoreError, UnknownRun
from deepresearch_mcp.jobs.live import Hear, Live
from deepresearch_mcp.jobs.outcome import conclude, read_run
from deepresearch_mcp.pipeline.waiting import at_most, leaf
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow, RunStatus
from deepresearch_mcp.runtime import Runtime, Session

_log = logging.getLogger(__name__)

LOCAL_CALLER = "local"
"""Whoever may read the data directory: one user of the operating system."""

_SAVED = TypeAdapter(Progress)

_PUMP = 1.0
"""Seconds between two looks at the cancel flags that other processes set."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, in which no two characters look alike."""


def new_run_id() -> str:
    """26 characters holding 128 random bits."""
    number = secrets.randbits(128)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def fingerprint(request: ResearchRequest, caller: str) -> str:
    """Equal for requests that may join each other's run."""
    text = json.dumps([caller, request.canonical()], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _End:
    """How a run ended, until that is written down."""

    status: RunStatus
    error: dict[str, str] | None
    progress: Progress


class Jobs:
    """All runs of one server process. Open it with `open_jobs`."""

    def __init__(self, runtime: Runtime, tasks: TaskGroup) -> None:
        self._runtime = runtime
        self._store = runtime.store
        self._clock = runtime.clock
        self._tasks = tasks
        self._live: dict[str, Live] = {}
        self._unsaved: dict[str, _End] = {}
        """Runs that have ended while the store could not be written; `pump` tries again."""
        self._starting = anyio.Lock()
        self._slots = anyio.Semaphore(runtime.settings.server.runs_at_once)

    @property
    def runtime(self) -> Runtime:
        """The parts the runs are made with."""
        return self._runtime

    async def start_or_join(
        self, request: ResearchRequest, caller: str = LOCAL_CALLER, *, fresh: bool = False
    ) -> RunRow:
        """The run of this request: the live one or a recent completed one of the same caller, else a new one.

        Raises:
            InvalidRequest, UnknownCollection, UnknownRun, SettingsError: Nothing was started.
        """
        async with self._starting:
            mark = fingerprint(request, caller)
            now = self._clock.now().timestamp()
            if not fresh:
                since = now - 60 * self._runtime.settings.server.rejoin_minutes
                row = await self._store.runs.joinable(caller, mark, since)
                if row and row.run_id not in self._unsaved:
                    return row
            background = await self._background(request, caller)
            await self._runtime.check(request)
            # A request that is cancelled now must not leave a row that nobody works on.
            with anyio.CancelScope(shield=True):
                row = await self._store.runs.create(new_run_id(), caller, request, mark, now)
            progress = Progress(row.run_id, max_usd=request.shape.max_usd)
            live = self._live[row.run_id] = Live(row.run_id, request, self._clock.monotonic(), progress)
            self._tasks.start_soon(self._run, live, background)
            return row

    async def get(self, run_id: str, caller: str = LOCAL_CALLER) -> RunRow:
        """The run's row.

        Raises:
            UnknownRun: This caller has no such run.
        """
        name = run_id.strip()
        row = await self._store.runs.get(name) if name.isascii() else None
        if row is None or row.caller != caller:
            raise UnknownRun(run_id)
        return self._seen(row)

    def _seen(self, row: RunRow) -> RunRow:
        end = self._unsaved.get(row.run_id)
        return row.model_copy(update={"status": end.status, "stage": "ended", "error": end.error}) if end else row

    async def find(
        self,
        caller: str = LOCAL_CALLER,
        *,
        status: RunStatus | None = None,
        text: str = "",
        limit: int = 20,
        before: tuple[float, str] | None = None,
    ) -> list[RunRow]:
        """The caller's runs, newest first."""
        rows = await self._store.runs.find(caller=caller, status=status, text=text, limit=limit, before=before)
        return [self._seen(row) for row in rows]

    async def result(self, run_id: str, caller: str = LOCAL_CALLER) -> Run:
        """The run object: whole when the run has ended, else how far it is.

        Raises:
            UnknownRun: This caller has no such run.
        """
        row = await self.get(run_id, caller)
        return await read_run(self._store, row, await self.progress(row))

    async def progress(self, row: RunRow) -> Progress:
        """The progress of any run, as last saved where another process runs it."""
        if (live := self._live.get(row.run_id)) is not None:
            return live.now(self._clock)
        if (end := self._unsaved.get(row.run_id)) is not None:
            return end.progress
        saved = _SAVED.validate_python({**(row.progress or {}), "run_id": row.run_id})
        return replace(saved, status=row.status, stage=row.stage)

    async def follow(
        self,
        run_id: str,
        caller: str = LOCAL_CALLER,
        *,
        wait_seconds: float | None = None,
        hear: Hear | None = None,
        every: float = 4.0,
    ) -> RunRow:
        """Stay with a run until it ends or `wait_seconds` are over; None: until it ends.

        `hear` is told of every change, and at least every `every` seconds. Being
        cancelled here only detaches.

        Raises:
            UnknownRun: This caller has no such run.
        """
        row = await self.get(run_id, caller)
        if row.status in ENDED or row.status == "interrupted" or wait_seconds == 0:
            return row

        async def watch() -> None:
            last: Progress | None = None
            while True:
                current = await self._next(run_id, last, every)
                if current is None:
                    return
                if hear:
                    await hear(current)
                last = current

        failure: Exception | None = None
        try:
            if wait_seconds is None:
                await watch()
            else:
                await at_most(self._clock, wait_seconds, watch)
        except* Exception as group:  # noqa: BLE001 - raised below, without the wrapping of the task group that waited
            failure = leaf(group)
        if failure:
            raise failure
        return await self.get(run_id, caller)

    async def _next(self, run_id: str, last: Progress | None, every: float) -> Progress | None:
        """The progress once it differs from `last` or `every` seconds are over; None when the run lives no more."""
        live = self._live.get(run_id)
        if live is not None:
            heard = last.events if last else -1
            await at_most(
                self._clock, every, lambda: live.news.until(lambda: live.ended or live.progress.events != heard)
            )
            return None if live.ended else live.now(self._clock)
        if last is not None:
            await self._clock.sleep(min(every, _PUMP))
        row = await self._store.runs.get(run_id)
        if row is None or self._seen(row).status in ENDED or row.status == "interrupted":
            return None
        return await self.progress(row)

    async def cancel(self, run_id: str, caller: str = LOCAL_CALLER, *, wait_seconds: float = 20.0) -> RunRow:
        """End a run, whoever runs it; what was gathered is written up. Ended runs stay as they are.

        Raises:
            UnknownRun: This caller has no such run.
        """
        row = await self.get(run_id, caller)
        if row.status in ENDED:
            return row
        await self._store.runs.request_cancel(row.run_id, self._clock.now().timestamp())
        if (live := self._live.get(row.run_id)) is not None:
            live.cancel()
        return await self.follow(row.run_id, caller, wait_seconds=wait_seconds)

    async def _background(self, request: ResearchRequest, caller: str) -> str:
        if not request.follow_up_of:
            return ""
        earlier = await self.result(request.follow_up_of, caller)
        if earlier.status not in ENDED:
            raise InvalidRequest(
                f"Run {earlier.run_id} has not ended, so nothing can follow up on it yet.",
                "Wait for its report, or cancel it.",
            )
        claims = "\n".join(f"- {claim.text}" for claim in earlier.claims if claim.verdict == "supported")[:6000]
        return f"An earlier run asked: {earlier.question}\nIts answer: {earlier.answer}\nIt established:\n{claims}"

    async def _run(self, live: Live, background: str) -> None:
        """One run from its first step to its stored report; whatever befalls it ends no other."""

        def tell(event: Event) -> None:
            live.tell(event, self._clock)

        try:
            async with anyio.create_task_group() as recording:
                recording.start_soon(live.record, self._store, self._clock)
                await self._in_slot(live, background, tell)
                recording.cancel_scope.cancel()
            await live.flush(self._store, self._clock)
        except* Exception as group:  # noqa: BLE001 - a full disk or a fault of ours: this run fails, the server lives on
            await self._end(live, "failed", _told(live.run_id, leaf(group)))
        finally:
            live.ended = True
            live.news.tell()
            self._live.pop(live.run_id, None)

    async def _in_slot(self, live: Live, background: str, tell: Tell) -> None:
        now = self._clock.now().timestamp
        if self._slots.value == 0:
            live.progress = replace(live.progress, status="queued")
            await self._store.runs.move(live.run_id, now(), status="queued")
        with live.enter() as scope:
            await self._slots.acquire()
        if scope.cancelled_caught:
            await self._end(live, "cancelled", None)
            return
        try:
            live.progress = replace(live.progress, status="running")
            await self._store.runs.move(live.run_id, now(), status="running")
            await self._execute(live, background, tell)
        finally:
            self._slots.release()

    async def _execute(self, live: Live, background: str, tell: Tell) -> None:
        status: RunStatus = "failed"
        error: dict[str, str] | None = None
        async with self._runtime.research(live.run_id, live.request, background, tell) as session:
            scope = live.enter()
            try:
                with scope:
                    await session.research.run()
                    status = "partial" if session.research.findings.ceiling else "completed"
            except* Exception as group:  # noqa: BLE001 - a fault of ours ends this run, not the server
                error = _told(live.run_id, leaf(group))
            if scope.cancelled_caught:
                status = "cancelled"
            # What is known is written up and stored even while the server is being stopped.
            with anyio.CancelScope(shield=True):
                if status in {"failed", "cancelled"}:
                    await self._write_up(session, tell)
                try:
                    await conclude(session, live.run_id, status, error, live.now(self._clock))
                except Exception as failure:  # noqa: BLE001 - without its report a run has failed, and its row says why
                    status, error = "failed", error or _told(live.run_id, failure)
                await self._end(live, status, error)

    async def _end(self, live: Live, status: RunStatus, error: dict[str, str] | None) -> None:
        """Tell of a run's end and write it down; where that cannot be written now, it is known here all the same."""
        with anyio.CancelScope(shield=True):
            live.tell(Ended(status, error["message"] if error else ""), self._clock)
            await live.flush(self._store, self._clock)
            self._unsaved[live.run_id] = _End(status, error, live.progress)
            await self._save_ends()

    async def _save_ends(self) -> None:
        for run_id, end in list(self._unsaved.items()):
            now, last = self._clock.now().timestamp(), asdict(end.progress)
            try:
                await self._store.runs.move(
                    run_id, now, status=end.status, stage="ended", error=end.error, progress=last
                )
            except StoreError as error:
                _log.warning("The end of run %s is not written yet: %s", run_id, error)
                return
            self._unsaved.pop(run_id, None)

    async def _write_up(self, session: Session, tell: Tell) -> None:
        try:
            await session.research.write_up()
        except* Exception as group:  # noqa: BLE001 - the run has failed already: its record matters more than its prose
            _log.error("The partial report was not written", exc_info=leaf(group))
            tell(Degraded("The partial report could not be written."))

    async def pump(self) -> None:
        """Honour cancel flags that other processes set, and write down what could not be written before."""
        while True:
            await self._clock.sleep(_PUMP)
            try:
                wanted = await self._store.runs.cancel_requested(set(self._live))
            except StoreError as error:
                # The disk may have room again in a second.
                _log.warning("Cancel flags were not read: %s", error)
                continue
            for run_id in wanted:
                if (live := self._live.get(run_id)) is not None:
                    live.cancel()
            await self._save_ends()


def _told(run_id: str, error: Exception) -> dict[str, str]:
    """What a run's record says of the error that ended it; what is no error of ours to show goes to the log."""
    if isinstance(error, DeepResearchError):
        return described(error)
    _log.error("Run %s failed unexpectedly", run_id, exc_info=error)
    return described(DeepResearchError("The run failed by a fault of this server.", "Try again; report it."))


def described(error: DeepResearchError) -> dict[str, str]:
    """An error as every JSON surface shows it."""
    return {"code": error.code, "name": error.name, "message": error.message, "action": error.action}


@asynccontextmanager
async def open_jobs(runtime: Runtime) -> AsyncGenerator[Jobs]:
    """Jobs whose runs live as long as this context; leaving it interrupts them, which their record then shows."""
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        jobs = Jobs(runtime, tasks)
        tasks.start_soon(jobs.pump)
        try:
            yield jobs
        except Exception as error:  # noqa: BLE001 - raised below, without the wrapping of the task group
            failure = error
        tasks.cancel_scope.cancel()
    if failure:
        raise failure
