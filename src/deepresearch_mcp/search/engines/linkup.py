"""Web results from Linkup."""

from typing import Any, ClassVar

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import domain_list
from deepresearch_mcp.search.rows import Words, hit, read_rows

_MOST_HITS = 20
_MOST_DOMAINS = 100


class _Row(BaseModel):
    url: str = Field(min_length=1)
    name: Words = ""
    content: Words = ""
    """A passage of the page; its beginning is the snippet."""


class _Answer(BaseModel):
    results: list[object]


class Linkup(ApiEngine):
    """The Linkup search API, by its standard depth, as raw results."""

    refusals: ClassVar = (
        Refusal(429, b"insufficient_funds", "quota"),
        Refusal(400, b"search_query_no_result", "nothing"),
    )

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        asked: dict[str, Any] = {
            "q": query.text,
            "depth": "standard",
            "outputType": "searchResults",
            "maxResults": max(1, min(_MOST_HITS, query.limit)),
        }
        if included := domain_list(filters.include_domains, _MOST_DOMAINS):
            asked["includeDomains"] = included
        if excluded := domain_list(filters.exclude_domains, _MOST_DOMAINS):
            asked["excludeDomains"] = excluded
        if filters.published_after:
            asked["fromDate"] = filters.published_after.isoformat()
        if filters.published_before:
            asked["toDate"] = filters.published_before.isoformat()
        return ApiRequest("/v1/search", json=asked, headers=self._bearer)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).results)
        return [hit(self.name, row.url, row.name, row.content) for row in rows]
