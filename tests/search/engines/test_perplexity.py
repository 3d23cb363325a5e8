from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def perplexity(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["perplexity"])
    return opened("perplexity", service, clock)


async def test_a_question_without_limits_is_short(perplexity: SearchEngine, service: Any) -> None:
    await perplexity.search(Query("ice", limit=50))

    assert str(service.requests[0].url) == "https://api.perplexity.ai/search"
    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert service.json == {"query": "ice", "max_results": 20, "max_tokens_per_page": 512}


async def test_a_question_tells_its_limits(perplexity: SearchEngine, service: Any) -> None:
    day = date(2026, 2, 12)
    filters = Filters(include_domains=("a.org",), published_after=day, published_before=day, region="de", language="de")

    await perplexity.search(Query("ice", filters))

    assert service.json["search_domain_filter"] == ["a.org"]
    assert (service.json["country"], service.json["search_language_filter"]) == ("DE", ["de"])
    # Perplexity finds what is after the one day and before the other.
    assert service.json["search_after_date_filter"] == "02/11/2026"
    assert service.json["search_before_date_filter"] == "02/13/2026"


async def test_excluded_domains_have_a_minus(perplexity: SearchEngine, service: Any) -> None:
    await perplexity.search(Query("ice", Filters(exclude_domains=("b.org",))))

    assert service.json["search_domain_filter"] == ["-b.org"]


async def test_more_domains_than_it_takes_are_left_to_the_stage(perplexity: SearchEngine, service: Any) -> None:
    await perplexity.search(Query("ice", Filters(include_domains=tuple(f"{number}.org" for number in range(21)))))

    assert "search_domain_filter" not in service.json


async def test_much_of_a_page_is_cut_to_a_snippet(perplexity: SearchEngine, service: Any) -> None:
    service.says({"results": [{"url": "https://a.test/", "snippet": "ice " * 9_999}]})

    [hit] = await perplexity.search(Query("ice"))

    assert len(hit.snippet) <= 2_000
