"""Opinions of courts in the United States, from the search of CourtListener."""

from typing import Final
from urllib.parse import urljoin

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import in_few_words
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import leaves_out
from deepresearch_mcp.search.rows import Words, from_html, hit, read_rows

HOME: Final = "https://www.courtlistener.com"


class _Opinion(BaseModel):
    snippet: Words = ""


class _Row(BaseModel):
    absolute_url: str = Field(pattern="^/")
    case_name: Words = Field(default="", alias="caseName")
    court: Words = ""
    filed: Words = Field(default="", alias="dateFiled")
    docket: Words = Field(default="", alias="docketNumber")
    citation: list[Words] | None = None
    opinions: list[_Opinion] | None = None


class _Answer(BaseModel):
    results: list[object]


class CourtListener(HttpEngine):
    """Opinions at CourtListener. Without a token it answers fewer queries a day."""

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return hits from the best 20 opinions, of all pages together; later ones have no address of their own.

        None, without a request, if the domain filters exclude CourtListener.
        """
        del needs
        filters = query.filters
        if leaves_out(HOME, filters):
            return []
        params: dict[str, str | int] = {"type": "o", "order_by": "score desc"}
        if filters.published_after:
            params["filed_after"] = filters.published_after.isoformat()
        if filters.published_before:
            params["filed_before"] = filters.published_before.isoformat()
        headers = {"Authorization": f"Token {self._secret}"} if self._key else {}

        async def search(words: str) -> list[_Row]:
            asked = ApiRequest("/api/rest/v4/search/", "GET", params=params | {"q": words}, headers=headers)
            body = await self._answer(asked)
            with provider_errors(self.name):
                return read_rows(self.name, _Row, _Answer.model_validate_json(body).results)

        start = (query.page - 1) * query.limit
        rows = (await in_few_words(query.text, search))[start : start + query.limit]
        return [self._hit(row) for row in rows]

    def _hit(self, row: _Row) -> Hit:
        cited = ", ".join(row.citation or [])
        title = f"{from_html(row.case_name)}{f', {cited}' if cited else ''}"
        words = " … ".join(from_html(opinion.snippet) for opinion in row.opinions or [] if opinion.snippet)
        about = f"{row.court}, filed {row.filed}, docket {row.docket}. {words}"
        return hit(self.name, urljoin(f"{self._base}/", row.absolute_url), title, about, row.filed)
