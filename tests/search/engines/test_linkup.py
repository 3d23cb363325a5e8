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
def linkup(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["linkup"])
    return opened("linkup", service, clock)


async def test_a_question_without_limits_is_short(linkup: SearchEngine, service: Any) -> None:
    await linkup.search(Query("ice", limit=50))

    assert str(service.requests[0].url) == "https://api.linkup.so/v1/search"
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert service.json == {"q": "ice", "depth": "standard", "outputType": "searchResults", "maxResults": 20}


async def test_a_question_tells_its_limits(linkup: SearchEngine, service: Any) -> None:
    day = date(2026, 2, 12)
    filters = Filters(include_domains=("a.org",), exclude_domains=("b.org",), published_after=day, published_before=day)

    await linkup.search(Query("ice", filters))

    assert (service.json["includeDomains"], service.json["excludeDomains"]) == (["a.org"], ["b.org"])
    assert (service.json["fromDate"], service.json["toDate"]) == ("2026-02-12", "2026-02-12")


async def test_a_question_that_linkup_refuses_is_not_nothing_found(linkup: SearchEngine, service: Any) -> None:
    service.says({"statusCode": 400, "error": {"code": "VALIDATION_ERROR", "message": "x"}}, status=400)

    with pytest.raises(ProviderError, match="HTTP 400"):
        await linkup.search(Query("ice"))
