"""Articles of Wikipedia, from its search API."""

from typing import Self
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.limits import first_words, language_code, leaves_out
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, from_html, hit, read_rows
from deepresearch_mcp.search.wire import ask

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


class Wikipedia(SearchEngine):
    """Wikipedia in the requested language, else in English. Articles have no publication date."""

    def __init__(self, http: httpx2.AsyncClient, *, base_url: str = "https://{language}.wikipedia.org") -> None:
        self._http = http
        self._base = base_url.rstrip("/")

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http)

    @property
    @override
    def name(self) -> str:
        return "wikipedia"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 50 hits; none, without a request, if the domain filters exclude Wikipedia."""
        del needs
        language = language_code(query.filters) or "en"
        base = self._base.replace("{language}", _CODES.get(language, language))
        if leaves_out(base, query.filters):
            return []
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
        body = await ask(self._http, self.name, "GET", f"{base}/w/api.php", params=params)
        with provider_errors(self.name):
            rows = read_rows(self.name, _Row, self._found(_Answer.model_validate_json(body)))
        return [hit(self.name, _address(base, row.title), row.title, from_html(row.snippet)) for row in rows]

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


def _address(base: str, title: str) -> str:
    page = quote(title.replace(" ", "_"), safe="/:@!$&'()*,;~-._")
    return f"{base}/wiki/{page}"
