"""Each register over a real connection on loopback, failing in every way that a service fails."""

import ssl
from typing import Any

import anyio
import httpx2
import pytest
from tests.search.data_sources.answering_service import SECRET, said, service_that

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.data_source_specs import REGISTERS
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.registry import open_engines
from deepresearch_mcp.settings.schema import SearchSettings

NAMES = [spec.name for spec in REGISTERS]
KEYED = [spec.name for spec in REGISTERS if spec.key]
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here is encrypted; to load the authorities anew for each client takes most of a test's time."""


async def failure(name: str, answers: bytes | None, *, with_key: bool = True) -> ProviderError:
    """Put one query to an engine and return what it raises."""
    agent = {"User-Agent": "tests (ann@example.org)"}
    async with (
        service_that(answers) as base,
        httpx2.AsyncClient(trust_env=False, verify=PLAIN, headers=agent) as http,
    ):
        given: dict[str, Any] = {f"{name}_base_url": base, "timeout": 0.3 if answers is None else 10}
        if with_key and name in KEYED:
            given[f"{name}_key"] = SECRET
        nothing: Any = None
        [engine] = open_engines((name,), SearchSettings.model_validate(given), http, nothing, Still())
        caught: ProviderError | None = None
        try:
            await engine.search(Query("ice"))
        except ProviderError as error:
            caught = error
    assert caught is not None
    assert caught.provider == name
    assert SECRET not in f"{caught} {caught.action}"
    assert base not in f"{caught} {caught.action}"
    return caught


class Still:
    """A clock of which only the date is looked at."""

    def now(self) -> Any:
        raise AssertionError

    def today(self) -> Any:
        raise AssertionError

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        raise AssertionError


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_told_by_the_variable_to_set(name: str, status: int) -> None:
    [variable, *_] = next(spec.key.variables for spec in REGISTERS if spec.name == name and spec.key)
    error = await failure(name, said(status, '{"detail": "Invalid token."}'))

    assert isinstance(error, KeyRefused)
    assert variable in error.action
    assert not error.retryable


@pytest.mark.parametrize("name", KEYED)
async def test_a_spent_quota_is_told_as_one(name: str) -> None:
    error = await failure(name, said(402, "{}"))

    assert isinstance(error, KeyRefused)
    assert "used up" in str(error)


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(KEYED)))
async def test_a_refusal_of_a_register_without_keys_is_no_matter_of_keys(name: str) -> None:
    error = await failure(name, said(403, "no"))

    assert not isinstance(error, KeyRefused)
    assert not error.retryable
    assert "HTTP 403" in str(error)


@pytest.mark.parametrize("name", NAMES)
async def test_too_many_queries_are_told_with_the_time_to_wait(name: str) -> None:
    error = await failure(name, said(429, "slow down", "Retry-After: 7"))

    assert isinstance(error, RateLimited)
    assert error.retry_after == 7


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", [500, 503])
async def test_a_fault_of_the_service_may_pass(name: str, status: int) -> None:
    error = await failure(name, said(status, "<html>down</html>"))

    assert error.retryable
    assert f"HTTP {status}" in str(error)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("body", ['{"half": ', "<html>Welcome</html>", '"text"', "[1, 2]", '{"unknown": []}'])
async def test_an_answer_that_cannot_be_read_is_not_nothing_found(name: str, body: str) -> None:
    if name == "gdelt" and body.startswith('{"unknown'):
        pytest.skip("GDELT answers {} where it found nothing")
    assert isinstance(await failure(name, said(200, body)), UnreadableAnswer)


@pytest.mark.parametrize("name", NAMES)
async def test_a_broken_connection_may_be_tried_again(name: str) -> None:
    assert (await failure(name, b"")).retryable
    assert (await failure(name, b"HTTP/1.1 200 Answer\r\nContent-Length: 900\r\n\r\n{")).retryable


@pytest.mark.parametrize("name", NAMES)
async def test_a_service_that_says_nothing_is_given_up_in_time(name: str) -> None:
    with anyio.fail_after(5):
        assert (await failure(name, None)).retryable
