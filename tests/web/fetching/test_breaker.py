from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp import breaker as breakers
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.breaker import FetcherWithCircuitBreaker
from deepresearch_mcp.web.fetching.fetcher import Request, Response

URL = "https://example.org/page"
DEAD = FetchFailed(URL, "unreachable", "Nobody there.")
SETTINGS = WebSettings(breaker_failures=3, breaker_seconds=30)


async def reason(breaker: FetcherWithCircuitBreaker, ask: Request) -> str:
    try:
        return str((await breaker.get(ask)).status)
    except FetchFailed as error:
        return error.reason


@pytest.mark.parametrize("said", [DEAD, FetchFailed(URL, "timed_out", "Too slow."), 500, 503])
async def test_a_host_that_fails_each_time_is_left_alone_for_a_while(clock: HandClock, make: Any, said: Any) -> None:
    inner = make.hop(said)
    breaker = FetcherWithCircuitBreaker(inner, SETTINGS, clock)
    for _ in range(3):
        assert await reason(breaker, make.ask()) != "circuit_open"

    with pytest.raises(FetchRefused):
        await breaker.get(make.ask())
    assert await reason(breaker, make.ask("https://other.example/")) != "circuit_open"
    assert len(inner.asked) == 4


async def test_after_the_pause_one_request_tries_it(clock: HandClock, make: Any) -> None:
    breaker = FetcherWithCircuitBreaker(make.hop(DEAD, DEAD, DEAD, DEAD, 200), SETTINGS, clock)
    heard = [await reason(breaker, make.ask()) for _ in range(4)]
    clock.advance(30)
    heard += [await reason(breaker, make.ask()) for _ in range(2)]
    clock.advance(30)
    heard += [await reason(breaker, make.ask()) for _ in range(2)]

    assert heard == ["unreachable"] * 3 + ["circuit_open", "unreachable", "circuit_open", "200", "200"]


async def test_while_one_tries_the_others_are_refused(clock: HandClock, make: Any) -> None:
    class Slow:
        async def get(self, ask: Request) -> Response:
            if not failing:
                await anyio.sleep_forever()
            raise DEAD

    failing = True
    breaker = FetcherWithCircuitBreaker(Slow(), SETTINGS, clock)
    for _ in range(3):
        await reason(breaker, make.ask())
    clock.advance(30)
    failing = False
    async with anyio.create_task_group() as group:
        group.start_soon(breaker.get, make.ask())
        await anyio.wait_all_tasks_blocked()
        assert await reason(breaker, make.ask()) == "circuit_open"
        group.cancel_scope.cancel()
    failing = True

    assert await reason(breaker, make.ask()) == "unreachable"


@pytest.mark.parametrize(
    "between", [200, 404, 429, FetchFailed(URL, "too_large", "Too much."), FetchRefused(URL, "robots", "No.")]
)
async def test_a_sign_of_life_starts_the_count_anew(clock: HandClock, make: Any, between: Any) -> None:
    breaker = FetcherWithCircuitBreaker(make.hop(DEAD, DEAD, between, DEAD, DEAD, 200), SETTINGS, clock)

    assert [await reason(breaker, make.ask()) for _ in range(6)][-1] == "200"


async def test_the_longest_known_dead_hosts_are_forgotten(clock: HandClock, make: Any) -> None:
    breaker = FetcherWithCircuitBreaker(make.hop(DEAD), WebSettings(breaker_failures=1), clock)
    for number in range(breakers.MOST + 1):
        await reason(breaker, make.ask(f"https://host{number}.example/"))

    assert await reason(breaker, make.ask("https://host0.example/")) == "unreachable"
    assert await reason(breaker, make.ask("https://host5.example/")) == "circuit_open"
