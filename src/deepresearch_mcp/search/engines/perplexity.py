"""Web results from Perplexity's Search API."""

from typing import Any, ClassVar

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import country_code, days_outside, domain_list, language_code
from deepresearch_mcp.search.rows import Row, Words, hit, read_rows

_MOST_HITS = 20
_MOST_DOMAINS = 20
_TOKENS = 512
"""Tokens of a page that come as its snippet; enough for the longest snippet that is kept."""


class _Row(Row):
    snippet: Words = ""
    date: Words = ""


class _Answer(BaseModel):
    results: list[object]


class Perplexity(ApiEngine):
    """The Perplexity Search API, which finds pages and writes no answer."""

    refusals: ClassVar = (Refusal(401, b"insufficient_quota", "quota"),)

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        asked: dict[str, Any] = {
            "query": query.text,
            "max_results": max(1, min(_MOST_HITS, query.limit)),
            "max_tokens_per_page": _TOKENS,
        }
        # One list holds domains to include, or domains to exclude with a minus; it cannot hold both.
        if included := domain_list(filters.include_domains, _MOST_DOMAINS):
            asked["search_domain_filter"] = included
        elif excluded := domain_list(filters.exclude_domains, _MOST_DOMAINS):
            asked["search_domain_filter"] = [f"-{domain}" for domain in excluded]
        if country := country_code(filters):
            asked["country"] = country.upper()
        if len(language := language_code(filters)) == 2:
            asked["search_language_filter"] = [language]
        after, before = days_outside(filters)
        if after:
            asked["search_after_date_filter"] = f"{after:%m/%d/%Y}"
        if before:
            asked["search_before_date_filter"] = f"{before:%m/%d/%Y}"
        return ApiRequest("/search", json=asked, headers=self._bearer)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).results)
        return [hit(self.name, row.url, row.title, row.snippet, row.date) for row in rows]
