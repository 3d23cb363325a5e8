"""Wrappers around an engine, one for each concern; `engine_for_run` sets their order."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio
from typing_extensions import override

from deepresearch_mcp.breaker import CircuitBreaker, CircuitOpen
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    KeyRefused,
    ProviderError,
    RateLimited,
    UnreadableAnswer,
)
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step, Used, part_of
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.metering import EngineWrapper, LimitedEngine, MeteredEngine, billed
from deepresearch_mcp.search.rates import Pace, PacedEngine


@dataclass(frozen=True, slots=True)
class SharedLimits:
    """The limits of one engine that all runs of a process share."""

    limiter: anyio.CapacityLimiter
    """Limits concurrent queries."""
    breaker: CircuitBreaker
    pace: Pace | None = None
    """Spaces out the queries; None: the service has no known limit."""


RETRY_WAITS = (0.5, 1.0, 2.0)
"""Seconds before each further attempt, where the service names no wait."""
LONGEST_TOLD = 20.0
"""Seconds that a service may ask us to wait; what asks for more is not asked again for this query."""

SearchKeyOf = Callable[[Query, str], str]
"""Returns the key of the step of an engine's first attempt at a query; later attempts append `/2` and so on."""

Recent = Callable[[Query, str], Awaitable[list[Hit] | None]]
"""Returns what an engine answered a moment ago to an equal query; None if it must be asked."""


def engine_for_run(
    engine: SearchEngine,
    shared: SharedLimits,
    *,
    journal: Journal,
    key_of: SearchKeyOf,
    ledger: Ledger,
    clock: Clock,
    price: float = 0.0,
    recent: Recent | None = None,
) -> SearchEngine:
    """Wrap an engine for one run. One query costs `price` USD.

    From outside in: lockout, retry, record, pace, limit, meter, circuit breaker. Every attempt is a recorded and
    metered step of its own. Before a step is recorded as begun, it waits until the engine's rate allows it, then
    reserves its money, then its place. A query that waits for its rate therefore holds no money, one that waits for
    money holds no place, and a killed run counts no query that was not sent. A recorded answer is replayed without any
    of them, and so is an answer that `recent` finds; an engine behind an open circuit costs nothing.
    """
    metered = MeteredEngine(EngineWithCircuitBreaker(engine, shared.breaker), ledger, price)
    limited = LimitedEngine(metered, shared.limiter)
    paced = PacedEngine(limited, shared.pace) if shared.pace else limited
    recorded = RecordedEngine(paced, journal, key_of, price, recent=recent)
    return EngineWithKeyLockout(EngineWithRetryAfter(recorded, clock, breaker=shared.breaker))


class EngineWithTimeout(EngineWrapper):
    """Fails a query after `seconds` in total, even if bytes still arrive."""

    def __init__(self, engine: SearchEngine, seconds: float) -> None:
        super().__init__(engine)
        self._seconds = seconds

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        try:
            with anyio.fail_after(self._seconds):
                return await self._engine.search(query, needs=needs)
        except TimeoutError as error:
            raise ProviderError(self.name, f"no answer within {self._seconds:g} s", retryable=True) from error


