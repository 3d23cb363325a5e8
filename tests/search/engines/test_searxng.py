from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.engines.searxng import SearXNG

FOUND = {
    "query": "ice",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://physics.test/ice",
            "title": "Why ice floats",
            "content": "Density a < b.",
            "publishedDate": "2026-02-12T00:00:00",
            "engines": ["mojeek"],
            "score": 1.0,
        },
        {"url": "https://other.test/", "title": "Undated", "content": "", "publishedDate": None},
    ],
    "answers": [],
    "suggestions": [],
    "unresponsive_engines": [["brave", "too many requests"]],
}


@pytest.fixture
def searxng(service: Any, clock: Any) -> SearXNG:
    service.says(FOUND)
    return adapter(SearXNG, service, clock, searxng_url="http://10.0.0.7:8888/")


class TestAnAnswer:
    async def test_becomes_hits_in_its_order(self, searxng: SearXNG) -> None:
        first, second = await searxng.search(Query("ice"))

        assert (first.url, first.title, first.snippet) == (
            "https://physics.test/ice",
            "Why ice floats",
            "Density a < b.",
        )
        assert (first.published, second.published) == (date(2026, 2, 12), None)
        assert first.engines == ("searxng",)

    async def test_is_cut_at_the_hits_wanted(self, searxng: SearXNG) -> None:
        assert len(await searxng.search(Query("ice", limit=1))) == 1

    async def test_without_results_is_nothing_found(self, searxng: SearXNG, service: Any) -> None:
        service.says({"results": [], "unresponsive_engines": []})

        assert await searxng.search(Query("ice")) == []

    @pytest.mark.parametrize(
        ("engines", "told"),
        [([["google", "CAPTCHA"], ["bing", "timeout"]], "bing, google"), (["odd", []], "2 of them")],
    )
    async def test_without_results_while_its_engines_fail_is_a_failure(
        self, searxng: SearXNG, service: Any, engines: Any, told: str
    ) -> None:
        service.says({"results": [], "unresponsive_engines": engines})

        with pytest.raises(ProviderError, match=told) as caught:
            await searxng.search(Query("ice"))
        assert caught.value.retryable

    @pytest.mark.parametrize("body", [b"<!doctype html><html>", {}, {"results": {}}])
    async def test_of_another_shape_is_a_failure(self, searxng: SearXNG, service: Any, body: Any) -> None:
        service.says(body)

        with pytest.raises(UnreadableAnswer):
            await searxng.search(Query("ice"))


class TestARefusal:
    async def test_to_speak_json_says_how_to_switch_it_on(self, searxng: SearXNG, service: Any) -> None:
        service.says(b"Forbidden", status=403)

        with pytest.raises(ProviderError, match=r"JSON format switched off.*settings\.yml.*formats"):
            await searxng.search(Query("ice"))

    async def test_at_a_wrong_address_says_which_setting_is_wrong(self, searxng: SearXNG, service: Any) -> None:
        service.says(b"", status=404)

        with pytest.raises(ProviderError, match="SEARXNG_URL"):
            await searxng.search(Query("ice"))

    async def test_by_its_limiter_is_a_rate_limit(self, searxng: SearXNG, service: Any) -> None:
        service.says(b"", status=429)

        with pytest.raises(RateLimited):
            await searxng.search(Query("ice"))

    @pytest.mark.parametrize("status", [403, 404, 429, 500, 302])
    async def test_never_shows_the_instances_address(self, searxng: SearXNG, service: Any, status: int) -> None:
        service.says(b"10.0.0.7", status=status, headers={"location": "http://10.0.0.7/x"})

        with pytest.raises(ProviderError) as caught:
            await searxng.search(Query("ice"))
        assert "10.0.0.7" not in str(caught.value)


class TestAQuestion:
    @pytest.mark.parametrize(
        "base", ["http://a.test/searx", "http://a.test/searx/", "http://a.test/searx/search", " http://a.test/searx "]
    )
    async def test_goes_to_the_search_page_below_the_base(self, service: Any, clock: Any, base: str) -> None:
        service.says(FOUND)

        await adapter(SearXNG, service, clock, searxng_url=base).search(Query("ice"))

        assert service.requests[0].url.path == "/searx/search"
        assert service.params == {"q": "ice", "format": "json", "safesearch": "1"}

    async def test_tells_domains_language_and_time(self, searxng: SearXNG, service: Any) -> None:
        filters = Filters(exclude_domains=("b.org",), language="de", region="at", published_after=date(2026, 11, 1))

        await searxng.search(Query("ice", filters))

        assert service.params == {
            "q": "ice -site:b.org",
            "format": "json",
            "safesearch": "1",
            "language": "de-AT",
            "time_range": "month",
        }

    @pytest.mark.parametrize(("safe", "told"), [("off", "0"), ("moderate", "1"), ("strict", "2")])
    async def test_tells_the_page_and_how_safe_the_hits_must_be(
        self, service: Any, clock: Any, safe: str, told: str
    ) -> None:
        service.says(FOUND)

        await adapter(SearXNG, service, clock, searxng_url="http://a.test", safe_search=safe).search(
            Query("ice", page=3)
        )

        assert (service.params["safesearch"], service.params["pageno"]) == (told, "3")

    async def test_tells_a_language_alone_as_it_is(self, searxng: SearXNG, service: Any) -> None:
        await searxng.search(Query("ice", Filters(language="de")))

        assert service.params["language"] == "de"
