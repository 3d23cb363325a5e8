import gzip
import traceback
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, UnreadableAnswer
from deepresearch_mcp.search.wire import MAX_ANSWER, ask, key_text

URL = "https://search.test/api"


async def test_the_body_of_a_good_answer_comes_back_decompressed(service: Any) -> None:
    service.says(gzip.compress(b'{"a": 1}'), headers={"content-encoding": "gzip"})

    assert await ask(service.http, "brave", "GET", URL, params={"q": "ice"}) == b'{"a": 1}'
    assert service.params == {"q": "ice"}


async def test_an_answer_without_end_is_cut_off(service: Any) -> None:
    service.says(gzip.compress(b" " * (MAX_ANSWER + 1)), headers={"content-encoding": "gzip"})

    with pytest.raises(UnreadableAnswer, match="longer than"):
        await ask(service.http, "brave", "GET", URL)


async def test_a_broken_body_is_an_unreadable_answer(service: Any) -> None:
    service.says(b"no gzip", headers={"content-encoding": "gzip"})

    with pytest.raises(UnreadableAnswer):
        await ask(service.http, "brave", "GET", URL)


async def test_a_key_does_not_follow_a_redirect() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        return httpx2.Response(302, headers={"location": "https://thief.test/"})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer), follow_redirects=True) as http:
        with pytest.raises(ProviderError, match="302"):
            await ask(http, "brave", "GET", URL, headers={"X-Subscription-Token": "key"})

    assert asked == [URL]


@pytest.mark.parametrize("explained", [None, ProviderError("serpapi", "spent")])
async def test_a_refusal_shows_no_key_of_the_address_even_in_a_traceback(
    service: Any, explained: ProviderError | None
) -> None:
    service.says(b"no", status=401)

    with pytest.raises(ProviderError) as caught:
        await ask(
            service.http, "serpapi", "GET", URL, params={"api_key": "tops3cret"}, explain=lambda status, body: explained
        )

    assert "tops3cret" not in "".join(traceback.format_exception(caught.value))


async def test_a_refusal_can_be_explained_by_its_body(service: Any) -> None:
    service.says(b"teapot", status=418)

    def explain(status: int, body: bytes) -> ProviderError | None:
        return ProviderError("brave", f"{status} {body.decode()}") if body == b"teapot" else None

    with pytest.raises(ProviderError, match="418 teapot"):
        await ask(service.http, "brave", "GET", URL, explain=explain)
    service.says(b"other", status=418)
    with pytest.raises(ProviderError, match="HTTP 418"):
        await ask(service.http, "brave", "GET", URL, explain=explain)


@pytest.mark.parametrize("url", ["", "ftp://search.test/", "http://[::1/", "search.test", "http://exa mple\x00/"])
async def test_an_address_that_is_none_is_our_error_and_not_retried(url: str) -> None:
    async with httpx2.AsyncClient() as http:
        with pytest.raises(ProviderError) as caught:
            await ask(http, "searxng", "GET", url)

    assert not caught.value.retryable


@pytest.mark.parametrize("key", ["", "  ", "sk-\u20ac-secret", "sk-secret\nX-Other: 1", "sk\x00secret"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(KeyRefused) as caught:
        key_text("brave", SecretStr(key))

    assert "secret" not in str(caught.value)
    assert "BRAVE_API_KEY" in str(caught.value)


def test_white_space_around_a_key_is_no_part_of_it() -> None:
    assert key_text("brave", SecretStr(" abc\n")) == "abc"
