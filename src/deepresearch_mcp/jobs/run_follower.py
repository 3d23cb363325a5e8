"""Finds the next progress to report of a followed run, whichever process works on it."""

from collections.abc import Mapping
from typing import Protocol

from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.pending_ends import PendingEnds
from deepresearch_mcp.pipeline.signal import at_most
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.run import ENDED, RunRow
from deepresearch_mcp.runtime import Runtime

RESTS = ENDED | {"input_required"}
"""Statuses in which no process works on a run until there is a reply or a request."""

_TAKEOVER = 5
"""Polls of an interrupted run, one a second, before following ends. Usually another server adopts it sooner."""
_LOOK = 1.0
"""Seconds between two polls of a run of another process."""


class RunSource(Protocol):
    """The part of `Jobs` that followers need: runs and their progress."""

    @property
    def runtime(self) -> Runtime:
        """The runtime with the store and the clock."""
        ...

    async def progress(self, row: RunRow) -> Progress:
        """Return the progress of any run."""
        ...


class RunFollower:
    """Waits for progress of runs. Runs of this process notify it; others are polled."""

    def __init__(self, source: RunSource, live: Mapping[str, ActiveRun], ends: PendingEnds, *, patient: bool) -> None:
        """With `patient`, an interrupted run is polled `_TAKEOVER` times: another server may adopt it."""
        self._source = source
        self._live = live
        self._ends = ends
        self._looks = _TAKEOVER if patient else 1

    async def next(self, run_id: str, last: Progress | None, every: float) -> Progress | None:
        """Return the progress once it differs from `last` or `every` seconds pass; None if no process works on it."""
        clock, live = self._source.runtime.clock, self._live.get(run_id)
        if live is not None:
            heard = last.events if last else -1
            await at_most(
                clock, every, lambda: live.news.wait_until(lambda: live.ended or live.progress.events != heard)
            )
            return None if live.ended else live.now(clock)
        if last is not None:
            await clock.sleep(min(every, _LOOK))
        for left in reversed(range(self._looks)):
            ended = self._ends.known()
            row = await self._source.runtime.store.runs.get(run_id)
            if row is None or (status := self._ends.seen(row, ended).status) in RESTS:
                return None
            if status != "interrupted":
                return await self._source.progress(row)
            if left:
                await clock.sleep(_LOOK)
        return None
