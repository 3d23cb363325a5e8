"""Web results from Jina's search API."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import MOST_SITES, country_code, domain_list, language_code
from deepresearch_mcp.search.rows import Row, Words, hit, read_rows

_MOST_HITS = 20


class _Row(Row):
    description: Words = ""
    date: Words = ""


class _Answer(BaseModel):
    data: list[object]


class Jina(ApiEngine):
    """The search API of Jina Reader, without the pages' content."""

    refusals: ClassVar = (
        Refusal(422, b"no search results", "nothing"),
        Refusal(403, b"insufficient", "quota"),
    )

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        params: dict[str, str | int | Sequence[str]] = {
            "q": query.text,
            "num": max(1, min(_MOST_HITS, query.limit)),
            "page": query.page,
        }
        if included := domain_list(filters.include_domains, MOST_SITES):
            params["site"] = included
        if country := country_code(filters):
            params["gl"] = country
        if language := language_code(filters):
            params["hl"] = language
        return ApiRequest("/", "GET", params=params, headers={"X-Respond-With": "no-content", **self._bearer})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).data)
        return [hit(self.name, row.url, row.title, row.description, row.date) for row in rows]
