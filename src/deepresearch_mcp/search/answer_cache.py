"""Caches each engine's last answer to a query: used again for a while, and when no engine can be reached."""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from typing_extensions import override

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.answers import EarlierAnswers, EngineAnswers, KeptAnswer
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.metering import EngineWrapper
from deepresearch_mcp.search.redacting import redacted_hits

_log = logging.getLogger(__name__)
_DAY = 86_400.0
_MINUTE = 60.0


class AnswerCache(EarlierAnswers):
    """Stores the answers of engines and finds those of the last `days` days; 0 stores and finds nothing.

    Those of the last `reuse` minutes stand for a new query; 0: none does. Personal data is masked by
    `masker` in what is found, because it may have been stored before the user asked for that.
    """

    def __init__(
        self, answers: EngineAnswers, clock: Clock, days: float, *, reuse: float = 0.0, masker: Masker | None = None
    ) -> None:
        self._answers = answers
        self._clock = clock
        self._days = days
        self._reuse = reuse
        self._masker = masker

    async def keep(self, query: Query, engine: str, hits: Sequence[Hit]) -> None:
        """Store an answer, unless it is empty. A full disk is logged and does not fail the query."""
        if not hits or not self._days:
            return
        try:
            await self._answers.keep(_subject(query, engine), hits, self._oldest, limit=query.limit)
        except StoreError as error:
            _log.warning("An answer of %s could not be kept: %s", engine, error)

    async def recent(self, query: Query, engine: str) -> list[Hit] | None:
        """Return what an engine answered a moment ago to an equal query for as many hits or more; None if nothing."""
        if not (self._days and self._reuse):
            return None
        known = (await self._answers.find([subject := _subject(query, engine)])).get(subject)
        now = self._clock.now().timestamp()
        # An answer from the future was stored before the clock was set back.
        if known is None or known.limit < query.limit or not 0 <= now - known.kept < self._reuse * _MINUTE:
            return None
        return list(await redacted_hits(known.hits[: query.limit], self._masker))

    @override
    async def find(self, query: Query, engines: Sequence[str]) -> Mapping[str, KeptAnswer]:
        names = {_subject(query, engine): engine for engine in engines}
        known = await self._answers.find(names) if self._days else {}
        # In the order of `engines`, because the first one wins a tie.
        return {
            name: replace(known[key], hits=await redacted_hits(known[key].hits, self._masker))
            for key, name in names.items()
            if key in known and known[key].kept >= self._oldest
        }

    @override
    def age(self, answers: Mapping[str, KeptAnswer]) -> float:
        # Never negative: the clock may have been set back since.
        return max(0.0, self._clock.now().timestamp() - min(answer.kept for answer in answers.values()))

    @property
    def _oldest(self) -> float:
        return self._clock.now().timestamp() - self._days * _DAY


class CachingEngine(EngineWrapper):
    """An engine whose answers are stored in an `AnswerCache`."""

    def __init__(self, engine: SearchEngine, keeper: AnswerCache) -> None:
        super().__init__(engine)
        self._keeper = keeper

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        hits = await self._engine.search(query, needs=needs)
        await self._keeper.keep(query, self.name, hits)
        return hits


class ReusingEngine(EngineWrapper):
    """An engine that is not asked what it answered a moment ago."""

    def __init__(self, engine: SearchEngine, keeper: AnswerCache) -> None:
        super().__init__(engine)
        self._keeper = keeper

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        known = await self._keeper.recent(query, self.name)
        return await self._engine.search(query, needs=needs) if known is None else known


def _subject(query: Query, engine: str) -> str:
    """Return a key that is equal for equal words and filters, whatever their spacing and case."""
    asked: list[object] = [engine, " ".join(query.text.casefold().split()), query.filters.model_dump(mode="json")]
    if query.page > 1:  # Not for the first page, so that answers from before there were pages are still found.
        # Where a later page begins depends on the limit.
        asked.append([query.page, query.limit])
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
