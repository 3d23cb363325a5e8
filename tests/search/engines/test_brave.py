from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.engines.brave import Brave

KEY = "BSA-secret"
FOUND = {
    "type": "search",
    "query": {"original": "ice"},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Why ice <strong>floats</strong>",
                "url": "https://physics.test/ice",
                "description": "Ice is less dense &amp; so it <strong>floats</strong>.",
                "page_age": "2026-02-12T08:00:00",
            },
            {"title": "Undated", "url": "https://other.test/", "description": None, "page_age": None},
        ],
    },
}


@pytest.fixture
def brave(service: Any, clock: Any) -> Brave:
    service.says(FOUND)
    return adapter(Brave, service, clock, brave_key=KEY)


class TestAnAnswer:
    async def test_becomes_hits_in_its_order(self, brave: Brave) -> None:
        first, second = await brave.search(Query("ice"))

        assert (first.url, first.title) == ("https://physics.test/ice", "Why ice floats")
        assert first.snippet == "Ice is less dense & so it floats."
        assert first.published == date(2026, 2, 12)
        assert first.engines == ("brave",)
        assert (second.snippet, second.published) == ("", None)

    async def test_without_web_results_is_nothing_found(self, brave: Brave, service: Any) -> None:
        service.says({"type": "search", "query": {"original": "ice"}})

        assert await brave.search(Query("ice")) == []

    @pytest.mark.parametrize("body", [{}, {"type": "ErrorResponse"}, {"type": "search", "web": []}, [], b"<html>", b""])
    async def test_of_another_shape_is_a_failure(self, brave: Brave, service: Any, body: Any) -> None:
        service.says(body)

        with pytest.raises(UnreadableAnswer):
            await brave.search(Query("ice"))

    async def test_is_cut_at_the_hits_wanted(self, brave: Brave) -> None:
        assert len(await brave.search(Query("ice", limit=1))) == 1


class TestAQuestion:
    async def test_carries_the_key_in_its_header_alone(self, brave: Brave, service: Any) -> None:
        await brave.search(Query("ice", limit=50))

        [request] = service.requests
        assert request.headers["x-subscription-token"] == KEY
        assert KEY not in str(request.url)
        assert str(request.url).startswith("https://api.search.brave.com/res/v1/web/search?")
        assert (service.params["q"], service.params["count"]) == ("ice", "20")

    async def test_tells_domains_country_and_language(self, brave: Brave, service: Any) -> None:
        await brave.search(Query("ice", Filters(include_domains=("a.org",), region="DE", language="de")))

        assert service.params["q"] == "ice site:a.org"
        assert (service.params["country"], service.params["search_lang"]) == ("DE", "de")

    async def test_tells_the_page_and_how_safe_the_hits_must_be(self, service: Any, clock: Any) -> None:
        service.says(FOUND)
        brave = adapter(Brave, service, clock, brave_key=KEY, safe_search="strict")

        await brave.search(Query("ice", page=2))

        assert (service.params["safesearch"], service.params["offset"]) == ("strict", "1")

    async def test_for_hits_that_brave_never_gives_is_not_sent(self, brave: Brave, service: Any) -> None:
        assert await brave.search(Query("ice", page=11)) == []
        assert service.requests == []

    @pytest.mark.parametrize(
        ("language", "region", "told"), [("ja", "jp", "jp"), ("pt", "br", "pt-br"), ("pt", "", "pt-pt")]
    )
    async def test_tells_a_language_by_braves_own_code(
        self, brave: Brave, service: Any, language: str, region: str, told: str
    ) -> None:
        await brave.search(Query("ice", Filters(language=language, region=region)))

        assert service.params["search_lang"] == told

    async def test_leaves_out_codes_that_brave_would_refuse(self, brave: Brave, service: Any) -> None:
        await brave.search(Query("ice", Filters(language="sw", region="ke")))

        assert not {"search_lang", "country"} & set(service.params)

    @pytest.mark.parametrize(
        ("after", "before", "told"),
        [
            (date(2026, 1, 1), date(2026, 2, 1), "2026-01-01to2026-02-01"),
            (date(2026, 1, 1), None, "2026-01-01to2026-11-20"),
            (None, date(2026, 2, 1), "1990-01-01to2026-02-01"),
        ],
    )
    async def test_tells_dates_as_a_range(
        self, brave: Brave, service: Any, after: date | None, before: date | None, told: str
    ) -> None:
        await brave.search(Query("ice", Filters(published_after=after, published_before=before)))

        assert service.params["freshness"] == told


class TestARefusal:
    @pytest.mark.parametrize(
        "body",
        [
            {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "status": 422}},
            {"error": {"code": "VALIDATION", "meta": {"errors": [{"loc": ["header", "x-subscription-token"]}]}}},
        ],
    )
    async def test_of_the_key_comes_as_422_and_is_known(self, brave: Brave, service: Any, body: Any) -> None:
        service.says(body, status=422)

        with pytest.raises(KeyRefused, match="BRAVE_API_KEY") as caught:
            await brave.search(Query("ice"))
        assert KEY not in str(caught.value)

    @pytest.mark.parametrize(
        ("body", "status"), [({"error": {"code": "VALIDATION"}}, 422), (b"oops", 422), (b"[" * 99_999, 422), ({}, 400)]
    )
    async def test_of_the_query_is_not_about_the_key(self, brave: Brave, service: Any, body: Any, status: int) -> None:
        service.says(body, status=status)

        with pytest.raises(ProviderError) as caught:
            await brave.search(Query("ice"))
        assert not isinstance(caught.value, KeyRefused)

    async def test_of_a_key_no_header_carries_comes_before_anything_is_sent(self, service: Any, clock: Any) -> None:
        engine: Callable[..., Any] = adapter(Brave, service, clock, brave_key="a\nb").search

        with pytest.raises(KeyRefused):
            await engine(Query("ice"))
        assert service.requests == []
