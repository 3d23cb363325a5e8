from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.wikidata import Wikidata


def entry(number: int, label: str, description: str = "") -> dict[str, Any]:
    return {
        "id": f"Q{number}",
        "title": f"Q{number}",
        "pageid": number,
        "concepturi": f"http://www.wikidata.org/entity/Q{number}",
        "label": label,
        "description": description,
        "match": {"type": "label", "language": "en", "text": label},
    }


CURIE = entry(7186, "Marie Curie", "Polish-French physicist and chemist (1867–1934)")


@pytest.fixture
def wikidata(service: Any) -> Wikidata:
    service.says({"searchinfo": {"search": "x"}, "search": [CURIE, {"id": "../x"}], "success": 1})
    return adapter(Wikidata, service, wikidata_base_url="https://wikidata.test")


async def test_entries_become_hits(wikidata: Wikidata) -> None:
    [hit] = await wikidata.search(Query("Marie Curie"))

    assert hit.url == "https://www.wikidata.org/wiki/Q7186"
    assert (hit.title, hit.published) == ("Marie Curie", None)
    assert hit.snippet == "Polish-French physicist and chemist (1867–1934)"


async def test_the_names_in_a_question_are_looked_up_and_their_answers_take_turns(
    wikidata: Wikidata, service: Any
) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        base = 10 if request.url.params["search"] == "Marie Curie" else 20
        return httpx2.Response(200, json={"search": [entry(base + n, f"E{base + n}") for n in range(2)] + [CURIE]})

    service.answer = answer

    hits = await wikidata.search(
        Query("When did Marie Curie work at Sorbonne?", Filters(language="de"), limit=5, page=2)
    )

    assert [request.url.params["search"] for request in service.requests] == ["Marie Curie", "Sorbonne"]
    assert (service.params["language"], service.params["limit"], service.params["continue"]) == ("de", "3", "3")
    assert [hit.title for hit in hits] == ["E10", "E20", "E11", "E21", "Marie Curie"]


@pytest.mark.parametrize(("text", "asked"), [("what is glycine", "what is glycine"), ("population of Q90", "Q90")])
async def test_without_names_the_words_are_looked_up(wikidata: Wikidata, service: Any, text: str, asked: str) -> None:
    await wikidata.search(Query(text))

    assert service.params["search"] == asked


@pytest.mark.parametrize(
    "filters", [Filters(include_domains=("nasa.gov",)), Filters(exclude_domains=("wikidata.org",))]
)
async def test_domains_that_leave_it_out_spare_the_request(wikidata: Wikidata, service: Any, filters: Filters) -> None:
    assert await wikidata.search(Query("Marie Curie", filters)) == []
    assert service.requests == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [({"error": {"code": "maxlag"}}, RateLimited), ({}, UnreadableAnswer), ({"search": {}}, UnreadableAnswer)],
)
async def test_a_fault_with_status_200_is_a_failure(
    wikidata: Wikidata, service: Any, body: Any, kind: type[Exception]
) -> None:
    service.says(body)

    with pytest.raises(kind):
        await wikidata.search(Query("Marie Curie"))
