"""Web results from Exa."""

from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import country_code, domain_list
from deepresearch_mcp.search.rows import Row, Words, hit, joined, read_rows

_MOST_HITS = 10
"""More would cost extra, and a query has one price."""
_MOST_DOMAINS = 1_200


class _Row(Row):
    publishedDate: Words = ""  # noqa: N815 - Exa's name
    highlights: list[Words] | None = None


class _Answer(BaseModel):
    results: list[object]


class Exa(ApiEngine):
    """The Exa search API. Its highlights, sentences of the page that suit the query, are the snippets."""

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        asked: dict[str, Any] = {
            "query": query.text,
            "type": "auto",
            "numResults": max(1, min(_MOST_HITS, query.limit)),
            "contents": {"highlights": True},
        }
        if included := domain_list(filters.include_domains, _MOST_DOMAINS):
            asked["includeDomains"] = included
        if excluded := domain_list(filters.exclude_domains, _MOST_DOMAINS):
            asked["excludeDomains"] = excluded
        if filters.published_after:
            asked["startPublishedDate"] = f"{filters.published_after}T00:00:00.000Z"
        if filters.published_before:
            asked["endPublishedDate"] = f"{filters.published_before}T23:59:59.999Z"
        if country := country_code(filters):
            asked["userLocation"] = country.upper()
        if self._safe_search != "off":
            asked["moderation"] = True
        return ApiRequest("/search", json=asked, headers={"x-api-key": self._secret})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).results)
        return [hit(self.name, row.url, row.title, joined(row.highlights or ()), row.publishedDate) for row in rows]
