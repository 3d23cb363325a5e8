from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import KeyRefused, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.engines.tavily import Tavily

FOUND = {
    "query": "ice",
    "answer": None,
    "images": [],
    "results": [
        {
            "title": "Why ice floats",
            "url": "https://physics.test/ice",
            "content": "Ice is less dense\nthan water.",
            "score": 0.98,
            "raw_content": None,
            "published_date": "Thu, 12 Feb 2026 10:00:00 GMT",
        },
        {"title": "Undated", "url": "https://other.test/", "content": "x", "score": 0.5},
    ],
    "response_time": 1.1,
}


@pytest.fixture
def tavily(service: Any) -> Tavily:
    service.says(FOUND)
    return adapter(Tavily, service, tavily_key="tvly-secret")


class TestAnAnswer:
    async def test_becomes_hits_in_its_order(self, tavily: Tavily) -> None:
        first, second = await tavily.search(Query("ice"))

        assert (first.url, first.title) == ("https://physics.test/ice", "Why ice floats")
        assert first.snippet == "Ice is less dense than water."
        assert (first.published, second.published) == (date(2026, 2, 12), None)
        assert first.engines == ("tavily",)

    async def test_without_results_is_nothing_found(self, tavily: Tavily, service: Any) -> None:
        service.says({"query": "ice", "results": []})

        assert await tavily.search(Query("ice")) == []

    @pytest.mark.parametrize("body", [{}, {"detail": {"error": "no"}}, {"results": None}, b"busy"])
    async def test_of_another_shape_is_a_failure(self, tavily: Tavily, service: Any, body: Any) -> None:
        service.says(body)

        with pytest.raises(UnreadableAnswer):
            await tavily.search(Query("ice"))


class TestAccess:
    async def test_with_a_key_is_by_bearer(self, tavily: Tavily, service: Any) -> None:
        await tavily.search(Query("ice"))

        headers = service.requests[0].headers
        assert headers["authorization"] == "Bearer tvly-secret"
        assert "x-tavily-access-mode" not in headers

    async def test_without_a_key_is_keyless(self, tavily: Tavily, service: Any) -> None:
        await adapter(Tavily, service, tavily_key=None).search(Query("ice"))

        headers = service.requests[0].headers
        assert headers["x-tavily-access-mode"] == "keyless"
        assert "authorization" not in headers

    async def test_refused_names_the_variable_to_set(self, tavily: Tavily, service: Any) -> None:
        service.says({"detail": {"error": "Unauthorized: missing or invalid API key."}}, status=401)

        with pytest.raises(KeyRefused, match="Set TAVILY_API_KEY") as caught:
            await tavily.search(Query("ice"))
        assert "tvly-secret" not in str(caught.value)

    async def test_too_often_says_how_long_to_wait(self, tavily: Tavily, service: Any) -> None:
        service.says({}, status=429, headers={"retry-after": "4"})

        with pytest.raises(RateLimited) as caught:
            await tavily.search(Query("ice"))
        assert caught.value.retry_after == 4


class TestAQuestion:
    async def test_without_limits_is_short(self, tavily: Tavily, service: Any) -> None:
        await tavily.search(Query("ice " * 200, limit=99))

        assert str(service.requests[0].url) == "https://api.tavily.com/search"
        assert set(service.json) == {"query", "max_results", "search_depth"}
        assert len(service.json["query"]) <= 400
        assert service.json["max_results"] == 20

    async def test_tells_domains_dates_and_country(self, tavily: Tavily, service: Any) -> None:
        day = date(2026, 2, 12)
        filters = Filters(
            include_domains=("a.org",),
            exclude_domains=("b.org",),
            published_after=day,
            published_before=day,
            region="GB",
        )

        await tavily.search(Query("ice", filters))

        assert service.json["include_domains"] == ["a.org"]
        assert service.json["exclude_domains"] == ["b.org"]
        assert service.json["country"] == "united kingdom"
        # Tavily's ends exclude the day named; one day alone must still fit between them.
        assert (service.json["start_date"], service.json["end_date"]) == ("2026-02-11", "2026-02-13")

    async def test_leaves_out_a_country_that_tavily_does_not_know(self, tavily: Tavily, service: Any) -> None:
        await tavily.search(Query("ice", Filters(region="zz")))

        assert "country" not in service.json
