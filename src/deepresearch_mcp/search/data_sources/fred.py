"""Economic time series, from the API of FRED at the Federal Reserve Bank of St. Louis."""

from typing import ClassVar, Final
from urllib.parse import quote

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import in_few_words
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine, Refusal
from deepresearch_mcp.search.limits import leaves_out
from deepresearch_mcp.search.rows import Words, hit, read_rows

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


class Fred(HttpEngine):
    """FRED. A series' date is that of its last update; the best series is returned with all its figures as well."""

    # FRED answers 400 to a refused key and to a bad query; only the body differs.
    refusals: ClassVar = (Refusal(400, b"api_key", "key"),)

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 1,000 hits; none, without a request, if the domain filters exclude FRED."""
        del needs
        if leaves_out(_SITE, query.filters):
            return []
        size = max(1, min(1_000, query.limit))
        params: dict[str, str | int] = {
            "api_key": self._secret,
            "file_type": "json",
            "order_by": "search_rank",
            "limit": size,
            "offset": (query.page - 1) * size,
        }

        async def search(words: str) -> list[_Row]:
            asked = ApiRequest("/fred/series/search", "GET", params=params | {"search_text": words})
            body = await self._answer(asked)
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
