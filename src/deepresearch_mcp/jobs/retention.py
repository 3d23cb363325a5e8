"""Deletes runs and cached rows that are older than the settings allow, a few at a time; never an active run."""

import logging

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.runtime import Runtime

_log = logging.getLogger(__name__)

_FIRST = 10.0
"""Seconds before the first deletion, which must not delay a start; short commands end before it."""
_EVERY = 60.0
"""Seconds until the next sweep after one that found nothing."""
_RUNS, _PAGES, _JUDGEMENTS = 5, 50, 500
"""Rows deleted at a time; each holds the write lock for some milliseconds."""
_DAY = 24 * 3600.0


class RetentionSweep:
    """Deletes what is older than `keep.runs_days` and `keep.cache_days`; 0 keeps everything."""

    def __init__(self, runtime: Runtime) -> None:
        self._keep = runtime.settings.keep
        self._store = runtime.store
        self._clock = runtime.clock
        self._next = runtime.clock.monotonic() + _FIRST

    async def apply(self) -> None:
        """Delete a few rows if a sweep is due; a failure is retried later."""
        if self._clock.monotonic() < self._next:
            return
        more = False
        try:
            more = await self._runs() + await self._cache() > 0
        except StoreError as error:
            _log.warning("Expired runs and pages could not be removed: %s", error)
        self._next = self._clock.monotonic() + (0.0 if more else _EVERY)

    async def _runs(self) -> int:
        now, days = self._clock.now().timestamp(), self._keep.runs_days
        await self._store.retention.drop_spending(now - _DAY)
        if not days:
            return 0
        before, gone = now - days * _DAY, 0
        for run_id in await self._store.runs.ended_before(before, now, _RUNS):
            # The store keeps a run that was resumed in the meantime.
            deleted = await self._store.runs.delete(run_id, now, ended_before=before)
            if deleted is None:
                continue
            await self._store.reports.remove(run_id)
            gone += 1
            what = ", ".join(f"{count} {name}" for name, count in deleted.items())
            _log.info("Run %s was deleted, as it ended more than %g days ago (keep.runs_days): %s", run_id, days, what)
        return gone

    async def _cache(self) -> int:
        days = self._keep.cache_days
        if not days:
            return 0
        before = self._clock.now().timestamp() - days * _DAY
        pages = await self._store.retention.drop_pages(before, _PAGES)
        judgements = await self._store.retention.drop_judgements(before, _JUDGEMENTS)
        if pages or judgements:
            _log.info(
                "%d pages that no run holds and %d judgements were dropped, as they are older than %g days "
                "(keep.cache_days)",
                *(pages, judgements, days),
            )
        return pages + judgements
