from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def kagi(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["kagi"])
    return opened("kagi", service, clock)


async def test_a_question_without_limits_is_short(kagi: SearchEngine, service: Any) -> None:
    await kagi.search(Query("ice"))

    assert str(service.requests[0].url) == "https://kagi.com/api/v1/search"
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert service.json == {"query": "ice", "limit": 10, "page": 1, "safe_search": True}


async def test_a_question_tells_its_limits_and_page(service: Any, clock: Any) -> None:
    service.says(FOUND["kagi"])
    day = date(2026, 2, 12)
    filters = Filters(
        include_domains=("a.org",), exclude_domains=("b.org",), published_after=day, published_before=day, region="de"
    )

    await opened("kagi", service, clock, safe_search="off").search(Query("ice", filters, page=2))

    assert service.json["lens"] == {"sites_included": ["a.org"], "sites_excluded": ["b.org"]}
    # Kagi finds what is after the one day and before the other; the day asked for must lie between them.
    assert service.json["filters"] == {"region": "DE", "after": "2026-02-11", "before": "2026-02-13"}
    assert (service.json["page"], service.json["safe_search"]) == (2, False)


async def test_for_hits_that_kagi_never_gives_nothing_is_sent(kagi: SearchEngine, service: Any) -> None:
    assert await kagi.search(Query("ice", page=11)) == []
    assert service.requests == []
