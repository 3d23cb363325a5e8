from collections.abc import Iterator
from datetime import date
from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import KeyRefused, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.pubmed import PubMed

NUMBERS = b"""{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"count":"2","retmax":"2","retstart":"0",
"idlist":["31978945","1; drop"],"translationset":[],"querytranslation":"covid"}}"""
ARTICLES = b"""<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.invalid/pubmed.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">31978945</PMID>
<Article PubModel="Print-Electronic"><Journal><JournalIssue><PubDate><Year>2020</Year><Month>Feb</Month><Day>20</Day>
</PubDate></JournalIssue></Journal>
<ArticleTitle>A Novel <i>Coronavirus</i> from Patients</ArticleTitle>
<Abstract><AbstractText Label="BACKGROUND">In December 2019, a cluster.</AbstractText>
<AbstractText>Whole-genome sequencing followed.</AbstractText></Abstract>
<ArticleDate DateType="Electronic"><Year>2020</Year><Month>01</Month><Day>24</Day></ArticleDate>
</Article></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">31978945</ArticleId><ArticleId IdType="pmc">PMC7092803</ArticleId>
<ArticleId IdType="doi">10.1056/NEJMoa2001017</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>2</PMID><Article><Journal><JournalIssue><PubDate><Year>1999</Year><Month>Mar</Month>
</PubDate></JournalIssue></Journal><ArticleTitle>Old</ArticleTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>"""


@pytest.fixture
def pubmed(service: Any) -> PubMed:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=NUMBERS if "esearch" in request.url.path else ARTICLES)

    service.answer = answer
    return adapter(PubMed, service, pubmed_key="secret", pubmed_base_url="https://ncbi.test")


def asked(service: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for request in service.requests:
        yield request.url.path.rpartition("/")[2], dict(request.url.params)


async def test_records_become_hits_at_the_full_text_else_at_pubmed(pubmed: PubMed) -> None:
    first, second = await pubmed.search(Query("covid"))

    assert first.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC7092803/"
    assert first.title == "A Novel Coronavirus from Patients"
    assert first.snippet == "In December 2019, a cluster. Whole-genome sequencing followed."
    assert (first.published, second.published) == (date(2020, 1, 24), None)
    assert second.url == "https://pubmed.ncbi.nlm.nih.gov/2/"


async def test_a_question_carries_both_limits_of_its_dates_its_page_and_the_key(pubmed: PubMed, service: Any) -> None:
    await pubmed.search(Query("novel coronavirus", Filters(published_after=date(2024, 1, 2)), limit=5, page=2))

    (first, search), (second, fetch) = asked(service)
    assert (first, second) == ("esearch.fcgi", "efetch.fcgi")
    assert search["term"] == "novel coronavirus"
    assert (search["retmax"], search["retstart"], search["sort"]) == ("5", "5", "relevance")
    assert (search["datetype"], search["mindate"], search["maxdate"]) == ("pdat", "2024/01/02", "3000/12/31")
    assert (search["api_key"], fetch["api_key"], fetch["id"]) == ("secret", "secret", "31978945")


async def test_identifiers_are_asked_for_as_such(pubmed: PubMed, service: Any) -> None:
    await pubmed.search(Query("PMID 123 and PMC456 and 10.1056/NEJMoa2001017"))

    assert next(asked(service))[1]["term"] == '123[uid] OR PMC456[pmcid] OR "10.1056/nejmoa2001017"[doi]'


@pytest.mark.parametrize(
    "query",
    [
        Query("arXiv:1706.03762"),
        Query("PMID 123", page=2),
        Query("ice", Filters(include_domains=("nasa.gov",))),
        Query("ice", Filters(exclude_domains=("nih.gov",))),
    ],
)
async def test_what_pubmed_cannot_have_is_not_asked_for(pubmed: PubMed, service: Any, query: Query) -> None:
    assert await pubmed.search(query) == []
    assert service.requests == []


async def test_nothing_found_needs_no_second_request(pubmed: PubMed, service: Any) -> None:
    service.says({"esearchresult": {"count": "0", "idlist": []}})

    assert await pubmed.search(Query("zxcv")) == []
    assert len(service.requests) == 1


@pytest.mark.parametrize("body", [{}, {"esearchresult": {"ERROR": "Search Backend failed"}}, {"error": "x"}])
async def test_a_fault_with_status_200_is_a_failure(pubmed: PubMed, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await pubmed.search(Query("ice"))


async def test_a_wrong_key_is_told_as_such_though_its_status_is_400(pubmed: PubMed, service: Any) -> None:
    service.says({"error": "API key invalid", "api-key": "secret", "type": "api"}, status=400)

    with pytest.raises(KeyRefused, match="NCBI_API_KEY") as caught:
        await pubmed.search(Query("ice"))
    assert "secret" not in str(caught.value)
