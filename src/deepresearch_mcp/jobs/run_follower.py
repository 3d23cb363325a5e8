"""The next progress to report of a followed run, whichever process works on it."""

from collections.abc import Mapping
from typing import Protocol

from deepresearch_mcp.events import Progress
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.jobs.pending_ends import PendingEnds
from deepresearch_mcp.pipeline.signal import at_most
from deepresearch_mcp.records.run import ENDED, RunRow
from deepresearch_mcp.runtime import Runtime

RESTS = ENDED | {"input_required"}
"""In these states no process works on a run until there is a reply or a request."""

_TAKEOVER = 5
"""Looks at an interrupted run, one a second, before its followers are told. Usually another server adopts it sooner."""
_LOOK = 1.0
"""Seconds between two looks at a run of another process."""


class RunSource(Protocol):
    """What the jobs offer to followers: runs and their progress."""

    @property
    def runtime(self) -> Runtime:
        """The runtime with the store and the clock."""
        ...

    async def progress(self, row: RunRow) -> Progress:
        """The progress of any run."""
        ...


class RunFollower:
    """Waits for news of runs: those of this process notify it, others it polls."""

    def __init__(self, source: RunSource, live: Mapping[str, ActiveRun], ends: PendingEnds, *, patient: bool) -> None:
        """With `patient`, a run whose server has died has some seconds to be adopted."""
        self._source = source
        self._live = live
        self._ends = ends
        self._looks = _TAKEOVER if patient else 1

    async def next(self, run_id: str, last: Progress | None, every: float) -> Progress | None:
        """The progress once it differs from `last` or `every` seconds pass; None if no process works on the run."""
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
