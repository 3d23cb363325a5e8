"""Questions and answers from Stack Overflow and the other sites of Stack Exchange."""

import json
import re
from datetime import UTC, datetime
from typing import Annotated, Any, Self, cast

import httpx2
from pydantic import BaseModel, BeforeValidator, Field, SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors
from deepresearch_mcp.search.limits import key_terms, language_code, leaves_out, unix_time
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Row, Words, from_html, hit, read_rows
from deepresearch_mcp.search.wire import ask, key_text

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


class StackExchange(SearchEngine):
    """Stack Overflow; another site of Stack Exchange if the domain filter names it first."""

    def __init__(self, http: httpx2.AsyncClient, key: SecretStr | None = None, *, clock: Clock, base_url: str) -> None:
        self._http = http
        self._key = key
        self._clock = clock
        self._url = f"{base_url.rstrip('/')}/2.3/search/advanced"
        self._not_before = float("-inf")
        """By the monotonic clock; the service bans clients that ask before."""

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http, parts.key, clock=parts.clock, base_url=parts.base_url)

    @property
    @override
    def name(self) -> str:
        return "stack_exchange"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 100 questions; none, without a request, if the domain filters exclude the site."""
        del needs
        site = _site(query.filters)
        if not site:
            return []
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
        if self._key is not None:
            params["key"] = key_text(self.name, self._key)
        body = await ask(self._http, self.name, "GET", self._url, params=params, explain=_explain)
        with provider_errors(self.name):
            answer = _Answer.model_validate_json(body)
            rows = read_rows(self.name, _Row, answer.items)
        if answer.backoff:
            self._not_before = self._clock.monotonic() + min(answer.backoff, _LONGEST_WAIT)
        found = [hit(self.name, row.url, from_html(row.title), row.snippet, row.published) for row in rows]
        return found[: query.limit]


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


def _explain(status: int, body: bytes) -> ProviderError | None:
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
            "stack_exchange",
            f"HTTP {status}: too many queries for now",
            retry_after=float(wait.group(1)) if wait else None,
        )
    if name in {"access_denied", "key_required"} or (name == "bad_parameter" and message == "key"):
        return engine_key_refused("stack_exchange", f"HTTP {status}: the key is wrong")
    if name == "temporarily_unavailable":
        return ProviderError("stack_exchange", f"HTTP {status}: it is unavailable for now", retryable=True)
    return None
