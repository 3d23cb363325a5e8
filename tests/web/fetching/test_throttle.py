from typing import Any

import anyio
import anyio.lowlevel
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching import throttle as throttles
from deepresearch_mcp.web.fetching.throttle import Throttle, ThrottledFetcher

URL = "https://example.org/"


def make_throttle(clock: HandClock, **settings: Any) -> Throttle:
    return Throttle(WebSettings(**settings), clock)


async def times(throttle: Throttle, clock: HandClock, count: int, host: str = "example.org") -> list[float]:
    """When each of `count` requests, one after another, had its turn."""
    began = []
    for _ in range(count):
        async with throttle.turn(host, URL):
            began.append(round(clock.monotonic() - 1000, 3))
    return began


async def test_after_a_burst_a_host_is_asked_at_its_rate(clock: HandClock) -> None:
    throttle = make_throttle(clock, host_rate=2, host_burst=3)

    assert await times(throttle, clock, 6) == [0, 0, 0, 0.5, 1.0, 1.5]
    assert await times(throttle, clock, 1, "other.example") == [1.5]


async def test_the_burst_is_there_again_after_a_pause(clock: HandClock) -> None:
    throttle = make_throttle(clock, host_rate=2, host_burst=3)
    await times(throttle, clock, 3)
    clock.advance(60)

    assert await times(throttle, clock, 4) == [60, 60, 60, 60.5]


async def test_a_crawl_delay_sets_the_pace_up_to_its_cap(clock: HandClock) -> None:
    throttle = make_throttle(clock)
    throttle.pace("example.org", 3)
    throttle.pace("slow.example", 7200)
    throttle.pace("example.org", 0.01)

    assert await times(throttle, clock, 3) == [0, 3, 6]
    assert await times(throttle, clock, 2, "slow.example") == [6, 16]


async def test_a_host_that_asks_for_time_gets_it(clock: HandClock) -> None:
    throttle = make_throttle(clock, retry_wait=10)
    throttle.slow_down("example.org", 8)

    assert await times(throttle, clock, 2) == [8, 8]


async def test_a_host_that_asks_for_too_much_time_is_not_waited_for(clock: HandClock) -> None:
    throttle = make_throttle(clock, retry_wait=10)
    throttle.slow_down("example.org", 100_000)

    with pytest.raises(FetchFailed) as caught:
        await times(throttle, clock, 1)
    clock.advance(throttles.LONGEST_CLOSURE)

    assert caught.value.reason == "rate_limited"
    assert len(await times(throttle, clock, 1)) == 1


async def test_a_request_that_waits_hears_of_a_longer_wait() -> None:
    clock = HandClock()
    throttle = make_throttle(clock, host_rate=1, host_burst=1)
    async with throttle.turn("example.org", URL):
        pass
    async with anyio.create_task_group() as group:
        group.start_soon(times, throttle, clock, 1)
        await anyio.wait_all_tasks_blocked()
        throttle.slow_down("example.org", 5)
        clock.advance(1)
        await anyio.wait_all_tasks_blocked()
        assert clock.sleepers == 1
        clock.advance(4)

    assert clock.slept == [1, 4]


@pytest.mark.parametrize(
    ("settings", "hosts"), [({"host_concurrency": 2}, ["a"]), ({"concurrency": 2}, ["a", "b", "c", "d"])]
)
async def test_places_are_limited_for_each_host_and_for_all(
    clock: HandClock, settings: dict[str, int], hosts: list[str]
) -> None:
    throttle = make_throttle(clock, host_burst=100, **settings)
    inside = most = 0

    async def visit(host: str) -> None:
        nonlocal inside, most
        async with throttle.turn(host, URL):
            inside += 1
            most = max(most, inside)
            for _ in range(5):
                await anyio.lowlevel.checkpoint()
            inside -= 1

    async with anyio.create_task_group() as group:
        for number in range(12):
            group.start_soon(visit, hosts[number % len(hosts)])

    assert most == 2


async def test_hosts_no_one_waits_for_are_forgotten_in_the_end(clock: HandClock) -> None:
    throttle = make_throttle(clock)
    async with throttle.turn("kept.example", URL):
        for number in range(throttles.MOST_HOSTS + 5):
            throttle.pace(f"host{number}.example", 1)
        throttle.slow_down("kept.example", 3)

    assert await times(throttle, clock, 1, "kept.example") == [3]


@pytest.mark.parametrize(("status", "waited"), [(429, [7]), (503, [7]), (404, []), (200, [])])
async def test_a_hop_hears_when_its_host_asks_for_time(
    clock: HandClock, make: Any, status: int, waited: list[float]
) -> None:
    hop = ThrottledFetcher(make.hop(make.answer(status=status, retry_after="7"), make.answer()), make_throttle(clock))

    await hop.get(make.ask())
    await hop.get(make.ask())

    assert clock.slept == waited


async def test_a_busy_host_that_names_no_time_is_not_closed(clock: HandClock, make: Any) -> None:
    hop = ThrottledFetcher(make.hop(429, 200), make_throttle(clock))

    await hop.get(make.ask())
    await hop.get(make.ask())

    assert clock.slept == []
