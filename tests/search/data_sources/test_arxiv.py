from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import ProviderError, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.arxiv import ArXiv

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <link href="http://arxiv.org/api/query?search_query=all:attention" rel="self" type="application/atom+xml"/>
  <title type="html">ArXiv Query: search_query=all:attention</title>
  <id>http://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <updated>2026-11-23T00:00:00-05:00</updated>
  <opensearch:totalResults>1</opensearch:totalResults>
  %s
</feed>"""
ENTRY = """<entry>
    <id>http://arxiv.org/abs/1706.03762v7</id>
    <updated>2023-08-02T00:41:18Z</updated>
    <published>2017-06-12T17:57:34Z</published>
    <title>Attention Is All
  You Need</title>
    <summary>  The dominant sequence transduction models are based on &lt;b&gt; networks.
</summary>
    <author><name>Ashish Vaswani</name></author>
    <link href="http://arxiv.org/abs/1706.03762v7" rel="alternate" type="text/html"/>
    <link title="pdf" href="http://arxiv.org/pdf/1706.03762v7" rel="related" type="application/pdf"/>
  </entry>"""
FAULT = """<entry>
    <id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id>
    <title>Error</title><summary>incorrect id format for x</summary>
  </entry>"""


@pytest.fixture
def arxiv(service: Any) -> ArXiv:
    service.says((FEED % ENTRY).encode())
    return adapter(ArXiv, service, arxiv_base_url="https://export.arxiv.test/")


async def test_an_entry_becomes_a_hit_that_leads_to_the_full_text(arxiv: ArXiv) -> None:
    [hit] = await arxiv.search(Query("attention"))

    assert hit.url == "https://arxiv.org/pdf/1706.03762"
    assert hit.title == "Attention Is All You Need"
    assert hit.snippet.startswith("The dominant sequence transduction models")
    assert (hit.published, hit.engines) == (date(2017, 6, 12), ("arxiv",))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('Is "deep attention" all: (you) measure?', 'all:"deep attention" AND all:measure'),
        (
            "How do scaling laws hold for small networks?",
            "(all:scaling OR all:laws OR all:hold OR all:small OR all:networks)",
        ),
    ],
)
async def test_few_terms_must_all_occur_and_of_many_any(arxiv: ArXiv, service: Any, text: str, terms: str) -> None:
    await arxiv.search(Query(text))

    assert service.params["search_query"] == terms


async def test_dates_and_page_are_a_part_of_the_question(arxiv: ArXiv, service: Any) -> None:
    limits = Filters(published_after=date(2024, 1, 2), published_before=date(2024, 3, 4))

    await arxiv.search(Query("attention networks", limits, limit=5, page=3))

    assert service.requests[0].url.path == "/api/query"
    assert service.params == {
        "search_query": "all:attention AND all:networks AND submittedDate:[202401020000 TO 202403042359]",
        "start": "10",
        "max_results": "5",
        "sortBy": "relevance",
    }


async def test_arxiv_numbers_are_asked_for_by_number(arxiv: ArXiv, service: Any) -> None:
    await arxiv.search(Query("What is new in arXiv:2401.12345v2 over https://arxiv.org/abs/1706.03762 ?"))

    assert service.params == {"id_list": "2401.12345v2,1706.03762", "max_results": "10"}


@pytest.mark.parametrize(
    "query",
    [
        Query("doi:10.1000/a"),
        Query("PMID 12345"),
        Query("arXiv:1706.03762", page=2),
        Query("?!"),
        Query("ice", Filters(include_domains=("nasa.gov",))),
        Query("ice", Filters(exclude_domains=("arxiv.org",))),
    ],
)
async def test_what_arxiv_cannot_have_is_not_asked_for(arxiv: ArXiv, service: Any, query: Query) -> None:
    assert await arxiv.search(query) == []
    assert service.requests == []


async def test_nothing_found_is_no_failure_but_a_fault_in_the_feed_is(arxiv: ArXiv, service: Any) -> None:
    service.says((FEED % "").encode())
    assert await arxiv.search(Query("ice")) == []

    service.says((FEED % FAULT).encode())
    with pytest.raises(ProviderError, match="refuses"):
        await arxiv.search(Query("ice"))

    service.says(b"<html></html>")
    with pytest.raises(UnreadableAnswer):
        await arxiv.search(Query("ice"))
