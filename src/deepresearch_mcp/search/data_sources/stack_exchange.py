"""Questions and answers from Stack Overflow and the other sites of Stack Exchange."""

import json
import re
from datetime import UTC, datetime
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, Field
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.errors import engine_key_refused
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import key_terms, language_code, leaves_out, unix_time
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, read_rows

_LONGEST = 240
_MOST_TERMS = 6
"""The service wants all of them in a record."""
_SITES = {
    "stackoverflow.com": "stackoverflow",
    "serverfault.com": "serverfault",
    "superuser.com": "superuser",
    "askubuntu.com": "askubuntu",
    "mathoverflow.net": "mathoverflow.net",
    "stackapps.com": "stackapps",
}
_LANGUAGES = frozenset(("es", "ja", "pt", "ru"))
"""Languages with a Stack Overflow of their own."""
_LONGEST_WAIT = 86_400
"""Seconds; a longer one cannot be meant, because quotas are by the day."""

_Seconds = Annotated[int, BeforeValidator(lambda value: value if isinstance(value, int) and value > 0 else 0)]


class _Row(Row):
    url: str = Field(alias="link", min_length=1)
    body: Words = ""
    created: _Seconds = Field(default=0, alias="creation_date")
    answers: _Seconds = Field(default=0, alias="answer_count")
    score: Annotated[int, BeforeValidator(lambda value: value if isinstance(value, int) else 0)] = 0

    @property
    def published(self) -> str:
        try:
            return datetime.fromtimestamp(self.created, UTC).date().isoformat() if self.created else ""
        except (ValueError, OverflowError, OSError):
            return ""

    @property
    def snippet(self) -> str:
        return f"Score {self.score}, {self.answers} answers. {from_html(self.body)}".strip()


class _Answer(BaseModel):
    items: list[object]
    backoff: _Seconds = 0


class StackExchange(ApiEngine):
    """Stack Overflow, at most 100 questions a page; another site if the domain filter names it first."""

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        self._not_before = float("-inf")
        """By the monotonic clock; the service bans clients that ask before."""

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        site = _site(query.filters)
        if not site:
            return None
        if (wait := self._not_before - self._clock.monotonic()) > 0:
            raise RateLimited(self.name, "it wants a pause between queries", retry_after=wait)
        params: dict[str, str | int] = {
            "q": key_terms(query.text, _MOST_TERMS, _LONGEST),
            "site": site,
            "sort": "relevance",
            "order": "desc",
            "filter": "withbody",
            "page": query.page,
            "pagesize": max(1, min(100, query.limit)),
        } | _dates(query.filters)
        if self._key:
            params["key"] = self._secret
        return ApiRequest("/2.3/search/advanced", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        answer = _Answer.model_validate_json(body)
        rows = read_rows(self.name, _Row, answer.items)
        if answer.backoff:
            self._not_before = self._clock.monotonic() + min(answer.backoff, _LONGEST_WAIT)
        return [hit(self.name, row.url, from_html(row.title), row.snippet, row.published) for row in rows]

    @override
    def _explain(self, status: int, body: bytes) -> ProviderError | None:
        """Return the error that the service names in its answer: most have status 400."""
        try:
            said: Any = json.loads(body)
        except (ValueError, RecursionError):
            return None
        if not isinstance(said, dict):
            return None
        told = cast("dict[str, object]", said)
        name, message = told.get("error_name"), told.get("error_message")
        if name == "throttle_violation":
            wait = re.search(r"available in (\d{1,6}) seconds", message) if isinstance(message, str) else None
            return RateLimited(
                self.name,
                f"HTTP {status}: too many queries for now",
                retry_after=float(wait.group(1)) if wait else None,
            )
        if name in {"access_denied", "key_required"} or (name == "bad_parameter" and message == "key"):
            return engine_key_refused(self.name, f"HTTP {status}: the key is wrong")
        if name == "temporarily_unavailable":
            return ProviderError(self.name, f"HTTP {status}: it is unavailable for now", retryable=True)
        return None


def _site(filters: Filters) -> str:
    """Return the name of the site to ask; "" if the filters exclude it."""
    for domain in filters.include_domains:
        bare = domain.removeprefix("www.")
        language = re.fullmatch(r"(es|ja|pt|ru)\.stackoverflow\.com", bare)
        own = re.fullmatch(r"([a-z0-9-]+(?:\.meta)?)\.stackexchange\.com", bare)
        if site := _SITES.get(bare) or (f"{language.group(1)}.stackoverflow" if language else own and own.group(1)):
            return "" if leaves_out(f"https://{bare}", filters) else site
    if filters.include_domains:
        return ""
    language = language_code(filters)
    if language in _LANGUAGES and not leaves_out(f"https://{language}.stackoverflow.com", filters):
        return f"{language}.stackoverflow"
    return "" if leaves_out("https://stackoverflow.com", filters) else "stackoverflow"


def _dates(filters: Filters) -> dict[str, str | int]:
    dates: dict[str, str | int] = {}
    if filters.published_after:
        dates["fromdate"] = unix_time(filters.published_after)
    if filters.published_before:
        dates["todate"] = unix_time(filters.published_before, end=True)
    return dates
