"""Web results from Kagi."""

from typing import Any, ClassVar

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import country_code, days_outside, domain_list
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, read_rows

_MOST_HITS, _LAST_PAGE = 50, 10
_MOST_DOMAINS = 100


class _Row(Row):
    snippet: Words = ""
    time: Words = ""


class _Found(BaseModel):
    search: list[object] = []
    """Missing if nothing was found."""


class _Answer(BaseModel):
    data: _Found


class Kagi(ApiEngine):
    """The Kagi Search API. A lens made for the query limits its domains."""

    refusals: ClassVar = (
        Refusal(429, b"usage limit", "quota"),
        Refusal(429, b"credit", "quota"),
        Refusal(429, b"balance", "quota"),
    )

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        if query.page > _LAST_PAGE:
            return None
        asked: dict[str, Any] = {
            "query": query.text,
            "limit": max(1, min(_MOST_HITS, query.limit)),
            "page": query.page,
            "safe_search": self._safe_search != "off",
        }
        lens = {
            "sites_included": domain_list(filters.include_domains, _MOST_DOMAINS),
            "sites_excluded": domain_list(filters.exclude_domains, _MOST_DOMAINS),
        }
        if lens := {name: domains for name, domains in lens.items() if domains}:
            asked["lens"] = lens
        after, before = days_outside(filters)
        limits = {
            "region": country_code(filters).upper(),
            "after": after.isoformat() if after else "",
            "before": before.isoformat() if before else "",
        }
        if limits := {name: limit for name, limit in limits.items() if limit}:
            asked["filters"] = limits
        return ApiRequest("/api/v1/search", json=asked, headers=self._bearer)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).data.search)
        return [hit(self.name, row.url, from_html(row.title), from_html(row.snippet), row.time) for row in rows]
