"""Google's web results from Serper."""

from typing import Any, ClassVar

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import country_code, google_tbs, language_code, with_sites
from deepresearch_mcp.search.rows import Words, hit, read_rows, shown_as_iso

_MOST_HITS = 10
"""More would cost a second credit, and a query has one price."""


class _Row(BaseModel):
    link: str = Field(min_length=1)
    title: Words = ""
    snippet: Words = ""
    date: Words = ""


class _Answer(BaseModel):
    searchParameters: dict[str, object]  # noqa: N815 - Serper's name
    """Required, because an error's JSON would otherwise read as "nothing found"."""
    organic: list[object] = []


class Serper(ApiEngine):
    """Google's results by the Serper API. It takes domains as `site:` operators."""

    refusals: ClassVar = (
        Refusal(400, b"not enough credits", "quota"),
        Refusal(403, b"not enough credits", "quota"),
        Refusal(429, b"credits", "quota"),
    )

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        asked: dict[str, Any] = {
            "q": with_sites(query.text, filters),
            "num": max(1, min(_MOST_HITS, query.limit)),
            "page": query.page,
        }
        if country := country_code(filters):
            asked["gl"] = country
        if language := language_code(filters):
            asked["hl"] = language
        if tbs := google_tbs(filters, self._clock.today()):
            asked["tbs"] = tbs
        return ApiRequest("/search", json=asked, headers={"X-API-KEY": self._secret})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        today = self._clock.today()
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).organic)
        return [hit(self.name, row.link, row.title, row.snippet, shown_as_iso(row.date, today)) for row in rows]
