from typing import Any

import anyio
import pytest
from tests.search.scripted_engines import BUSY, HIT, ODD, QUERY, Scripted, forever

from clocks import HandClock
from deepresearch_mcp.exceptions import (
    KeyRefused,
    ProviderError,
    RateLimited,
)
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.retrying import EngineWithRetryAfter
from deepresearch_mcp.search.wrappers import (
    EngineWithKeyLockout,
)


class TestPatient:
    async def test_a_retryable_failure_is_followed_by_three_more_tries(self, clock: Any) -> None:
        inner = Scripted(BUSY, BUSY, BUSY, [HIT])

        assert await EngineWithRetryAfter(inner, clock).search(QUERY) == [HIT]
        assert (inner.asked, clock.slept) == (4, [0.5, 1.0, 2.0])

    async def test_the_wait_asked_for_is_kept_to(self, clock: Any) -> None:
        await EngineWithRetryAfter(Scripted(RateLimited("fake", "busy", retry_after=20), [HIT]), clock).search(QUERY)

        assert clock.slept == [20]

    @pytest.mark.parametrize("error", [ODD, RateLimited("fake", "busy", retry_after=21), KeyRefused("fake", "no")])
    async def test_what_cannot_help_or_takes_too_long_is_not_tried(self, clock: Any, error: ProviderError) -> None:
        inner = Scripted(error)

        with pytest.raises(ProviderError):
            await EngineWithRetryAfter(inner, clock).search(QUERY)
        assert (inner.asked, clock.slept) == (1, [])

    async def test_the_last_failure_stands(self, clock: Any) -> None:
        inner = Scripted(BUSY)

        with pytest.raises(ProviderError, match="503"):
            await EngineWithRetryAfter(inner, clock).search(QUERY)
        assert inner.asked == 4

    async def test_an_engine_that_lets_us_wait_is_asked_only_twice(self, clock: Any) -> None:
        async def silent() -> list[Hit]:
            await clock.sleep(15)
            raise ProviderError("fake", "no answer within 15 s", retryable=True)

        inner = Scripted(silent)

        with pytest.raises(ProviderError, match="no answer"):
            await EngineWithRetryAfter(inner, clock).search(QUERY)
        assert inner.asked == 2

    async def test_with_a_time_limit_no_attempt_begins_that_would_come_too_late(self, clock: Any) -> None:
        inner = Scripted(BUSY)

        with pytest.raises(ProviderError, match="503"):
            await EngineWithRetryAfter(inner, clock, within=1.4).search(QUERY)
        assert (inner.asked, clock.slept) == (2, [0.5])

    async def test_with_a_time_limit_an_attempt_that_hangs_ends_with_the_failure_before_it(self, clock: Any) -> None:
        inner = Scripted(BUSY, forever)

        with pytest.raises(ProviderError, match="503"):
            await EngineWithRetryAfter(inner, clock, waits=(0,), within=0.05).search(QUERY)
        assert inner.asked == 2

    async def test_why_an_attempt_failed_is_known_while_it_is_made_again(self) -> None:
        clock = HandClock(auto=True)
        engine = EngineWithKeyLockout(EngineWithRetryAfter(Scripted(BUSY, forever), clock))
        assert engine.failure(QUERY) == ""

        async with anyio.create_task_group() as group:
            group.start_soon(engine.search, QUERY)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()

        assert (engine.failure(QUERY), engine.failure(Query("ice"))) == ("HTTP 503", "")
