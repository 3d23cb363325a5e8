"""Reserves what a query needs before it is sent: money and one search of the budget, then its turn."""

import anyio
from typing_extensions import override

from deepresearch_mcp.budget import Amount, Ledger, Reservation
from deepresearch_mcp.exceptions import DeepResearchError, KeyRefused
from deepresearch_mcp.ports.search import AsksAgain, SearchEngine
from deepresearch_mcp.quotas import QueryShare
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import was_sent


class EngineWrapper(SearchEngine):
    """Base of the wrappers; has the name of the wrapped engine."""

    def __init__(self, engine: SearchEngine) -> None:
        self._engine = engine

    @property
    @override
    def name(self) -> str:
        return self._engine.name

    def failure(self, query: Query) -> str:
        """See `AsksAgain`."""
        return self._engine.failure(query) if isinstance(self._engine, AsksAgain) else ""


class MeteredEngine(EngineWrapper):
    """Reserves one search and its price before a query. Both are used once the query may have been sent."""

    def __init__(self, engine: SearchEngine, ledger: Ledger, price: float = 0.0) -> None:
        super().__init__(engine)
        self._ledger = ledger
        self._price = price
        self._held: dict[str, Reservation] = {}

    async def hold(self, query: Query) -> None:
        """Reserve before a query is recorded as begun; `search` or `release` must follow.

        Raises:
            BudgetExceeded: The query could cross a ceiling.
        """
        self._held[repr(query)] = await self._reserved()

    def release(self, query: Query) -> None:
        """Release what is reserved for a query that was not sent."""
        if held := self._held.pop(repr(query), None):
            held.release()

    async def _reserved(self) -> Reservation:
        one = _amount(1, self._price)
        return await self._ledger.hold(one) if self._price else self._ledger.reserve(one)

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        held = self._held.pop(repr(query), None) or await self._reserved()
        used = _amount(1, self._price)  # a cancelled query counts: it may have been sent
        try:
            return await self._engine.search(query, needs=needs)
        except DeepResearchError as error:
            used = _amount(*billed(error, self._price))
            raise
        finally:
            held.settle(used)


class DayMeteredEngine(EngineWrapper):
    """Reserves a query's price in the day's ceilings, for a query that belongs to no run.

    The store keeps the price before the query is sent, so that a process which is killed or ends refunds nothing.
    """

    def __init__(self, engine: SearchEngine, share: QueryShare, price: float) -> None:
        super().__init__(engine)
        self._share = share
        self._price = price

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Raises `DayCeilingMet` if the query could cross one of the day's ceilings."""
        await self._share.refresh()
        self._share.hold(self._price, 0, finishing=False)
        used = 0.0
        try:
            key = await self._share.begin(self._price) if self._price else ""
            used = self._price  # a cancelled query counts: it may have been sent
            try:
                return await self._engine.search(query, needs=needs)
            except DeepResearchError as error:
                _, used = billed(error, self._price)
                if used != self._price:
                    await self._share.correct(key, used)
                raise
        finally:
            self._share.settle((self._price, 0), (used, 0))


def _amount(searches: int, usd: float) -> Amount:
    return Amount(usd=usd, searches=searches, search_usd=usd)


def billed(error: Exception, price: float) -> tuple[int, float]:
    """Return the searches and USD of a failed query: the full price unless it certainly cost less."""
    if not isinstance(error, DeepResearchError):
        return 1, price
    if not was_sent(error):
        return 0, 0.0
    # A service that refuses the key has no account to bill.
    return 1, 0.0 if isinstance(error, KeyRefused) else price


class LimitedEngine(EngineWrapper):
    """Limits concurrent queries to one engine, over all runs."""

    def __init__(self, engine: SearchEngine, limiter: anyio.CapacityLimiter) -> None:
        super().__init__(engine)
        self._limiter = limiter
        self._metered = engine if isinstance(engine, MeteredEngine) else None
        self._turns: dict[str, object] = {}

    async def hold(self, query: Query) -> None:
        """Wait for the query's money, then for its turn; `search` or `release` must follow."""
        if self._metered:
            await self._metered.hold(query)
        turn = object()
        await self._limiter.acquire_on_behalf_of(turn)
        self._turns[repr(query)] = turn

    def release(self, query: Query) -> None:
        """Release the turn and the money that a query still holds."""
        if turn := self._turns.pop(repr(query), None):
            self._limiter.release_on_behalf_of(turn)
        if self._metered:
            self._metered.release(query)

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        if repr(query) not in self._turns:
            await self.hold(query)
        try:
            return await self._engine.search(query, needs=needs)
        finally:
            self.release(query)
