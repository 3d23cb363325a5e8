"""Articles of Wikipedia, from its search API."""

from typing import ClassVar
from urllib.parse import quote

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import first_words, language_code, leaves_out
from deepresearch_mcp.search.rows import Words, from_html, hit, read_rows

_LONGEST = 300
"""Most characters of a query that the API accepts."""
_CODES = {"nb": "no"}
"""Languages for which Wikipedia's code differs from ISO 639-1."""


class _Row(BaseModel):
    title: str = Field(min_length=1)
    snippet: Words = ""


class _Found(BaseModel):
    search: list[object]


class Fault(BaseModel):
    """What an API of MediaWiki reports with HTTP 200."""

    code: Words = ""


class _Answer(BaseModel):
    query: _Found | None = None
    error: Fault | None = None


class Wikipedia(ApiEngine):
    """Wikipedia in the requested language, else in English, at most 50 articles a page, all undated."""

    home: ClassVar = "https://{language}.wikipedia.org"

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        site = self._site(query)
        if leaves_out(site, query.filters):
            return None
        size = max(1, min(50, query.limit))
        params: dict[str, str | int] = {
            "action": "query",
            "list": "search",
            "srsearch": first_words(query.text, _LONGEST),
            "srlimit": size,
            "sroffset": (query.page - 1) * size,
            "srprop": "snippet",
            "format": "json",
            "formatversion": 2,
        }
        return ApiRequest(f"{site}/w/api.php", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, self._found(_Answer.model_validate_json(body)))
        return [
            hit(self.name, _address(self._site(query), row.title), row.title, from_html(row.snippet)) for row in rows
        ]

    def _site(self, query: Query) -> str:
        language = language_code(query.filters) or "en"
        return self._base.replace("{language}", _CODES.get(language, language))

    def _found(self, answer: _Answer) -> list[object]:
        if answer.error or answer.query is None:
            raise fault_of(self.name, answer.error)
        return answer.query.search


def fault_of(engine: str, fault: Fault | None) -> ProviderError:
    """Return the error for an answer of MediaWiki that holds a fault, or neither results nor a fault."""
    if fault is None:
        return UnreadableAnswer(engine, "its answer holds neither results nor an error")
    if fault.code in {"ratelimited", "maxlag"}:
        return RateLimited(engine, f"it is busy ({fault.code})")
    return ProviderError(engine, "it refuses the query", retryable=fault.code.startswith("internal_api_error"))


def _address(site: str, title: str) -> str:
    page = quote(title.replace(" ", "_"), safe="/:@!$&'()*,;~-._")
    return f"{site}/wiki/{page}"
