"""Web results from Firecrawl."""

from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import country_code, domain_list, first_words, google_tbs
from deepresearch_mcp.search.rows import Row, Words, hit, read_rows

_LONGEST = 500
"""Most characters of a query that Firecrawl accepts."""
_MOST_HITS = 10
"""More would cost extra, and a query has one price."""
_MOST_DOMAINS = 100


class _Row(Row):
    description: Words = ""


class _Found(BaseModel):
    web: list[object] = []
    """Missing if nothing was found."""


class _Answer(BaseModel):
    data: _Found


class Firecrawl(ApiEngine):
    """The Firecrawl search API, without scraping."""

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        asked: dict[str, Any] = {
            "query": first_words(query.text, _LONGEST),
            "limit": max(1, min(_MOST_HITS, query.limit)),
            "sources": [{"type": "web"}],
        }
        # Firecrawl refuses both lists together; domains that were not included are excluded anyway.
        if included := domain_list(filters.include_domains, _MOST_DOMAINS):
            asked["includeDomains"] = included
        elif excluded := domain_list(filters.exclude_domains, _MOST_DOMAINS):
            asked["excludeDomains"] = excluded
        if country := country_code(filters):
            asked["country"] = country.upper()
        if tbs := google_tbs(filters, self._clock.today()):
            asked["tbs"] = tbs
        return ApiRequest("/v2/search", json=asked, headers=self._bearer)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).data.web)
        return [hit(self.name, row.url, row.title, row.description) for row in rows]
