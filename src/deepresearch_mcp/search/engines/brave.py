"""Web results from the Brave Search API."""

import json
from typing import Literal, Self

import httpx2
from pydantic import BaseModel, SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.brave_codes import brave_country, brave_language
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors
from deepresearch_mcp.search.limits import day_range, with_sites
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, read_rows
from deepresearch_mcp.search.wire import ask, key_text

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


class Brave(SearchEngine):
    """The Brave Search API. It takes domains as `site:` operators and dates as `freshness`."""

    def __init__(
        self, http: httpx2.AsyncClient, key: SecretStr, clock: Clock, *, base_url: str, safe_search: str = "moderate"
    ) -> None:
        self._http = http
        self._key = key
        self._clock = clock
        self._safe_search = safe_search
        self._url = f"{base_url.rstrip('/')}/res/v1/web/search"

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(
            parts.http,
            parts.required_key(),
            parts.clock,
            base_url=parts.base_url,
            safe_search=parts.settings.safe_search,
        )

    @property
    @override
    def name(self) -> str:
        return "brave"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 20 hits; none, without a request, beyond the tenth page of hits."""
        del needs
        if query.page - 1 > _LAST_OFFSET:
            return []
        headers = {"X-Subscription-Token": key_text(self.name, self._key), "Accept": "application/json"}
        body = await ask(
            self._http, self.name, "GET", self._url, params=self._params(query), headers=headers, explain=_explain
        )
        with provider_errors(self.name):
            web = _Answer.model_validate_json(body).web
            rows = read_rows(self.name, _Row, web.results if web else [])
        found = [
            hit(self.name, row.url, from_html(row.title), from_html(row.description), row.page_age) for row in rows
        ]
        return found[: query.limit]

    def _params(self, query: Query) -> dict[str, str | int]:
        filters = query.filters
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
        return params


def _explain(status: int, body: bytes) -> ProviderError | None:
    """Return the error for a refused key. Brave answers 422 to it and to a bad query; only the body differs."""
    if status != 422:
        return None
    try:
        whole = json.dumps(json.loads(body)).upper()
    except (ValueError, RecursionError):
        return None
    known = "SUBSCRIPTION_TOKEN_INVALID" in whole or "X-SUBSCRIPTION-TOKEN" in whole
    return engine_key_refused("brave", "HTTP 422: the key is missing or wrong") if known else None
