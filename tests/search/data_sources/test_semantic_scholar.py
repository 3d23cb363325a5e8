from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.semantic_scholar import SemanticScholar

PAPER = {
    "paperId": "204e3073870fae3d05bcbc2f6a8e263d9b72e776",
    "externalIds": {"DBLP": "conf/nips/VaswaniSPUJGKP17", "ArXiv": "1706.03762", "CorpusId": 13756489},
    "url": "https://www.semanticscholar.org/paper/204e3073870fae3d05bcbc2f6a8e263d9b72e776",
    "title": "Attention is All you Need",
    "abstract": "The dominant sequence transduction models…",
    "publicationDate": "2017-06-12",
    "openAccessPdf": {"url": "", "status": None},
}
CLOSED = {
    "paperId": "a",
    "externalIds": {"DOI": "10.1000/closed"},
    "url": "https://www.semanticscholar.org/paper/a",
    "title": "Closed",
    "abstract": None,
    "publicationDate": None,
    "openAccessPdf": None,
}


@pytest.fixture
def scholar(service: Any) -> SemanticScholar:
    service.says({"total": 2, "offset": 0, "next": 10, "data": [PAPER, CLOSED]})
    return adapter(
        SemanticScholar, service, semantic_scholar_key="secret", semantic_scholar_base_url="https://scholar.test"
    )


async def test_papers_become_hits_where_they_can_be_read(scholar: SemanticScholar) -> None:
    first, second = await scholar.search(Query("attention"))

    assert first.url == "https://arxiv.org/pdf/1706.03762"
    assert (first.title, first.published) == ("Attention is All you Need", date(2017, 6, 12))
    assert (second.url, second.snippet, second.published) == ("https://doi.org/10.1000/closed", "", None)


async def test_a_question_carries_its_dates_its_page_and_the_key(scholar: SemanticScholar, service: Any) -> None:
    await scholar.search(Query("self-attention", Filters(published_after=date(2024, 1, 2)), limit=5, page=2))

    [request] = service.requests
    assert (request.url.path, request.headers["x-api-key"]) == ("/graph/v1/paper/search", "secret")
    assert service.params["query"] == "self attention"
    assert (service.params["limit"], service.params["offset"]) == ("5", "5")
    assert service.params["publicationDateOrYear"] == "2024-01-02:"


async def test_identifiers_are_looked_up_and_unknown_ones_passed_over(scholar: SemanticScholar, service: Any) -> None:
    service.says([PAPER, None])

    hits = await scholar.search(Query("arXiv:1706.03762v5, 10.1000/a, PMID 12, PMC345"))

    assert [hit.title for hit in hits] == ["Attention is All you Need"]
    assert service.requests[0].url.path == "/graph/v1/paper/batch"
    assert service.json == {"ids": ["DOI:10.1000/a", "ARXIV:1706.03762", "PMID:12", "PMCID:345"]}


async def test_an_unknown_paper_is_nothing_found(scholar: SemanticScholar, service: Any) -> None:
    service.says({"error": "No valid paper ids given"}, status=400)
    assert await scholar.search(Query("10.1000/a")) == []

    service.says({"error": "Unrecognized or unsupported fields: [x]"}, status=400)
    with pytest.raises(ProviderError, match="refuses"):
        await scholar.search(Query("10.1000/a"))


async def test_nothing_found_has_no_data(scholar: SemanticScholar, service: Any) -> None:
    service.says({"total": 0, "offset": 0})

    assert await scholar.search(Query("zxcv")) == []


async def test_pages_that_the_service_refuses_are_not_asked_for(scholar: SemanticScholar, service: Any) -> None:
    assert await scholar.search(Query("ice", limit=100, page=11)) == []
    assert await scholar.search(Query("10.1000/a", page=2)) == []
    assert service.requests == []


async def test_without_a_key_none_is_sent(service: Any) -> None:
    service.says({"total": 0, "data": []})
    await adapter(SemanticScholar, service, semantic_scholar_key=None).search(Query("ice"))

    assert "x-api-key" not in service.requests[0].headers
