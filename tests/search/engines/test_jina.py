from typing import Any

import pytest
from tests.search.opened_engines import KEY, opened
from tests.search.recorded_answers import FOUND

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query


@pytest.fixture
def jina(service: Any, clock: Any) -> SearchEngine:
    service.says(FOUND["jina"])
    return opened("jina", service, clock)


async def test_a_question_asks_for_no_content(jina: SearchEngine, service: Any) -> None:
    await jina.search(Query("ice", limit=50))

    headers = service.requests[0].headers
    assert (headers["authorization"], headers["x-respond-with"]) == (f"Bearer {KEY}", "no-content")
    assert headers["accept"] == "application/json"
    assert service.params == {"q": "ice", "num": "20", "page": "1"}


async def test_a_question_tells_its_limits_and_page(jina: SearchEngine, service: Any) -> None:
    filters = Filters(include_domains=("a.org", "c.org"), region="de", language="de")

    await jina.search(Query("ice", filters, page=2))

    assert service.requests[0].url.params.get_list("site") == ["a.org", "c.org"]
    assert (service.params["gl"], service.params["hl"], service.params["page"]) == ("de", "de", "2")


async def test_the_content_of_a_page_is_never_a_snippet(jina: SearchEngine, service: Any) -> None:
    service.says({"code": 200, "data": [{"url": "https://a.test/", "content": "The whole page."}]})

    [hit] = await jina.search(Query("ice"))

    assert hit.snippet == ""
