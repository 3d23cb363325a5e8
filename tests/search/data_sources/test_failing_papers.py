"""Each source of papers and answers over a real connection on loopback, failing in every way that a service fails."""

from typing import Any

import httpx2
import pytest
from tests.search.data_sources.answering_service import SECRET, said, service_that

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.data_source_specs import PAPERS
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.wikipedia import Wikipedia
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.registry import open_engines
from deepresearch_mcp.search.wire import MAX_ANSWER
from deepresearch_mcp.settings.schema import SearchSettings

SPECS = {spec.name: spec for spec in PAPERS}
KEYED = [name for name, spec in SPECS.items() if spec.key]
KEY_REFUSED = {
    "semantic_scholar": (403, b'{"message":"Forbidden"}'),
    "openalex": (401, b'{"error":"Invalid API key"}'),
    "pubmed": (400, b'{"error":"API key invalid","api-key":"s3cret-of-a-user","type":"api"}'),
    "stack_exchange": (400, b'{"error_id":400,"error_message":"key","error_name":"bad_parameter"}'),
}
"""What each service with a key answers to a wrong one."""
QUOTA_SPENT = {
    "semantic_scholar": (429, b'{"message":"Too Many Requests","code":"429"}'),
    "openalex": (429, b'{"error":"Rate limit exceeded","message":"Insufficient budget. Resets at midnight UTC."}'),
    "pubmed": (429, b'{"error":"API rate limit exceeded","api-key":"s3cret-of-a-user","count":"11","limit":"10"}'),
    "stack_exchange": (
        400,
        b'{"error_id":502,"error_message":"too many requests from this IP, more requests available in 79 seconds",'
        b'"error_name":"throttle_violation"}',
    ),
}
"""What each of them answers when its quota is spent: none of them tells a spent quota from a rate."""


def opened(name: str, base: str, http: httpx2.AsyncClient, clock: Any, seconds: float = 10.0) -> SearchEngine:
    nothing: Any = None
    if name == "wikipedia":
        # Its address depends on the language, so it has no setting.
        elsewhere = type("Wikipedia", (Wikipedia,), {"home": base})
        return elsewhere(EngineParts(SPECS[name], SearchSettings(), http, nothing, clock))
    given: dict[str, Any] = {f"{name}_base_url": base, "timeout": seconds}
    if name in KEYED:
        given[f"{name}_key"] = SECRET
    [engine] = open_engines((name,), SearchSettings.model_validate(given), http, nothing, clock)
    return engine


async def failure(name: str, answers: bytes | None, clock: Any, seconds: float = 10.0) -> ProviderError:
    """Put a query to a source and return what it raises."""
    async with service_that(answers) as base, httpx2.AsyncClient(trust_env=False, timeout=seconds) as http:
        caught = await raised(opened(name, base, http, clock, seconds))
    told = str(caught)
    assert told.startswith(name)
    assert SECRET not in told
    assert "127.0.0.1" not in told
    return caught


async def raised(engine: SearchEngine) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await engine.search(Query("Marie Curie"))
    return caught.value


def test_every_source_with_a_key_has_its_recorded_refusals() -> None:
    assert set(KEYED) == KEY_REFUSED.keys() == QUOTA_SPENT.keys()


@pytest.mark.parametrize("name", KEYED)
async def test_a_refused_key_is_told_with_the_variable_to_set(name: str, clock: Any) -> None:
    error = await failure(name, said(*KEY_REFUSED[name]), clock)

    key = SPECS[name].key
    assert isinstance(error, KeyRefused)
    assert key
    assert key.variables[0] in str(error)
    assert not error.retryable


@pytest.mark.parametrize("name", KEYED)
async def test_a_spent_quota_is_a_pause(name: str, clock: Any) -> None:
    error = await failure(name, said(*QUOTA_SPENT[name]), clock)

    assert isinstance(error, RateLimited)
    assert error.retry_after == (79 if name == "stack_exchange" else None)


@pytest.mark.parametrize("name", SPECS)
async def test_a_pause_is_as_long_as_the_service_says(name: str, clock: Any) -> None:
    error = await failure(name, said(429, b"", "Retry-After: 7"), clock)

    assert isinstance(error, RateLimited)
    assert (error.retryable, error.retry_after) == (True, 7)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("status", [500, 503])
async def test_a_broken_service_may_be_asked_again(name: str, status: int, clock: Any) -> None:
    error = await failure(name, said(status, b"<html>Down</html>", "Retry-After: 3"), clock)

    assert (error.retryable, error.retry_after) == (True, 3)
    assert f"HTTP {status}" in str(error)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize(
    "body",
    [b"", b"<html>Sorry</html>", b"{", b"[]", b'{"results": 3, "data": 3, "hits": {}, "items": null}', b"\xff\xfe\x00",
     b'<feed xmlns="http://www.w3.org/2005/Atom"><entry>'],
)  # fmt: skip
async def test_an_answer_of_another_shape_is_not_taken_for_nothing_found(name: str, body: bytes, clock: Any) -> None:
    assert isinstance(await failure(name, said(200, body), clock), UnreadableAnswer)


@pytest.mark.parametrize("name", SPECS)
async def test_an_answer_without_end_is_refused(name: str, clock: Any) -> None:
    error = await failure(name, said(200, b" " * (MAX_ANSWER + 1)), clock)

    assert isinstance(error, UnreadableAnswer)
    assert "longer" in str(error)


@pytest.mark.parametrize("name", SPECS)
async def test_a_connection_that_breaks_or_stays_silent_may_be_tried_again(name: str, clock: Any) -> None:
    broken = await failure(name, b"", clock)
    silent = await failure(name, None, clock, seconds=0.2)

    assert (broken.retryable, silent.retryable) == (True, True)
    assert "no answer" in str(silent)


@pytest.mark.parametrize("name", SPECS)
async def test_a_service_that_is_not_there_is_told_as_such(name: str, clock: Any) -> None:
    async with service_that(None) as base:
        pass
    async with httpx2.AsyncClient(trust_env=False) as http:
        error = await raised(opened(name, base, http, clock))

    assert error.retryable
