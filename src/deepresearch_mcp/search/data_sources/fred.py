"""Economic time series, from the API of FRED at the Federal Reserve Bank of St. Louis."""

from typing import Final, Self
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, Field, SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import in_few_words, is_left_out
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, read_rows
from deepresearch_mcp.search.wire import ask, key_text

HOME: Final = "https://api.stlouisfed.org"
_SITE: Final = "https://fred.stlouisfed.org"


class _Row(BaseModel):
    id: str = Field(min_length=1)
    title: Words = ""
    frequency: Words = ""
    units: Words = ""
    seasonal_adjustment: Words = ""
    observation_start: Words = ""
    observation_end: Words = ""
    last_updated: Words = ""
    notes: Words = ""


class _Answer(BaseModel):
    seriess: list[object]
    """The API's own spelling."""


class Fred(SearchEngine):
    """FRED. A series' date is that of its last update; the best series is returned with all its figures as well."""

    def __init__(self, http: httpx2.AsyncClient, key: SecretStr, *, base_url: str = HOME) -> None:
        self._http = http
        self._key = key
        self._url = f"{base_url.rstrip('/')}/fred/series/search"

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http, parts.required_key(), base_url=parts.base_url)

    @property
    @override
    def name(self) -> str:
        return "fred"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 1,000 hits; none, without a request, if the domain filters exclude FRED."""
        del needs
        if is_left_out(_SITE, query.filters):
            return []
        size = max(1, min(1_000, query.limit))
        params: dict[str, str | int] = {
            "api_key": key_text(self.name, self._key),
            "file_type": "json",
            "order_by": "search_rank",
            "limit": size,
            "offset": (query.page - 1) * size,
        }

        async def search(words: str) -> list[_Row]:
            asked = params | {"search_text": words}
            body = await ask(self._http, self.name, "GET", self._url, params=asked, explain=_explain)
            with provider_errors(self.name):
                return read_rows(self.name, _Row, _Answer.model_validate_json(body).seriess)

        rows = await in_few_words(query.text, search)
        found = [hit(self.name, f"{_SITE}/series/{quote(row.id)}", *_about(row)) for row in rows]
        if rows and query.page == 1:
            # The page of a series shows its last figures only; this one lists all, and needs no key.
            title, facts, updated = _about(rows[0])
            found.insert(
                1, hit(self.name, f"{_SITE}/data/{quote(rows[0].id)}", f"{title}: all figures", facts, updated)
            )
        return found[: query.limit]


def _about(row: _Row) -> tuple[str, str, str]:
    span = f"{row.observation_start} to {row.observation_end}"
    facts = f"{row.units}, {row.frequency}, {row.seasonal_adjustment}, {span}. {row.notes}"
    return f"{row.title} ({row.id})", facts, row.last_updated


def _explain(status: int, body: bytes) -> ProviderError | None:
    """Return the error for a refused key: FRED answers 400 to it and to a bad query; only the body differs."""
    known = status == 400 and b"api_key" in body[:2_000]
    return engine_key_refused("fred", "HTTP 400: the key is missing or wrong") if known else None
