"""Web results from the Brave Search API."""

import json
from typing import Literal, Self

import httpx2
from pydantic import BaseModel, SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors
from deepresearch_mcp.search.limits import country_code, language_code, with_sites
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, read_rows
from deepresearch_mcp.search.wire import ask, key_text

_COUNTRIES = (
    "ar at au be br ca ch cl cn de dk es fi fr gb gr hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za"
)
_SAME = (
    "ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv "
    "ta te th tr uk vi"
)
_LANGUAGES = {code: code for code in _SAME.split()} | {"ja": "jp", "no": "nb", "pt": "pt-pt", "zh": "zh-hans"}
"""ISO 639-1 to Brave's own codes. Any other language is left out of the query, because Brave refuses unknown codes."""


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

    def __init__(self, http: httpx2.AsyncClient, key: SecretStr, clock: Clock, *, base_url: str) -> None:
        self._http = http
        self._key = key
        self._clock = clock
        self._url = f"{base_url.rstrip('/')}/res/v1/web/search"

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http, parts.required_key(), parts.clock, base_url=parts.base_url)

    @property
    @override
    def name(self) -> str:
        return "brave"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 20 hits."""
        del needs
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
            "count": max(1, min(20, query.limit)),
            "result_filter": "web",
            "text_decorations": "false",
        }
        if (region := country_code(filters)) in _COUNTRIES.split():
            params["country"] = region.upper()
        if language := _search_lang(filters):
            params["search_lang"] = language
        if filters.published_after or filters.published_before:
            after = filters.published_after.isoformat() if filters.published_after else "1990-01-01"
            before = (filters.published_before or self._clock.today()).isoformat()
            params["freshness"] = f"{after}to{before}"
        return params


def _search_lang(filters: Filters) -> str:
    if language_code(filters) == "pt" and country_code(filters) == "br":
        return "pt-br"
    return _LANGUAGES.get(language_code(filters), "")


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
