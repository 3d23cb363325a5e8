from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.wikipedia import Wikipedia

FOUND = {
    "batchcomplete": True,
    "query": {
        "searchinfo": {"totalhits": 2},
        "search": [
            {
                "ns": 0,
                "title": "Properties of water",
                "pageid": 1,
                "snippet": 'Solid <span class="searchmatch">ice</span> floats &amp; melts',
            },
            {"ns": 0, "title": "Eis/Käse? 100%", "pageid": 2, "snippet": ""},
        ],
    },
}


@pytest.fixture
def wikipedia(service: Any) -> Wikipedia:
    service.says(FOUND)
    return adapter(Wikipedia, service)


class TestAnAnswer:
    async def test_becomes_hits_with_the_articles_addresses(self, wikipedia: Wikipedia) -> None:
        first, second = await wikipedia.search(Query("ice"))

        assert first.url == "https://en.wikipedia.org/wiki/Properties_of_water"
        assert (first.title, first.snippet) == ("Properties of water", "Solid ice floats & melts")
        assert second.url == "https://en.wikipedia.org/wiki/Eis/K%C3%A4se%3F_100%25"
        assert first.engines == ("wikipedia",)

    async def test_without_results_is_nothing_found(self, wikipedia: Wikipedia, service: Any) -> None:
        service.says({"query": {"search": []}})

        assert await wikipedia.search(Query("ice")) == []

    @pytest.mark.parametrize("body", [{}, {"batchcomplete": True}, {"query": {}}, b"<html>"])
    async def test_of_another_shape_is_a_failure(self, wikipedia: Wikipedia, service: Any, body: Any) -> None:
        service.says(body)

        with pytest.raises(UnreadableAnswer):
            await wikipedia.search(Query("ice"))

    @pytest.mark.parametrize(
        ("code", "kind", "retryable"),
        [
            ("ratelimited", RateLimited, True),
            ("maxlag", RateLimited, True),
            ("internal_api_error_DBQueryError", ProviderError, True),
            ("cirrussearch-parse-error", ProviderError, False),
        ],
    )
    async def test_that_is_an_error_with_status_200_is_a_failure(
        self, wikipedia: Wikipedia, service: Any, code: str, kind: type[ProviderError], retryable: bool
    ) -> None:
        service.says({"error": {"code": code, "info": "…"}})

        with pytest.raises(kind) as caught:
            await wikipedia.search(Query("ice"))
        assert caught.value.retryable is retryable


class TestAQuestion:
    async def test_is_put_to_the_english_edition_unless_a_language_is_asked_for(
        self, wikipedia: Wikipedia, service: Any
    ) -> None:
        await wikipedia.search(Query("ice " * 200, limit=99))
        await wikipedia.search(Query("is", Filters(language="nb")))
        await wikipedia.search(Query("Eis", Filters(language="de")))

        hosts = [request.url.host for request in service.requests]
        assert hosts == ["en.wikipedia.org", "no.wikipedia.org", "de.wikipedia.org"]
        first = dict(service.requests[0].url.params)
        assert first["list"] == "search"
        assert first["srlimit"] == "50"
        assert len(first["srsearch"]) <= 300

    async def test_never_goes_to_another_host_by_way_of_a_language(self, wikipedia: Wikipedia, service: Any) -> None:
        await wikipedia.search(Query("ice", Filters(language="evil.test/")))

        assert service.requests[0].url.host == "en.wikipedia.org"

    async def test_can_go_to_another_address(self, service: Any) -> None:
        service.says(FOUND)

        elsewhere = type("Wikipedia", (Wikipedia,), {"home": "http://127.0.0.1:1/"})
        [hit, _] = await adapter(elsewhere, service).search(Query("ice"))

        assert service.requests[0].url.path == "/w/api.php"
        assert hit.url == "http://127.0.0.1:1/wiki/Properties_of_water"

    @pytest.mark.parametrize(
        "filters", [Filters(include_domains=("nasa.gov",)), Filters(exclude_domains=("wikipedia.org",))]
    )
    async def test_whose_domains_leave_wikipedia_out_is_not_put(
        self, wikipedia: Wikipedia, service: Any, filters: Filters
    ) -> None:
        assert await wikipedia.search(Query("ice", filters)) == []
        assert service.requests == []

    async def test_whose_domains_name_wikipedia_is_put(self, wikipedia: Wikipedia) -> None:
        assert await wikipedia.search(Query("ice", Filters(include_domains=("nasa.gov", "wikipedia.org"))))

    async def test_asks_for_the_hits_after_the_first_page(self, wikipedia: Wikipedia, service: Any) -> None:
        await wikipedia.search(Query("ice", limit=5, page=3))

        assert (service.params["srlimit"], service.params["sroffset"]) == ("5", "10")
