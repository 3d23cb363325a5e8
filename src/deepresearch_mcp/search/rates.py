"""Keeps the queries to each engine within what its service allows one client."""

import math
from collections import deque
from contextlib import suppress

from typing_extensions import override

from deepresearch_mcp.exceptions import DeepResearchError, ProviderError, RateLimited
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.records.spec_types import EngineSpec, RateSpec
from deepresearch_mcp.search.errors import was_sent
from deepresearch_mcp.search.metering import EngineWrapper, LimitedEngine, MeteredEngine
from deepresearch_mcp.settings.schema import SearchSettings

LONGEST_WAIT = 60.0
"""Seconds that a query waits for its turn at most. Other engines are asked sooner than that."""
LONGEST_PAUSE = 60.0
"""Seconds for which a service can silence all queries by one answer of "too many queries"."""
_MINUTE, _DAY = 60.0, 86_400.0


def rate_of(spec: EngineSpec, settings: SearchSettings) -> RateSpec:
    """Return what an engine may be asked: the user's own rate, or that of the service with or without its key."""
    if spec.name in settings.rates:
        rate = RateSpec(per_minute=settings.rates[spec.name])
    else:
        keyless = spec.key is not None and settings.key(spec.name) is None
        rate = (spec.keyless_rate if keyless else None) or spec.rate or RateSpec()
    return rate._replace(per_day=settings.day_rates.get(spec.name, rate.per_day))


class Pace:
    """When one engine was asked, by all runs of this process, and when it may be asked again.

    Any second, minute and day, wherever it begins, holds no more queries than the rate allows. Queries of other
    processes, and of this one before it started, are not counted; the service's own refusal tells of those.
    """

    def __init__(self, engine: str, rate: RateSpec, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._day = rate.per_day
        self._spans = _spans(rate)
        self._sent: deque[float] = deque(maxlen=max([rate.per_day, *(most for _, most in self._spans)], default=0))
        """The times of the last queries, in seconds of the monotonic clock, oldest first."""
        self._paused = -math.inf
        self._waiting = 0

    async def wait(self) -> None:
        """Wait until a query could be sent. It must still `take` its turn, which another may have taken meanwhile.

        Raises:
            ProviderError: The day's queries are used up, or the wait would be longer than `LONGEST_WAIT`.
        """
        while (left := self._left()) > 0:
            if left + self._queue() > LONGEST_WAIT:
                raise ProviderError(
                    self._engine,
                    f"its rate leaves no room for this query within {LONGEST_WAIT:g} s.",
                    retry_after=left,
                    action="Other engines are asked meanwhile; search.rates changes how often it is asked.",
                )
            self._waiting += 1
            try:
                await self._clock.sleep(left)
            finally:
                self._waiting -= 1

    def take(self) -> float | None:
        """Count a query as sent now; return its turn, or None if it may not be sent yet."""
        if self._left() > 0:
            return None
        self._sent.append(now := self._clock.monotonic())
        return now

    def give_back(self, turn: float) -> None:
        """Take back a turn whose query was not sent."""
        with suppress(ValueError):
            self._sent.remove(turn)

    def pause(self, seconds: float) -> None:
        """Send nothing for some seconds, as the service has asked, but never longer than `LONGEST_PAUSE`."""
        self._paused = max(self._paused, self._clock.monotonic() + min(seconds, LONGEST_PAUSE))

    def _left(self) -> float:
        """Seconds until the next query; at most 0 if it may be sent now.

        Raises:
            ProviderError: The day's queries are used up.
        """
        now = self._clock.monotonic()
        if self._day and (day := self._until(_DAY, self._day, now)) > 0:
            raise ProviderError(
                self._engine,
                f"the {self._day:,} queries that it allows in a day are used up.",
                retry_after=day,
                action=f"It can be asked again in {_hours(day)}; with a plan that allows more, set search.day_rates.",
            )
        return max([self._paused - now, *(self._until(seconds, most, now) for seconds, most in self._spans)])

    def _until(self, seconds: float, most: int, now: float) -> float:
        return self._sent[-most] + seconds - now if len(self._sent) >= most else 0.0

    def _queue(self) -> float:
        """Seconds that the queries ahead will take, roughly."""
        return max((self._waiting // most * seconds for seconds, most in self._spans), default=0.0)


def _spans(rate: RateSpec) -> list[tuple[float, int]]:
    """Return seconds, and the most queries within them."""
    spans: list[tuple[float, int]] = []
    if rate.per_second > 0:
        most = max(1, math.floor(rate.per_second))
        # Of 1.5 in a second one, not a second one two thirds of a second later.
        spans.append((max(1.0, most / rate.per_second), most))
    if rate.per_minute:
        spans.append((_MINUTE, rate.per_minute))
    return spans


def _hours(seconds: float) -> str:
    hours = math.ceil(seconds / 3600)
    return "an hour" if hours == 1 else f"{hours} hours"


class PacedEngine(EngineWrapper):
    """An engine that is asked no faster than its service allows, over all runs of the process.

    A query waits for its turn first, and holds neither money nor a place among the concurrent queries meanwhile. If
    another query takes its turn while it waits for those, it gives them back and waits again.
    """

    def __init__(self, engine: SearchEngine, pace: Pace) -> None:
        super().__init__(engine)
        self._pace = pace
        self._reserving = engine if isinstance(engine, LimitedEngine | MeteredEngine) else None
        self._turns: dict[str, float] = {}

    async def hold(self, query: Query) -> None:
        """Wait for the query's turn and reserve what it needs; `search` or `release` must follow.

        Raises:
            ProviderError: Its turn comes too late, or not today.
            BudgetExceeded: The query could cross a ceiling.
        """
        while True:
            await self._pace.wait()
            if self._reserving:
                await self._reserving.hold(query)
            try:
                turn = self._pace.take()
            except ProviderError:
                self.release(query)
                raise
            if turn is not None:
                self._turns[repr(query)] = turn
                return
            self.release(query)

    def release(self, query: Query) -> None:
        """Give back the turn and whatever else a query that was not sent still holds."""
        if (turn := self._turns.pop(repr(query), None)) is not None:
            self._pace.give_back(turn)
        if self._reserving:
            self._reserving.release(query)

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        if repr(query) not in self._turns:
            await self.hold(query)
        turn = self._turns.pop(repr(query))
        try:
            return await self._engine.search(query, needs=needs)
        except DeepResearchError as error:
            if not was_sent(error):
                self._pace.give_back(turn)
            if isinstance(error, RateLimited) and error.retry_after:
                self._pace.pause(error.retry_after)
            raise
