"""Records of papers and books from Crossref, which gives most of them their DOI."""

from datetime import date
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, Field
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import first_words
from deepresearch_mcp.search.papers import Paper, day, paper_hits
from deepresearch_mcp.search.rows import Words, read_rows
from deepresearch_mcp.text.identifiers import identifiers_in

_LONGEST = 400
_FIELDS = "DOI,title,abstract,issued,published-online,published-print,resource"


def _parts(value: object) -> tuple[object, ...]:
    """Read `{"date-parts": [[2020, 9, 16]]}`; () for anything else."""
    days = cast("dict[str, object]", value).get("date-parts") if isinstance(value, dict) else None
    first = next(iter(cast("list[object]", days)), None) if isinstance(days, list) else None
    return tuple(cast("list[object]", first)) if isinstance(first, list) else ()


def _first(value: object) -> str:
    found = cast("list[object]", value)[:1] if isinstance(value, list) else []
    return next((one for one in found if isinstance(one, str)), "")


def _link(value: object) -> str:
    match value:
        case {"primary": {"URL": str(address)}}:
            return address
        case _:
            return ""


_Day = Annotated[tuple[object, ...], BeforeValidator(_parts)]


class _Row(BaseModel):
    doi: str = Field(alias="DOI", min_length=1)
    title: Annotated[str, BeforeValidator(_first)] = ""
    abstract: Words = ""
    online: _Day = Field(default=(), alias="published-online")
    issued: _Day = ()
    printed: _Day = Field(default=(), alias="published-print")
    resource: Annotated[str, BeforeValidator(_link)] = ""

    def paper(self) -> Paper:
        # Many records know only a year; those stay undated.
        published = next((found for parts in (self.online, self.issued, self.printed) if (found := _day(parts))), None)
        return Paper(title=self.title, abstract=self.abstract, published=published, doi=self.doi, landing=self.resource)


class _Message(BaseModel):
    items: list[object]


class _Answer(BaseModel):
    message: _Message


class Crossref(ApiEngine):
    """Crossref, at most 50 records a page, at their publishers' addresses.

    A query that holds DOIs asks for these records; one with other identifiers only is not sent.

    Crossref serves clients faster whose `User-Agent` names a mail address, which the setting `web.contact` adds.
    """

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        params = _params(query)
        return ApiRequest("/works", "GET", params=params) if params else None

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).message.items)
        return paper_hits(self.name, [row.paper() for row in rows], query.limit)


def _params(query: Query) -> dict[str, str | int] | None:
    size = max(1, min(50, query.limit))
    found = identifiers_in(query.text)
    if any(found):
        if not found.doi or query.page > 1:
            return None
        # A comma separates filters, so a DOI with one cannot be asked for.
        wanted = [f"doi:{doi}" for doi in found.doi[:size] if "," not in doi]
        return {"filter": ",".join(wanted), "rows": size, "select": _FIELDS} if wanted else None
    params: dict[str, str | int] = {
        "query.bibliographic": first_words(query.text, _LONGEST),
        "rows": size,
        "offset": (query.page - 1) * size,
        "select": _FIELDS,
    }
    if limits := _dates(query.filters):
        params["filter"] = limits
    return params


def _dates(filters: Filters) -> str:
    limits: list[str] = []
    if filters.published_after:
        limits.append(f"from-pub-date:{filters.published_after.isoformat()}")
    if filters.published_before:
        limits.append(f"until-pub-date:{filters.published_before.isoformat()}")
    return ",".join(limits)


def _day(parts: tuple[object, ...]) -> date | None:
    return day(*parts) if len(parts) == 3 else None
