"""Every web engine against a loopback service of its documented shape: it finds pages, none, or fails in six ways."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import httpx2
import pytest
from tests.search.loopback_service import LoopbackService, loopback_service
from tests.search.opened_engines import KEY, SPECS, given
from tests.search.recorded_answers import (
    FOUND,
    ICE,
    KEY_REFUSED,
    NOTHING,
    OTHER,
    QUOTA_SPENT,
    SNIPPET,
    TITLE,
    UNDATED,
)

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.engine_specs import WEB_ENGINES
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.registry import open_engines
from deepresearch_mcp.settings.services import address_name

ENGINES = tuple(spec.name for spec in WEB_ENGINES if spec.address)
"""All but DuckDuckGo, which ddgs asks with a client of its own."""
NO_COLLECTIONS: Any = None
"""None of them looks there."""
WITH_KEY = tuple(name for name in ENGINES if SPECS[name].key)


@pytest.fixture
def loopback() -> Iterator[LoopbackService]:
    with loopback_service() as service:
        yield service


async def search(name: str, loopback: LoopbackService, clock: Any, seconds: float = 15.0) -> list[Hit]:
    settings = given(name, timeout=seconds, **{address_name(SPECS[name]): loopback.base})
    async with httpx2.AsyncClient() as http:
        [engine] = open_engines((name,), settings, http, NO_COLLECTIONS, clock)
        return await engine.search(Query("ice"))


async def failure(name: str, loopback: LoopbackService, clock: Any, seconds: float = 15.0) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await search(name, loopback, clock, seconds)
    told = str(caught.value)
    assert SPECS[name].name in told
    assert KEY not in told
    assert "127.0.0.1" not in told
    assert len(loopback.asked) <= 1
    return caught.value


def test_every_engine_has_recorded_answers() -> None:
    assert set(ENGINES) == FOUND.keys() == NOTHING.keys()
    assert set(WITH_KEY) == KEY_REFUSED.keys() == QUOTA_SPENT.keys()


@pytest.mark.parametrize("name", ENGINES)
async def test_what_a_service_finds_becomes_hits_in_its_order(name: str, loopback: LoopbackService, clock: Any) -> None:
    loopback.says(FOUND[name])

    first, second = await search(name, loopback, clock)

    assert (first.url, first.title, second.url) == (ICE, TITLE, OTHER)
    assert first.snippet.startswith(SNIPPET)
    assert (first.published, second.published) == (None if name in UNDATED else date(2026, 2, 12), None)
    assert first.engines == (name,)


@pytest.mark.parametrize("name", ENGINES)
async def test_a_service_that_finds_nothing_is_no_failure(name: str, loopback: LoopbackService, clock: Any) -> None:
    loopback.says(NOTHING[name].body, NOTHING[name].status)

    assert await search(name, loopback, clock) == []
    assert len(loopback.asked) == 1


@pytest.mark.parametrize("name", WITH_KEY)
async def test_a_refused_key_names_the_variable_to_set(name: str, loopback: LoopbackService, clock: Any) -> None:
    loopback.says(KEY_REFUSED[name].body, KEY_REFUSED[name].status)

    error = await failure(name, loopback, clock)

    key = SPECS[name].key
    assert isinstance(error, KeyRefused)
    assert key
    assert f"Set {key.variables[0]} to a key that works." in str(error)


@pytest.mark.parametrize("name", WITH_KEY)
async def test_a_spent_quota_is_told_as_such(name: str, loopback: LoopbackService, clock: Any) -> None:
    loopback.says(QUOTA_SPENT[name].body, QUOTA_SPENT[name].status)

    error = await failure(name, loopback, clock)

    assert isinstance(error, KeyRefused)
    assert "quota" in str(error)


@pytest.mark.parametrize("name", ENGINES)
async def test_too_many_queries_say_how_long_to_wait(name: str, loopback: LoopbackService, clock: Any) -> None:
    loopback.says({"error": "Too many requests"}, 429, {"retry-after": "7"})

    error = await failure(name, loopback, clock)

    assert isinstance(error, RateLimited)
    assert error.retry_after == 7


@pytest.mark.parametrize("name", ENGINES)
async def test_a_fault_of_the_service_can_be_tried_again(name: str, loopback: LoopbackService, clock: Any) -> None:
    loopback.says(b"<html>Bad gateway</html>", 502)

    error = await failure(name, loopback, clock)

    assert error.retryable
    assert not isinstance(error, KeyRefused | RateLimited | UnreadableAnswer)


@pytest.mark.parametrize("body", [b'{"results": [', b"<!doctype html>", {"error": "odd"}, [], b"", {"results": 7}])
@pytest.mark.parametrize("name", ENGINES)
async def test_an_answer_of_another_shape_is_not_nothing_found(
    name: str, loopback: LoopbackService, clock: Any, body: Any
) -> None:
    loopback.says(body)

    assert isinstance(await failure(name, loopback, clock), UnreadableAnswer)


@pytest.mark.parametrize("name", ENGINES)
async def test_a_connection_that_breaks_or_hangs_can_be_tried_again(
    name: str, loopback: LoopbackService, clock: Any
) -> None:
    loopback.says(FOUND[name], fault="break")
    assert (await failure(name, loopback, clock)).retryable

    loopback.asked.clear()
    loopback.says(FOUND[name], fault="hang")
    assert (await failure(name, loopback, clock, seconds=0.2)).retryable
