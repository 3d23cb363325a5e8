from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.openalex import OpenAlex

FOUND = {
    "meta": {"count": 3, "db_response_time_ms": 12, "page": 1, "per_page": 10},
    "results": [
        {
            "id": "https://openalex.org/W2741809807",
            "doi": "https://doi.org/10.7717/peerj.4375",
            "title": "The state of OA",
            "publication_date": "2018-02-13",
            "ids": {
                "openalex": "https://openalex.org/W2741809807",
                "pmid": "https://pubmed.ncbi.nlm.nih.gov/29456894",
                "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/5815332",
            },
            "best_oa_location": {"pdf_url": "https://peerj.com/articles/4375.pdf", "landing_page_url": "https://a.b"},
            "primary_location": {"landing_page_url": "https://doi.org/10.7717/peerj.4375", "pdf_url": None},
            "abstract_inverted_index": {"Despite": [0], "growing": [1], "interest": [2, 4], "in": [3]},
        },
        {
            "id": "https://openalex.org/W1",
            "doi": None,
            "title": None,
            "publication_date": "1999-01-01",
            "ids": {},
            "best_oa_location": {"pdf_url": None, "landing_page_url": "https://repository.example/1"},
            "primary_location": None,
            "abstract_inverted_index": None,
        },
        {
            "id": "https://openalex.org/W2",
            "title": "Odd",
            "doi": "https://doi.org/10.1000/odd",
            "abstract_inverted_index": {"a": [-1, "x", 10**9], "b": 3},
        },
    ],
    "group_by": [],
}


@pytest.fixture
def openalex(service: Any) -> OpenAlex:
    service.says(FOUND)
    return adapter(OpenAlex, service, openalex_key="secret")


async def test_works_become_hits_at_their_open_copies(openalex: OpenAlex) -> None:
    first, second, third = await openalex.search(Query("open access"))

    assert first.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC5815332/"
    assert (first.title, first.published) == ("The state of OA", date(2018, 2, 13))
    assert first.snippet == "Despite growing interest in interest"
    assert (second.url, second.published) == ("https://repository.example/1", None)
    assert (third.url, third.snippet) == ("https://doi.org/10.1000/odd", "")


async def test_a_question_carries_its_dates_its_page_and_the_key(openalex: OpenAlex, service: Any) -> None:
    limits = Filters(published_after=date(2024, 1, 2), published_before=date(2024, 3, 4))

    await openalex.search(Query("ice, snow | rain", limits, limit=5, page=2))

    asked = service.params
    assert (asked["search"], asked["per-page"], asked["page"]) == ("ice snow rain", "5", "2")
    assert asked["filter"] == "from_publication_date:2024-01-02,to_publication_date:2024-03-04"
    assert asked["api_key"] == "secret"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("10.1000/a and arXiv:1706.03762v2", "doi:10.1000/a|10.48550/arxiv.1706.03762"),
        ("PMID 123 or PMID 456", "pmid:123|456"),
        ("PMC5815332", "pmcid:PMC5815332"),
    ],
)
async def test_identifiers_are_asked_for_as_such(openalex: OpenAlex, service: Any, text: str, wanted: str) -> None:
    await openalex.search(Query(text))

    assert service.params["filter"] == wanted
    assert "search" not in service.params


async def test_an_identifier_has_one_page_of_answers(openalex: OpenAlex, service: Any) -> None:
    assert await openalex.search(Query("10.1000/a", page=2)) == []
    assert service.requests == []


async def test_without_a_key_none_is_sent(service: Any) -> None:
    service.says({"meta": {"count": 0}, "results": []})

    assert await adapter(OpenAlex, service, openalex_key=None).search(Query("ice")) == []
    assert "api_key" not in service.params
