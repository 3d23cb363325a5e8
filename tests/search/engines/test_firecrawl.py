from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def firecrawl(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["firecrawl"])
    return opened("firecrawl", service, clock)


async def test_a_question_without_limits_is_short_and_scrapes_nothing(firecrawl: SearchEngine, service: Any) -> None:
    await firecrawl.search(Query("ice " * 200, limit=50))

    assert str(service.requests[0].url) == "https://api.firecrawl.dev/v2/search"
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert service.json.keys() == {"query", "limit", "sources"}
    assert (service.json["limit"], service.json["sources"]) == (10, [{"type": "web"}])
    assert len(service.json["query"]) <= 500


async def test_a_question_tells_its_limits(firecrawl: SearchEngine, service: Any) -> None:
    filters = Filters(exclude_domains=("b.org",), published_after=date(2026, 1, 1), region="de")

    await firecrawl.search(Query("ice", filters))

    assert service.json["excludeDomains"] == ["b.org"]
    assert service.json["country"] == "DE"
    assert service.json["tbs"] == "cdr:1,cd_min:01/01/2026,cd_max:11/20/2026"


async def test_a_question_never_has_both_lists_of_domains(firecrawl: SearchEngine, service: Any) -> None:
    await firecrawl.search(Query("ice", Filters(include_domains=("a.org",), exclude_domains=("b.org",))))

    assert service.json["includeDomains"] == ["a.org"]
    assert "excludeDomains" not in service.json
