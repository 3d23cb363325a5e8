"""Medical papers from PubMed, from NCBI's E-utilities."""

from datetime import date
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine, Refusal
from deepresearch_mcp.search.limits import key_terms, leaves_out
from deepresearch_mcp.search.papers import Paper, day, paper_hits
from deepresearch_mcp.search.xml_answers import all_text, read_xml
from deepresearch_mcp.text.identifiers import Identifiers, identifiers_in

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LONGEST = 300
_MOST_TERMS = 6
"""The service wants all of them in a record."""
_TOOL = "deepresearch-mcp"
"""NCBI asks programs to name themselves in each request; the contact stands in the `User-Agent`."""


class _Found(BaseModel):
    idlist: list[str]


class _Answer(BaseModel):
    esearchresult: _Found | None = None


class PubMed(HttpEngine):
    """PubMed. A query that holds PubMed numbers, PMC numbers or DOIs asks for these papers only.

    A query takes two requests: one for the numbers of the papers, one for their records.
    """

    refusals: ClassVar = (Refusal(400, b"api key invalid", "key"),)

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 50 papers; where PubMed Central has the full text, its address, else PubMed's."""
        del needs
        if leaves_out("https://pubmed.ncbi.nlm.nih.gov", query.filters) and leaves_out(
            "https://pmc.ncbi.nlm.nih.gov", query.filters
        ):
            return []
        found = identifiers_in(query.text)
        if any(found) and query.page > 1:
            return []
        if any(found):
            term = _by_identifier(found)
            numbers = await self._numbers({"term": term, "retmax": 20}) if term else []
        else:
            numbers = await self._numbers(_words(query))
        if not numbers:
            return []
        body = await self._ask("efetch", {"id": ",".join(numbers), "retmode": "xml"})
        articles = read_xml(self.name, body, "PubmedArticleSet").findall("PubmedArticle")
        return paper_hits(self.name, [_paper(article) for article in articles], query.limit)

    async def _numbers(self, params: dict[str, str | int]) -> list[str]:
        body = await self._ask("esearch", params | {"retmode": "json"})
        with provider_errors(self.name):
            found = _Answer.model_validate_json(body).esearchresult
        if found is None:
            raise UnreadableAnswer(self.name, "its answer holds neither results nor an error")
        return [number for number in found.idlist[:50] if number.isdecimal() and number.isascii()]

    async def _ask(self, what: Literal["esearch", "efetch"], params: dict[str, str | int]) -> bytes:
        given: dict[str, str | int] = {"db": "pubmed", "tool": _TOOL, **params}
        if self._key:
            given["api_key"] = self._secret
        return await self._answer(ApiRequest(f"/entrez/eutils/{what}.fcgi", "GET", params=given))


def _by_identifier(found: Identifiers) -> str:
    terms = [f"{number}[uid]" for number in found.pubmed]
    terms.extend(f"{number}[pmcid]" for number in found.pmc)
    terms.extend(f'"{doi}"[doi]' for doi in found.doi)
    return " OR ".join(terms)


def _words(query: Query) -> dict[str, str | int]:
    size = max(1, min(50, query.limit))
    return {
        "term": key_terms(query.text, _MOST_TERMS, _LONGEST),
        "retmax": size,
        "retstart": (query.page - 1) * size,
        "sort": "relevance",
    } | _dates(query.filters)


def _dates(filters: Filters) -> dict[str, str | int]:
    if not filters.published_after and not filters.published_before:
        return {}
    # The service takes both limits or none.
    after = filters.published_after or date(1800, 1, 1)
    before = filters.published_before or date(3000, 12, 31)
    return {"datetype": "pdat", "mindate": f"{after:%Y/%m/%d}", "maxdate": f"{before:%Y/%m/%d}"}


def _paper(article: "Element") -> Paper:
    ids = {one.get("IdType", ""): all_text(one) for one in article.findall("PubmedData/ArticleIdList/ArticleId")}
    return Paper(
        title=all_text(article.find("MedlineCitation/Article/ArticleTitle")),
        abstract=" ".join(all_text(one) for one in article.findall("MedlineCitation/Article/Abstract/AbstractText")),
        published=_published(article),
        doi=ids.get("doi", ""),
        pubmed=article.findtext("MedlineCitation/PMID", ""),
        pmc=ids.get("pmc", ""),
    )


def _published(article: "Element") -> date | None:
    """Return the day of the electronic publication, else of the issue if it states a day."""
    for place in ("ArticleDate", "Journal/JournalIssue/PubDate"):
        stated = article.find(f"MedlineCitation/Article/{place}")
        if stated is not None and (
            found := day(stated.findtext("Year"), stated.findtext("Month"), stated.findtext("Day"))
        ):
            return found
    return None
