"""Web results from You.com, with a key or without one."""

from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.brave_codes import brave_country, brave_language
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import day_range, domain_list
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, joined, read_rows

KEYLESS = "https://api.you.com/v1/agents/search"
"""Answers without a key, a hundred queries a day."""
_MOST_HITS, _LAST_OFFSET = 50, 9
_MOST_DOMAINS = 500


class _Row(Row):
    description: Words = ""
    snippets: list[Words] | None = None
    page_age: Words = ""


class _Found(BaseModel):
    web: list[object] = []
    """Missing if nothing was found."""


class _Answer(BaseModel):
    results: _Found


class You(ApiEngine):
    """The You.com Web Search API. Without a key its keyless form is used."""

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        if query.page - 1 > _LAST_OFFSET:
            return None
        asked: dict[str, Any] = {
            "query": query.text,
            "count": max(1, min(_MOST_HITS, query.limit)),
            "safesearch": self._safe_search,
        }
        if query.page > 1:
            # In multiples of `count`.
            asked["offset"] = query.page - 1
        domains: dict[str, list[str]] = {}
        # One of the lists is enough: domains that were not included are excluded anyway.
        if included := domain_list(filters.include_domains, _MOST_DOMAINS):
            domains["include_domains"] = included
        elif excluded := domain_list(filters.exclude_domains, _MOST_DOMAINS):
            domains["exclude_domains"] = excluded
        if country := brave_country(filters):
            asked["country"] = country
        if language := brave_language(filters):
            asked["language"] = language.upper()
        if days := day_range(filters, self._clock.today()):
            asked["freshness"] = f"{days[0]}to{days[1]}"
        if self._key:
            return ApiRequest("/v1/search", json=asked | domains, headers={"X-API-Key": self._secret})
        # A GET request takes lists of domains in one value.
        return ApiRequest(KEYLESS, "GET", params=asked | {name: ",".join(one) for name, one in domains.items()})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).results.web)
        return [
            hit(
                self.name,
                row.url,
                from_html(row.title),
                from_html(joined((row.description, *(row.snippets or ())[:2]))),
                row.page_age,
            )
            for row in rows
        ]
