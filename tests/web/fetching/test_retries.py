from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import BrokenConnection, Fetcher
from deepresearch_mcp.web.fetching.retries import RetryingFetcher

URL = "https://example.org/page"


def retrying(inner: Fetcher, clock: HandClock, **settings: Any) -> RetryingFetcher:
    return RetryingFetcher(inner, WebSettings(**{"retries": 2, **settings}), clock)


@pytest.mark.parametrize("said", [429, 502, 503, 504, BrokenConnection(URL)])
async def test_a_passing_failure_is_tried_again(clock: HandClock, make: Any, said: Any) -> None:
    inner = make.hop(said, said, 200)

    assert (await retrying(inner, clock).get(make.ask())).status == 200
    assert clock.slept == [0.5, 1.0]


@pytest.mark.parametrize("status", [200, 304, 404, 403, 500, 501])
async def test_any_other_answer_is_taken(clock: HandClock, make: Any, status: int) -> None:
    inner = make.hop(status, 200)

    assert (await retrying(inner, clock).get(make.ask())).status == status
    assert len(inner.asked) == 1


async def test_a_failure_that_is_not_passing_is_not_tried_again(clock: HandClock, make: Any) -> None:
    inner = make.hop(FetchFailed(URL, "timed_out", "Too slow."))

    with pytest.raises(FetchFailed):
        await retrying(inner, clock).get(make.ask())
    assert len(inner.asked) == 1


async def test_the_last_answer_counts_whatever_it_is(clock: HandClock, make: Any) -> None:
    assert (await retrying(make.hop(503), clock, retries=1).get(make.ask())).status == 503
    assert (await retrying(make.hop(503), clock, retries=0).get(make.ask())).status == 503
    with pytest.raises(BrokenConnection):
        await retrying(make.hop(BrokenConnection(URL)), clock).get(make.ask())


async def test_a_wait_asked_for_is_kept_and_a_long_one_ends_the_tries(clock: HandClock, make: Any) -> None:
    await retrying(make.hop(make.answer(status=429, retry_after="4"), 200), clock).get(make.ask())
    inner = make.hop(make.answer(status=429, retry_after="400"), 200)

    assert (await retrying(inner, clock).get(make.ask())).status == 429
    assert clock.slept == [4.0]
