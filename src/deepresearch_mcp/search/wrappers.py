"""Concerns put around an engine, one wrapper each; `for_run` puts them in their order."""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass

import anyio

from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    DeepResearchError,
    KeyRefused,
    ProviderError,
    UnreadableAnswer,
)
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import At, Journal, Used
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import LeftAlone, was_sent

_ONE = Amount(searches=1)


@dataclass(slots=True)
class Circuit:
    """What is known of an engine's health; one for each engine in a process, shared by its runs."""

    failures: int = 0
    """In a row."""
    opened: float | None = None
    """Monotonic seconds; None while the engine may be asked."""
    trying: bool = False
    """One query is out to see whether it works again."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all runs of a process have in common about one engine."""

    limiter: anyio.CapacityLimiter
    """Queries at once."""
    circuit: Circuit


def for_run(engine: SearchEngine, shared: Shared, *, journal: Journal, ledger: Ledger, clock: Clock) -> SearchEngine:
    """Put all concerns of one run around an engine.

    From outside in: Patient, Limited, Recorded, Breaking, Metered. So every attempt is one recorded and
    metered step of its own, waiting for a turn is no part of a step, a recorded answer is
    replayed without asking circuit or ledger, and an open circuit costs nothing.
    """
    metered = Metered(engine, ledger)
    recorded = Recorded(Breaking(metered, clock, shared.circuit), journal)
    return Patient(Limited(recorded, shared.limiter), clock)


def search_key(query: Query, engine: str) -> str:
    """Name the step of a query's first attempt: `search/<12 hexadecimal digits>/<engine>`.

    The digits hash text, filters and collections; later attempts add `/2`, `/3` …
    """
    whole = json.dumps(_request(query) | {"limit": None}, sort_keys=True)
    return f"search/{hashlib.sha256(whole.encode()).hexdigest()[:12]}/{engine}"


def _request(query: Query) -> dict[str, object]:
    return {
        "text": query.text,
        "filters": query.filters.model_dump(mode="json"),
        "collections": list(query.collections),
        "limit": query.limit,
    }


class _Wrapper:
    """Keeps the name of what is inside."""

    def __init__(self, engine: SearchEngine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """See `SearchEngine.name`."""
        return self._engine.name


class Timely(_Wrapper):
    """Gives up on a query after so many seconds in all, however slowly bytes still trickle in."""

    def __init__(self, engine: SearchEngine, seconds: float) -> None:
        super().__init__(engine)
        self._seconds = seconds

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`."""
        try:
            with anyio.fail_after(self._seconds):
                return await self._engine.search(query, needs=needs)
        except TimeoutError as error:
            raise ProviderError(self.name, f"no answer within {self._seconds:g} s", retryable=True) from error


class Metered(_Wrapper):
    """Reserves one search before asking; it is used once the query may have left, answered or not."""

    def __init__(self, engine: SearchEngine, ledger: Ledger) -> None:
        super().__init__(engine)
        self._ledger = ledger

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`."""
        held = self._ledger.reserve(_ONE)
        used = _ONE  # a cancelled query is in doubt: it counts
        try:
            return await self._engine.search(query, needs=needs)
        except DeepResearchError as error:
            used = _ONE if was_sent(error) else Amount()
            raise
        finally:
            held.settle(used)


class Breaking(_Wrapper):
    """Leaves an engine alone for a while after several failures in a row, then lets one query try.

    Failures are those that say something of the engine: retryable ones, a refused key, an unreadable
    answer. A query that it merely refuses neither adds to them nor ends them.
    """

    def __init__(
        self, engine: SearchEngine, clock: Clock, circuit: Circuit, *, failures: int = 3, seconds: float = 60
    ) -> None:
        super().__init__(engine)
        self._clock = clock
        self._circuit = circuit
        self._failures = failures
        self._seconds = seconds

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`; an open circuit is a ProviderError that is not retryable."""
        circuit = self._circuit
        trial = self._enter()
        try:
            hits = await self._engine.search(query, needs=needs)
        except ProviderError as error:
            if error.retryable or isinstance(error, KeyRefused | UnreadableAnswer):
                circuit.failures += 1
                if circuit.failures >= self._failures:
                    circuit.opened = self._clock.monotonic()
            raise
        finally:
            if trial:
                circuit.trying = False
        circuit.failures, circuit.opened = 0, None
        return hits

    def _enter(self) -> bool:
        """Tell whether this query is the one that tries."""
        circuit = self._circuit
        if circuit.opened is None:
            return False
        left = circuit.opened + self._seconds - self._clock.monotonic()
        if left > 0 or circuit.trying:
            raise ProviderError(
                self.name,
                f"left alone after {circuit.failures} failures in a row.",
                retry_after=max(left, 0.0),
                action="It is tried again within a minute or so; other engines are asked meanwhile.",
            ) from LeftAlone()
        circuit.trying = True
        return True


class Recorded(_Wrapper):
    """Makes each attempt a step of the run's journal.

    A query asked again after it failed is another attempt with a key of its own; asked again after it was
    answered, the journal refuses it.
    """

    def __init__(self, engine: SearchEngine, journal: Journal) -> None:
        super().__init__(engine)
        self._journal = journal
        self._failed: Counter[str] = Counter()

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`.

        Raises:
            DuplicateStep: The same query was answered, or is being asked, in this run.
        """
        first = search_key(query, self.name)
        while self._journal.left(self._attempt(first)) == "error":
            # It failed in an earlier life of the run, where the next try may have been answered.
            self._failed[first] += 1
        failed = self._failed[first]
        at = At(self._attempt(first), (*needs, first) if failed else needs)
        one = Used(by=self.name, searches=1)

        async def hold() -> Used:
            return one

        try:
            return await self._journal.step(
                at,
                lambda: self._engine.search(query, needs=needs),
                kind="search",
                result=list[Hit],
                request=_request(query),
                used=lambda _: one,
                hold=hold,
                lost=lambda error: one if _counts(error) else Used(by=self.name),
            )
        except (ProviderError, BudgetExceeded):
            self._failed[first] += 1
            raise

    def _attempt(self, first: str) -> str:
        failed = self._failed[first]
        return f"{first}/{failed + 1}" if failed else first


def _counts(error: Exception) -> bool:
    return not isinstance(error, DeepResearchError) or was_sent(error)


class Limited(_Wrapper):
    """Waits for a turn: so many queries at once to one engine, over all runs."""

    def __init__(self, engine: SearchEngine, limiter: anyio.CapacityLimiter) -> None:
        super().__init__(engine)
        self._limiter = limiter

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`."""
        async with self._limiter:
            return await self._engine.search(query, needs=needs)


class Patient(_Wrapper):
    """Asks again after a retryable failure, once the wait that the engine asked for is over.

    It asks for a wait of over `longest` seconds: the failure stands.
    """

    def __init__(
        self, engine: SearchEngine, clock: Clock, *, retries: int = 1, wait: float = 1.0, longest: float = 10.0
    ) -> None:
        super().__init__(engine)
        self._clock = clock
        self._retries = retries
        self._wait = wait
        self._longest = longest

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`."""
        for _ in range(self._retries):
            try:
                return await self._engine.search(query, needs=needs)
            except ProviderError as error:
                wait = self._wait if error.retry_after is None else error.retry_after
                if not error.retryable or wait > self._longest:
                    raise
            await self._clock.sleep(wait)
        return await self._engine.search(query, needs=needs)
