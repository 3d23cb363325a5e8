from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def serpapi(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["serpapi"])
    return opened("serpapi", service, clock)


async def test_a_question_without_limits_is_short(serpapi: SearchEngine, service: Any) -> None:
    await serpapi.search(Query("ice", limit=50))

    assert service.requests[0].url.path == "/search.json"
    assert service.params == {
        "engine": "google",
        "q": "ice",
        "num": "10",
        "start": "0",
        "safe": "active",
        "api_key": KEY,
    }


async def test_a_question_tells_its_limits_and_page(service: Any, clock: Any) -> None:
    service.says(FOUND["serpapi"])
    filters = Filters(exclude_domains=("b.org",), published_after=date(2026, 1, 1), region="de", language="de")

    await opened("serpapi", service, clock, safe_search="off").search(Query("ice", filters, page=3, limit=5))

    assert service.params["q"] == "ice -site:b.org"
    assert (service.params["num"], service.params["start"]) == ("5", "10")
    assert (service.params["gl"], service.params["hl"], service.params["safe"]) == ("de", "de", "off")
    assert service.params["tbs"] == "cdr:1,cd_min:01/01/2026,cd_max:11/20/2026"


async def test_a_search_that_failed_at_google_can_be_tried_again(serpapi: SearchEngine, service: Any) -> None:
    service.says({"search_metadata": {"status": "Error"}, "error": "We couldn't get valid results"})

    with pytest.raises(ProviderError, match="search of Google failed") as caught:
        await serpapi.search(Query("ice"))
    assert caught.value.retryable


async def test_a_search_that_is_not_finished_is_not_nothing_found(serpapi: SearchEngine, service: Any) -> None:
    service.says({"search_metadata": {"status": "Processing"}})

    with pytest.raises(ProviderError, match="neither results nor a finished search"):
        await serpapi.search(Query("ice"))
