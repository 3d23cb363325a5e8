from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.engines.you import KEYLESS
from deepresearch_mcp.search.registry import open_engines
from deepresearch_mcp.settings.schema import SearchSettings

FILTERS = Filters(include_domains=("a.org", "c.org"), published_after=date(2026, 1, 1), region="de", language="pt")


@pytest.fixture
def you(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["you"])
    return opened("you", service, clock, safe_search="strict")


async def test_a_question_without_limits_is_short(you: SearchEngine, service: Any) -> None:
    await you.search(Query("ice"))

    assert str(service.requests[0].url) == "https://ydc-index.io/v1/search"
    assert service.requests[0].headers["x-api-key"] == KEY
    assert service.json == {"query": "ice", "count": 10, "safesearch": "strict"}


async def test_a_question_tells_its_limits_and_page(you: SearchEngine, service: Any) -> None:
    await you.search(Query("ice", FILTERS, page=2))

    assert service.json["include_domains"] == ["a.org", "c.org"]
    assert (service.json["country"], service.json["language"]) == ("DE", "PT-PT")
    assert service.json["freshness"] == "2026-01-01to2026-11-20"
    assert service.json["offset"] == 1


async def test_excluded_domains_are_told_where_none_is_included(you: SearchEngine, service: Any) -> None:
    await you.search(Query("ice", Filters(exclude_domains=("b.org",))))

    assert service.json["exclude_domains"] == ["b.org"]


async def test_without_a_key_the_keyless_address_is_asked(service: Any, clock: Any) -> None:
    service.says(FOUND["you"])
    [you] = open_engines(("you",), SearchSettings(), service.http, service, clock)

    assert len(await you.search(Query("ice", FILTERS))) == 2
    [request] = service.requests
    assert (request.method, str(request.url.copy_with(query=None))) == ("GET", KEYLESS)
    assert "x-api-key" not in request.headers
    assert service.params["include_domains"] == "a.org,c.org"


async def test_for_hits_that_you_never_gives_nothing_is_sent(you: SearchEngine, service: Any) -> None:
    assert await you.search(Query("ice", page=11)) == []
    assert service.requests == []


async def test_a_description_is_joined_with_the_first_snippets(you: SearchEngine, service: Any) -> None:
    rows = [
        {"url": "https://a.test/", "description": "Ice.", "snippets": ["One &amp; two.", "Three.", "Four."]},
        {"url": "https://b.test/", "snippets": ["One."]},
    ]
    service.says({"results": {"web": rows}})

    first, second = await you.search(Query("ice"))

    assert (first.snippet, second.snippet) == ("Ice. … One & two. … Three.", "One.")
