from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.exceptions import KeyRefused, RateLimited
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def serper(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["serper"])
    return opened("serper", service, clock)


async def test_a_question_without_limits_is_short_and_takes_one_credit(serper: SearchEngine, service: Any) -> None:
    await serper.search(Query("ice", limit=50))

    assert str(service.requests[0].url) == "https://google.serper.dev/search"
    assert service.requests[0].headers["x-api-key"] == KEY
    assert service.json == {"q": "ice", "num": 10, "page": 1}


async def test_a_question_tells_its_limits_and_page(serper: SearchEngine, service: Any) -> None:
    filters = Filters(
        include_domains=("a.org",),
        published_after=date(2026, 1, 1),
        published_before=date(2026, 2, 1),
        region="de",
        language="de",
    )

    await serper.search(Query("ice", filters, page=2))

    assert service.json == {
        "q": "ice site:a.org",
        "num": 10,
        "page": 2,
        "gl": "de",
        "hl": "de",
        "tbs": "cdr:1,cd_min:01/01/2026,cd_max:02/01/2026",
    }


async def test_a_date_in_words_counts_back_from_today(serper: SearchEngine, service: Any) -> None:
    row = {"link": "https://a.test/", "date": "3 days ago"}
    service.says({"searchParameters": {}, "organic": [row]})

    [hit] = await serper.search(Query("ice"))

    assert hit.published == date(2026, 11, 17)


async def test_a_spent_balance_differs_from_too_many_queries(serper: SearchEngine, service: Any) -> None:
    service.says({"message": "You have no credits left"}, status=429)
    with pytest.raises(KeyRefused):
        await serper.search(Query("ice"))

    service.says({"message": "Too many requests"}, status=429)
    with pytest.raises(RateLimited):
        await serper.search(Query("ice"))
