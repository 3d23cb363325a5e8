"""Papers of the life sciences from Europe PMC, which holds PubMed, preprints and open full texts."""

import re

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import key_terms
from deepresearch_mcp.search.papers import Paper, paper_hits
from deepresearch_mcp.search.rows import Words, parse_date, read_rows
from deepresearch_mcp.text.identifiers import Identifiers, identifiers_in

_LONGEST = 300
_MOST_TERMS = 6
"""The service wants all of them in a record."""
_OPERATORS = re.compile(r"[\"():\[\]{}^~*?\\/!&|+<>=]|\b(?:AND|OR|NOT)\b")
_FURTHEST = 500
"""Papers that one request returns at most. Later pages need the mark of the page before, so all are asked for anew."""


class _Row(BaseModel):
    id: str = Field(min_length=1)
    source: Words = ""
    title: Words = ""
    abstract: Words = Field(default="", alias="abstractText")
    published: Words = Field(default="", alias="firstPublicationDate")
    doi: Words = ""
    pubmed: Words = Field(default="", alias="pmid")
    pmc: Words = Field(default="", alias="pmcid")

    def paper(self) -> Paper:
        return Paper(
            title=self.title,
            abstract=self.abstract,
            published=parse_date(self.published),
            doi=self.doi,
            pubmed=self.pubmed,
            pmc=self.pmc,
        )


class _List(BaseModel):
    result: list[object]


class _Answer(BaseModel):
    results: _List = Field(alias="resultList")


class EuropePMC(ApiEngine):
    """Europe PMC, at most 100 papers a page, of the first 500.

    A query that holds identifiers asks for these papers only, arXiv's excepted.
    """

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        size = _size(query)
        found = identifiers_in(query.text)
        words = _by_identifier(found) if any(found) else _words(query)
        if not words or (any(found) and query.page > 1) or size * query.page > _FURTHEST:
            return None
        params: dict[str, str | int] = {
            "query": words,
            "format": "json",
            "resultType": "core",
            "pageSize": size * query.page,
        }
        return ApiRequest("/europepmc/webservices/rest/search", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        found = _Answer.model_validate_json(body).results.result
        rows = read_rows(self.name, _Row, found[_size(query) * (query.page - 1) :])
        return paper_hits(self.name, [row.paper() for row in rows], query.limit)


def _size(query: Query) -> int:
    return max(1, min(100, query.limit))


def _by_identifier(found: Identifiers) -> str:
    terms = [f'DOI:"{doi}"' for doi in found.doi]
    terms.extend(f"(EXT_ID:{number} AND SRC:MED)" for number in found.pubmed)
    terms.extend(f"PMCID:{number}" for number in found.pmc)
    return " OR ".join(terms)


def _words(query: Query) -> str:
    words = key_terms(_OPERATORS.sub(" ", query.text), _MOST_TERMS, _LONGEST)
    return f"{words}{_dates(query.filters)}" if words else ""


def _dates(filters: Filters) -> str:
    if not filters.published_after and not filters.published_before:
        return ""
    after = filters.published_after.isoformat() if filters.published_after else "1800-01-01"
    before = filters.published_before.isoformat() if filters.published_before else "3000-12-31"
    return f" AND FIRST_PDATE:[{after} TO {before}]"