class EngineWithCircuitBreaker(EngineWrapper):
    """Stops asking an engine for a while after several failures in a row, then lets one query try.

    Failures are broken connections, time-outs, server errors (5xx) and unreadable answers. A refused key, a refused
    query and a rate limit say nothing about the service's health and neither count nor reset the count.
    `EngineWithRetryAfter` counts a rate limit that persists.
    """

    def __init__(self, engine: SearchEngine, breaker: CircuitBreaker) -> None:
        super().__init__(engine)
        self._breaker = breaker

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Raises a `ProviderError` that is not retryable while the circuit is open."""
        try:
            with self._breaker.guard(self.name):
                return await self._asked(query, needs)
        except CircuitOpen as error:
            raise ProviderError(
                self.name,
                f"left alone after {error.failures} failures in a row{f' ({error.why})' if error.why else ''}",
                retry_after=error.left,
                action="It is tried again within half a minute; other engines are asked meanwhile.",
            ) from error

    async def _asked(self, query: Query, needs: tuple[str, ...]) -> list[Hit]:
        try:
            hits = await self._engine.search(query, needs=needs)
        except RateLimited:
            raise
        except ProviderError as error:
            if error.retryable or isinstance(error, UnreadableAnswer):
                self._breaker.failed(self.name, error.reason)
            raise
        self._breaker.worked(self.name)
        return hits


class EngineWithKeyLockout(EngineWrapper):
    """Stops asking an engine in this run once it has refused its key, and repeats that error."""

    def __init__(self, engine: SearchEngine) -> None:
        super().__init__(engine)
        self._refused: KeyRefused | None = None

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        if self._refused:
            raise self._refused
        try:
            return await self._engine.search(query, needs=needs)
        except KeyRefused as error:
            self._refused = error
            raise


class RecordedEngine(EngineWrapper):
    """Records each attempt as a step of the run's journal.

    A query that failed may be asked again; each attempt has its own key. The journal refuses a query that was
    already answered.
    """

    def __init__(
        self,
        engine: SearchEngine,
        journal: Journal,
        key_of: SearchKeyOf,
        price: float = 0.0,
        *,
        recent: Recent | None = None,
    ) -> None:
        super().__init__(engine)
        self._recent = recent
        self._journal = journal
        self._key_of = key_of
        self._price = price
        self._reserving = engine if isinstance(engine, PacedEngine | LimitedEngine | MeteredEngine) else None
        self._failed: Counter[str] = Counter()

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Make the next attempt as a step of its own.

        Raises:
            DuplicateStep: The query was already answered in this run, or is in flight.
        """
        first = self._key_of(query, self.name)
        while self._was_followed(first):
            self._failed[first] += 1
        failed = self._failed[first]
        step = Step(self._attempt(first), (*needs, first) if failed else needs)
        one = Used(by=self.name, usd=self._price, searches=1)

        holding = False
        known: list[Hit] | None = None

        async def hold() -> Used:
            nonlocal holding, known
            known = await self._recent(query, self.name) if self._recent else None
            if known is not None:
                return Used(by=self.name)
            if self._reserving:
                holding = True
                await self._reserving.hold(query)
            return one

        async def ask() -> list[Hit]:
            return await self._engine.search(query, needs=needs) if known is None else known

        def lost(error: Exception) -> Used:
            searches, usd = billed(error, self._price)
            return Used(by=self.name, usd=usd, searches=searches)

        try:
            return await self._journal.step(
                step,
                ask,
                kind="search",
                result=list[Hit],
                request=query.subject(),
                used=lambda _: one if known is None else Used(by=self.name),
                hold=hold,
                lost=lost,
            )
        except (ProviderError, BudgetExceeded):
            self._failed[first] += 1
            raise
        finally:
            # A step that is refused as a duplicate reserved nothing: the reservation belongs to the first step.
            if self._reserving and holding:
                self._reserving.release(query)

    def _was_followed(self, first: str) -> bool:
        """Return whether the attempt failed before the run was resumed, so that a later one may have been answered.

        An attempt that a ceiling refused has left no step; a step of the next attempt shows that it was made.
        """
        left = self._journal.left(self._attempt(first))
        return left == "error" or (left is None and self._journal.left(self._attempt(first, 1)) is not None)

    def _attempt(self, first: str, later: int = 0) -> str:
        number = self._failed[first] + later
        return part_of(first, str(number + 1)) if number else first


class EngineWithRetryAfter(EngineWrapper):
    """Retries a retryable failure after the wait that the engine asked for, else after 0.5, 1 and 2 s.

    The failure is final if the engine asks for a wait of more than `longest` seconds, or if its attempts together have
    taken longer than that: an engine that gives no answer in time is asked twice, not four times. A final rate limit
    counts as a failure for the breaker.
    """

    def __init__(
        self,
        engine: SearchEngine,
        clock: Clock,
        *,
        breaker: CircuitBreaker | None = None,
        waits: Sequence[float] = RETRY_WAITS,
        longest: float = LONGEST_TOLD,
    ) -> None:
        super().__init__(engine)
        self._breaker = breaker
        self._clock = clock
        self._waits, self._longest = tuple(waits), longest
        self._failures: dict[str, str] = {}

    @override
    def failure(self, query: Query) -> str:
        return self._failures.get(repr(query), "")

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        waits = iter(self._waits)
        spent = 0.0
        while True:
            began = self._clock.monotonic()
            try:
                return await self._engine.search(query, needs=needs)
            except ProviderError as error:
                spent += self._clock.monotonic() - began
                usual = next(waits, None)
                if usual is None or not self._can_help(error, spent):
                    if self._breaker and isinstance(error, RateLimited):
                        self._breaker.failed(self.name, error.reason)
                    raise
                wait = usual if error.retry_after is None else error.retry_after
                self._failures[repr(query)] = error.reason  # told if the run ends before the next attempt does
            await self._clock.sleep(wait)

    def _can_help(self, error: ProviderError, spent: float) -> bool:
        return error.retryable and max(error.retry_after or 0.0, spent) <= self._longest


class AttendedEngine(EngineWrapper):
    """An engine that tells the broker while a search is running, waits and retries included."""

    def __init__(self, engine: SearchEngine, broker: Broker) -> None:
        super().__init__(engine)
        self._broker = broker

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        with self._broker.elsewhere():
            return await self._engine.search(query, needs=needs)
