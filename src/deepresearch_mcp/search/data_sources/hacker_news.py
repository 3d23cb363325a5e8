"""Discussions on Hacker News, from its search at Algolia."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import key_terms, leaves_out, unix_time
from deepresearch_mcp.search.rows import Words, from_html, hit, read_rows

_LONGEST = 500
"""Characters of a query; Algolia accepts 512 bytes."""
_MOST_TERMS = 5
"""The service wants all of them in a title, an address or a post."""

_Count = Annotated[int, BeforeValidator(lambda value: value if isinstance(value, int) else 0)]


class _Row(BaseModel):
    id: str = Field(alias="objectID", pattern=r"^\d{1,12}$")
    title: str = Field(min_length=1)
    url: Words = ""
    text: Words = Field(default="", alias="story_text")
    created_at: Words = ""
    points: _Count = 0
    comments: _Count = Field(default=0, alias="num_comments")

    @property
    def snippet(self) -> str:
        told = f"{self.points} points, {self.comments} comments."
        return f"{told} {from_html(self.text)}" if self.text else f"{told} About {self.url}" if self.url else told


class _Answer(BaseModel):
    hits: list[object]


class HackerNews(ApiEngine):
    """Hacker News, at most 50 hits a page, of the first thousand.

    They are its discussions: web engines find the pages that these are about.
    """

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        if leaves_out("https://news.ycombinator.com", query.filters):
            return None
        size = max(1, min(50, query.limit))
        params: dict[str, str | int] = {
            "query": key_terms(query.text, _MOST_TERMS, _LONGEST),
            "tags": "story",
            "hitsPerPage": size,
            "page": query.page - 1,
        }
        if limits := _dates(query.filters):
            params["numericFilters"] = limits
        return ApiRequest("/api/v1/search", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).hits)
        return [
            hit(self.name, f"https://news.ycombinator.com/item?id={row.id}", row.title, row.snippet, row.created_at)
            for row in rows
        ]


def _dates(filters: Filters) -> str:
    limits: list[str] = []
    if filters.published_after:
        limits.append(f"created_at_i>={unix_time(filters.published_after)}")
    if filters.published_before:
        limits.append(f"created_at_i<={unix_time(filters.published_before, end=True)}")
    return ",".join(limits)
