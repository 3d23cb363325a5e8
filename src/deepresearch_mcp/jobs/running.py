"""Carries out one run, from its turn to its stored report. Its failure does not affect other runs."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import anyio

from deepresearch_mcp.events import Degraded, Ended, Event, EventSink
from deepresearch_mcp.exceptions import DeepResearchError, ModelUnusable, StoreError
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.broker import StoredBroker
from deepresearch_mcp.jobs.inquiring import StoredAsker, suspend
from deepresearch_mcp.jobs.judging import judged
from deepresearch_mcp.jobs.naming import resume_command
from deepresearch_mcp.jobs.outcome import keep_outcome
from deepresearch_mcp.jobs.pending_ends import PendingEnds, error_record
from deepresearch_mcp.jobs.webhooks import Deliveries
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.pipeline.signal import at_most, leaf
from deepresearch_mcp.records.run import Run, RunStatus
from deepresearch_mcp.runtime import Runtime

_log = logging.getLogger(__name__)

_WRITING = 30.0
"""Seconds allowed to write up a run that failed or was cancelled."""
_CONCLUDING = 300.0
"""Seconds allowed to assemble and store a report; a hundred runs that end at once need a minute."""
_LAST_WORDS = 3.0
"""Most seconds that a stopping server spends on the audit trail of one run."""


class Runner:
    """Carries out runs when their turn comes."""

    def __init__(self, runtime: Runtime, ends: PendingEnds, deliveries: Deliveries) -> None:
        self._runtime = runtime
        self._store = runtime.store
        self._clock = runtime.clock
        self._ends = ends
        self._deliveries = deliveries

    async def run(self, live: ActiveRun, background: str | Run) -> None:
        """Carry out a run to its end; never raises an error.

        If it is cancelled from outside, because the server stops, the run stays as it is and its row shows that it was
        interrupted.
        """

        def emit(event: Event) -> None:
            live.emit(event, self._clock)

        broker = StoredBroker(live, self._store, self._clock)
        try:
            await self._deliveries.begin(live.run_id)
            async with anyio.create_task_group() as recording:
                recording.start_soon(live.record, self._store, self._clock)
                recording.start_soon(broker.watch)
                await self._execute(live, background, emit, broker)
                recording.cancel_scope.cancel()
            await live.flush(self._store)
        except* Exception as group:  # noqa: BLE001 - a full disk or a bug of ours fails this run, not the server
            await self._ends.end(live, "failed", error_record(live.run_id, leaf(group)))
        finally:
            # If the server stops, write the last events and hand the run to the next server, if the store is quick
            # enough.
            with anyio.move_on_after(_LAST_WORDS, shield=True), suppress(StoreError):
                await live.flush(self._store)
                await self._store.runs.hand_over(live.run_id)

    async def _execute(self, live: ActiveRun, background: str | Run, emit: EventSink, broker: StoredBroker) -> None:
        status: RunStatus = "failed"
        error: dict[str, str] | None = None
        asker = StoredAsker(live, self._store, self._clock)
        async with self._runtime.research(
            live.run_id, live.request, background, emit, live.before, asker=asker, broker=broker
        ) as session:
            scope = live.enter()
            try:
                with scope:
                    await session.research.run()
                    status = "partial" if session.partial else "completed"
            except* Exception as group:  # noqa: BLE001 - a bug of ours ends this run, not the server
                error = error_record(live.run_id, leaf(group))
            if scope.cancelled_caught:
                status = "cancelled"
            if (inquiry := live.waiting) and status == "cancelled" and not live.cancelled:
                with anyio.CancelScope(shield=True):
                    if await suspend(live, inquiry, self._store, self._clock):
                        return
            # Write up and store what is known, even while the server is stopping.
            with anyio.CancelScope(shield=True):
                if not await self._store.runs.owns(live.run_id):
                    _log.warning("Run %s was taken over by another server, which continues it", live.run_id)
                    return
                # If the model was unusable and nothing is worth writing, rules do not write a report in its place.
                unusable = (error or {}).get("name") == ModelUnusable.name
                if status in {"failed", "cancelled"} and (session.research.findings.worth_writing or not unusable):
                    await self._write_up(session, live.run_id, emit)

                async def finish() -> None:
                    judge = partial(judged, self._runtime)
                    await keep_outcome(session, live.run_id, status, error, live.now(self._clock), judge)

                try:
                    await self._in_time(_CONCLUDING, live.run_id, finish)
                except* Exception as group:  # noqa: BLE001 - a run without a report has failed; its row says why
                    status, error = "failed", error or error_record(live.run_id, leaf(group))
                for observer in self._runtime.watching.observers:
                    observer.happened(live.run_id, Ended(status))
                await self._ends.end(live, status, error)

    async def _write_up(self, session: Session, run_id: str, emit: EventSink) -> None:
        try:
            await self._in_time(_WRITING, run_id, session.research.write_up)
        except* Exception as group:  # noqa: BLE001 - the run has ended: its record matters more than its prose
            _log.error("The partial report was not written", exc_info=leaf(group))
            emit(Degraded("The partial report could not be written."))

    async def _in_time(self, seconds: float, run_id: str, work: Callable[[], Awaitable[object]]) -> None:
        """Do the remaining work of an ended run within a time limit, so that neither the run nor the server hangs.

        Raises:
            DeepResearchError: The time limit was reached.
        """
        if not await at_most(self._clock, seconds, work):
            raise DeepResearchError(
                f"The report was not finished within {seconds:g} seconds.",
                f"What was found is kept. Resume the run with {resume_command(run_id)}.",
            )
