"""Asks an engine again after a failure that may pass."""

import math
from collections.abc import Sequence

import anyio
from typing_extensions import override

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.exceptions import ProviderError, RateLimited
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.metering import EngineWrapper

RETRY_WAITS = (0.5, 1.0, 2.0)
"""Seconds before each further attempt, where the service names no wait."""
LONGEST_TOLD = 20.0
"""Seconds that a service may ask us to wait; what asks for more is not asked again for this query."""


class EngineWithRetryAfter(EngineWrapper):
    """Retries a retryable failure after the wait that the engine asked for, else after 0.5, 1 and 2 s.

    The failure is final if the engine asks for a wait of more than `longest` seconds, or if its attempts together have
    taken longer than that: an engine that gives no answer in time is asked twice, not four times. A final rate limit
    counts as a failure for the breaker. With `within`, all of it takes no more seconds than that, unless the first
    attempt alone does.
    """

    def __init__(
        self,
        engine: SearchEngine,
        clock: Clock,
        *,
        breaker: CircuitBreaker | None = None,
        waits: Sequence[float] = RETRY_WAITS,
        longest: float = LONGEST_TOLD,
        within: float = math.inf,
    ) -> None:
        super().__init__(engine)
        self._within = within
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
        end = self._clock.monotonic() + self._within
        failed: ProviderError | None = None
        while True:
            began = self._clock.monotonic()
            try:
                # The first attempt has a time limit of its own.
                with anyio.fail_after(end - began if failed and end < math.inf else None):
                    return await self._engine.search(query, needs=needs)
            except TimeoutError:
                if failed is None:
                    raise
                raise failed from None
            except ProviderError as error:
                spent += self._clock.monotonic() - began
                usual = next(waits, None)
                wait = (usual or 0.0) if error.retry_after is None else error.retry_after
                if usual is None or not self._can_help(error, spent) or self._clock.monotonic() + wait >= end:
                    if self._breaker and isinstance(error, RateLimited):
                        self._breaker.failed(self.name, error.reason)
                    raise
                failed = error
                self._failures[repr(query)] = error.reason  # told if the run ends before the next attempt does
            await self._clock.sleep(wait)

    def _can_help(self, error: ProviderError, spent: float) -> bool:
        return error.retryable and max(error.retry_after or 0.0, spent) <= self._longest
