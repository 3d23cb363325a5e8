"""Carries out runs in worker processes on any machine that shares the database; procrastinate notifies them.

Jobs of procrastinate are only notifications. A run's state, queue and owner are in our own store, so a lost or
repeated notification harms no run. This module is imported only if the settings name a database.
"""

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.worker import Worker

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.jobs.dispatch import Send
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.ports.clock import Clock

_log = logging.getLogger(__name__)

QUEUE = "deepresearch"
_TASK = "deepresearch.run"
_BEAT = 5.0
"""Seconds between two heartbeats of a worker."""
STALLED = 30.0
"""Seconds without a heartbeat after which other workers get a worker's jobs."""
_FAREWELL = 0.5
"""Seconds for jobs to end when a worker stops. They only wait for runs, which other workers adopt."""
_PATIENCE = 5.0
"""Seconds for a stopping worker to record which jobs it leaves; a lost database is noticed sooner."""
_PAUSE = 1.0
_FAILURES = (ConnectorException, psycopg.Error, OSError)


@asynccontextmanager
async def open_sender(url: str) -> AsyncGenerator[Send]:
    """Open a sender of notifications, for a server that does not carry out runs itself.

    A failed notification is only logged: the run is in the queue, which the workers poll.
    """
    async with _opened(url) as app:

        async def send(run_id: str) -> None:
            task = app.configure_task(_TASK, queue=QUEUE, queueing_lock=run_id)
            try:
                await task.defer_async(run_id=run_id)
            except AlreadyEnqueued:
                pass
            except _FAILURES as error:
                _log.warning(
                    "Workers were not notified of run %s (%s); they will find it", run_id, type(error).__name__
                )

        yield send


async def work_on_runs(jobs: Jobs, url: str, clock: Clock, at_once: int, *, ready: Callable[[], None]) -> None:
    """Carry out at most `at_once` runs at a time until cancelled; call `ready` before the first one.

    `jobs` must be adopting, so that workers find runs without a notification within about a second.
    """
    async with _opened(url) as app:

        @app.task(name=_TASK, queue=QUEUE)
        async def run(run_id: str) -> None:  # pyright: ignore[reportUnusedFunction] - the app keeps it
            await jobs.carry_out(run_id)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_tell_again, app, clock)
            ready()
            while True:
                try:
                    await _at_work(app, at_once)
                except* _FAILURES as group:
                    _log.warning("The database went away (%s); the worker waits for it", _names(group))
                await clock.sleep(_PAUSE)


async def _at_work(app: App, at_once: int) -> None:
    """Run procrastinate's worker once, until it stops or fails.

    On cancellation the worker is asked to stop and awaited under a shield. anyio would cancel it at every await, and
    it would leave tasks behind that use a closed database.
    """
    worker = Worker(
        app,
        queues=[QUEUE],
        concurrency=at_once,
        install_signal_handlers=False,
        delete_jobs="always",
        shutdown_graceful_timeout=_FAREWELL,
        fetch_job_polling_interval=2.0,
        update_heartbeat_interval=_BEAT,
        stalled_worker_timeout=STALLED,
    )
    left, shelter = anyio.Event(), anyio.CancelScope(shield=True)

    async def live() -> None:
        try:
            with shelter:
                await worker.run()
        finally:
            left.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(live)
        try:
            await left.wait()
        finally:
            worker.stop()
            with anyio.move_on_after(_PATIENCE, shield=True):
                await left.wait()
            shelter.cancel()


async def workers_seen(url: str) -> int:
    """Return how many workers, on all machines, sent a heartbeat in the last `STALLED` seconds.

    Raises:
        StoreError: The database cannot be queried.
    """
    try:
        async with _opened(url) as app:
            row = await app.connector.execute_query_one_async(
                "SELECT count(*) AS seen FROM procrastinate_workers "
                "WHERE last_heartbeat > NOW() - make_interval(secs => %(seconds)s)",
                seconds=STALLED,
            )
    except _FAILURES as error:
        raise StoreError(
            f"The database did not say which workers there are ({type(error).__name__}).",
            "Run: deepresearch-server store migrate",
        ) from error
    return int(row["seen"])


async def _tell_again(app: App, clock: Clock) -> None:
    """Retry the jobs of workers without a heartbeat, so that others take them."""
    while True:
        await clock.sleep(_BEAT)
        try:
            for job in await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED):
                await app.job_manager.retry_job(job)
        except _FAILURES as error:
            _log.warning("Could not look for stalled workers: %s", type(error).__name__)


class _Plain(logging.Filter):
    """Strips the exception from a log record: it names the database server and has a stack trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "asyncio":
            # An error that procrastinate left unhandled and that was already reported elsewhere.
            return "procrastinate" not in record.getMessage()
        record.exc_info = record.exc_text = None
        # Some messages have several lines.
        record.msg, record.args = " ".join(record.getMessage().replace("\\n", " ").split()), ()
        return True


_PLAIN = _Plain()


@asynccontextmanager
async def _opened(url: str) -> AsyncGenerator[App]:
    for talkative in ("procrastinate.utils", "procrastinate.worker", "asyncio"):
        logging.getLogger(talkative).addFilter(_PLAIN)
    options: dict[str, Any] = {"kwargs": {"connect_timeout": 10}, "min_size": 1, "max_size": 4, "timeout": 3.0}
    app = App(connector=PsycopgConnector(conninfo=url, **options))
    async with app.open_async():
        yield app


def _names(group: BaseExceptionGroup) -> str:
    return ", ".join(sorted({type(error).__name__ for error in group.exceptions}))
