"""Papers from OpenAlex."""

from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, Field
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import key_terms
from deepresearch_mcp.search.papers import Paper, paper_hits
from deepresearch_mcp.search.rows import Words, parse_date, read_rows
from deepresearch_mcp.text.identifiers import Identifiers, identifiers_in

_LONGEST = 400
_MOST_TERMS = 6
"""The service wants all of them in a record."""
_FIELDS = "id,doi,title,publication_date,ids,best_oa_location,primary_location,abstract_inverted_index"
_MOST_WORDS = 400
"""Words of an abstract that are put together; a hit shows fewer."""


def _abstract(value: object) -> str:
    """Put an abstract together that is sent as word → positions."""
    if not isinstance(value, dict):
        return ""
    placed: list[tuple[int, str]] = []
    for word, positions in cast("dict[object, object]", value).items():
        if isinstance(word, str) and isinstance(positions, list):
            found = (at for at in cast("list[object]", positions) if isinstance(at, int) and 0 <= at < _MOST_WORDS)
            placed.extend((at, word) for at in found)
    return " ".join(word for _, word in sorted(placed)[:_MOST_WORDS])


class _Location(BaseModel):
    pdf_url: Words = ""
    landing_page_url: Words = ""


class _Ids(BaseModel):
    pmid: Words = ""
    pmcid: Words = ""


class _Row(BaseModel):
    id: str = Field(min_length=1)
    doi: Words = ""
    title: Words = ""
    publication_date: Words = ""
    ids: _Ids | None = None
    best_oa_location: _Location | None = None
    primary_location: _Location | None = None
    abstract: Annotated[str, BeforeValidator(_abstract)] = Field(default="", alias="abstract_inverted_index")

    def paper(self) -> Paper:
        free, ids = self.best_oa_location or _Location(), self.ids or _Ids()
        # OpenAlex writes January 1 where it knows only the year.
        published = None if self.publication_date.endswith("-01-01") else parse_date(self.publication_date)
        return Paper(
            title=self.title,
            abstract=self.abstract,
            published=published,
            doi=self.doi,
            pubmed=ids.pmid.rstrip("/").rpartition("/")[2],
            pmc=ids.pmcid.rstrip("/").rpartition("/")[2],
            open_copy=free.pdf_url or free.landing_page_url,
            landing=(self.primary_location or _Location()).landing_page_url,
        )


class _Answer(BaseModel):
    results: list[object]


class OpenAlex(ApiEngine):
    """OpenAlex, at most 50 papers a page. A query that holds identifiers asks for these papers only."""

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        if (params := _params(query)) is None:
            return None
        if self._key:
            params["api_key"] = self._secret
        return ApiRequest("/works", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).results)
        return paper_hits(self.name, [row.paper() for row in rows], query.limit)


def _params(query: Query) -> dict[str, str | int] | None:
    size = max(1, min(50, query.limit))
    found = identifiers_in(query.text)
    if any(found):
        wanted = _by_identifier(found)
        return {"filter": wanted, "per-page": size, "select": _FIELDS} if wanted and query.page == 1 else None
    params: dict[str, str | int] = {
        # A comma or a bar in the words would be read as a filter's.
        "search": key_terms(query.text.replace(",", " ").replace("|", " "), _MOST_TERMS, _LONGEST),
        "per-page": size,
        "page": query.page,
        "select": _FIELDS,
    }
    if limits := _dates(query.filters):
        params["filter"] = limits
    return params


def _by_identifier(found: Identifiers) -> str:
    """Return the filter for one kind of identifier, since filters of several kinds must all be met."""
    if dois := [doi for doi in found.all_dois if "," not in doi and "|" not in doi]:
        return f"doi:{'|'.join(dois)}"
    if found.pubmed:
        return f"pmid:{'|'.join(found.pubmed)}"
    return f"pmcid:{'|'.join(found.pmc)}" if found.pmc else ""


def _dates(filters: Filters) -> str:
    limits: list[str] = []
    if filters.published_after:
        limits.append(f"from_publication_date:{filters.published_after.isoformat()}")
    if filters.published_before:
        limits.append(f"to_publication_date:{filters.published_before.isoformat()}")
    return ",".join(limits)
