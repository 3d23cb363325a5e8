"""Web results from the Brave Search API."""

from typing import ClassVar, Literal

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.brave_codes import brave_country, brave_language
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import day_range, with_sites
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, read_rows

_MOST_HITS, _LAST_OFFSET = 20, 9


class _Row(Row):
    description: Words = ""
    page_age: Words = ""


class _Web(BaseModel):
    results: list[object] = []


class _Answer(BaseModel):
    type: Literal["search"]
    """Required, because an error's JSON would otherwise read as "nothing found"."""
    web: _Web | None = None
    """Missing if nothing was found."""


class Brave(ApiEngine):
    """The Brave Search API. It takes domains as `site:` operators and dates as `freshness`."""

    # Brave answers 422 to a refused key and to a bad query; only the body differs.
    refusals: ClassVar = (
        Refusal(422, b"subscription_token_invalid", "key"),
        Refusal(422, b"x-subscription-token", "key"),
    )

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        if query.page - 1 > _LAST_OFFSET:
            return None
        params: dict[str, str | int] = {
            "q": with_sites(query.text, filters),
            "count": max(1, min(_MOST_HITS, query.limit)),
            "result_filter": "web",
            "text_decorations": "false",
            "safesearch": self._safe_search,
        }
        if query.page > 1:
            # In multiples of `count`.
            params["offset"] = query.page - 1
        if country := brave_country(filters):
            params["country"] = country
        if language := brave_language(filters):
            params["search_lang"] = language
        if days := day_range(filters, self._clock.today()):
            params["freshness"] = f"{days[0]}to{days[1]}"
        return ApiRequest("/res/v1/web/search", "GET", params=params, headers={"X-Subscription-Token": self._secret})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        web = _Answer.model_validate_json(body).web
        rows = read_rows(self.name, _Row, web.results if web else [])
        return [hit(self.name, row.url, from_html(row.title), from_html(row.description), row.page_age) for row in rows]
