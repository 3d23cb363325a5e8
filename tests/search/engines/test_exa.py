from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def exa(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["exa"])
    return opened("exa", service, clock, safe_search="off")


async def test_a_question_without_limits_is_short_and_stays_at_the_base_price(exa: SearchEngine, service: Any) -> None:
    await exa.search(Query("ice", limit=50))

    assert str(service.requests[0].url) == "https://api.exa.ai/search"
    assert service.requests[0].headers["x-api-key"] == KEY
    assert service.json == {"query": "ice", "type": "auto", "numResults": 10, "contents": {"highlights": True}}


async def test_a_question_tells_its_limits(exa: SearchEngine, service: Any) -> None:
    day = date(2026, 2, 12)
    filters = Filters(
        include_domains=("a.org",), exclude_domains=("b.org",), published_after=day, published_before=day, region="de"
    )

    await exa.search(Query("ice", filters))

    assert service.json["includeDomains"] == ["a.org"]
    assert service.json["excludeDomains"] == ["b.org"]
    assert service.json["startPublishedDate"] == "2026-02-12T00:00:00.000Z"
    assert service.json["endPublishedDate"] == "2026-02-12T23:59:59.999Z"
    assert service.json["userLocation"] == "DE"


@pytest.mark.parametrize("safe", ["moderate", "strict"])
async def test_safe_search_asks_exa_to_moderate(service: Any, clock: Any, safe: str) -> None:
    service.says(FOUND["exa"])

    await opened("exa", service, clock, safe_search=safe).search(Query("ice"))

    assert service.json["moderation"] is True


async def test_the_text_of_a_page_is_never_a_snippet(exa: SearchEngine, service: Any) -> None:
    row = {"url": "https://a.test/", "text": "The whole page.", "highlights": ["One.", None, "Two."]}
    service.says({"results": [row]})

    [hit] = await exa.search(Query("ice"))

    assert hit.snippet == "One. … Two."
