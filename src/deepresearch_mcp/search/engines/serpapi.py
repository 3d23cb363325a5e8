"""Google's web results from SerpApi."""

from typing import ClassVar

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, UnreadableAnswer
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import country_code, google_tbs, language_code, with_sites
from deepresearch_mcp.search.rows import Words, hit, read_rows, shown_as_iso

_MOST_HITS = 10
"""Google shows ten results a page, and a page is what a search of SerpApi buys."""


class _Row(BaseModel):
    link: str = Field(min_length=1)
    title: Words = ""
    snippet: Words = ""
    date: Words = ""


class _Metadata(BaseModel):
    status: Words = ""


class _Answer(BaseModel):
    search_metadata: _Metadata
    organic_results: list[object] | None = None
    error: Words = ""
    """Also set, with HTTP 200 and the status "Success", if Google found nothing."""


class SerpApi(ApiEngine):
    """Google's results by SerpApi. It takes the key in the address only, and domains as `site:` operators."""

    refusals: ClassVar = (Refusal(429, b"run out of searches", "quota"),)

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        count = max(1, min(_MOST_HITS, query.limit))
        params: dict[str, str | int] = {
            "engine": "google",
            "q": with_sites(query.text, filters),
            "num": count,
            "start": (query.page - 1) * count,
            # Google has no step between the two.
            "safe": "off" if self._safe_search == "off" else "active",
            "api_key": self._secret,
        }
        if country := country_code(filters):
            params["gl"] = country
        if language := language_code(filters):
            params["hl"] = language
        if tbs := google_tbs(filters, self._clock.today()):
            params["tbs"] = tbs
        return ApiRequest("/search.json", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        answer = _Answer.model_validate_json(body)
        status = answer.search_metadata.status
        if status == "Error":
            raise ProviderError(self.name, "its search of Google failed", retryable=True)
        if answer.organic_results is None and status != "Success":
            raise UnreadableAnswer(self.name, "its answer holds neither results nor a finished search")
        today = self._clock.today()
        rows = read_rows(self.name, _Row, answer.organic_results or [])
        return [hit(self.name, row.link, row.title, row.snippet, shown_as_iso(row.date, today)) for row in rows]
