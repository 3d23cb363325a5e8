"""Repositories, issues and code of GitHub, from its REST API."""

import json
import re
from datetime import date
from typing import Final, Literal, NamedTuple, Self

import httpx2
from pydantic import BaseModel, Field, SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import each_once, in_few_words, is_left_out, record
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, read_rows
from deepresearch_mcp.search.wire import ask, key_text

HOME: Final = "https://api.github.com"
_SITE: Final = "https://github.com"
_NAMED = re.compile(r"(?:(github\.com/)|(?<![\w/.@-]))([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100})(?![\w/])")
_TROUBLE = re.compile(
    r"\b(?:issues?|bugs?|errors?|exceptions?|traceback|crash(?:es|ed)?|regression|pull requests?|workaround)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`\n]{2,80}`|\b\w+\(\)|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w+\b")
_SIGNS = re.compile(r"[`/]")
_NO_REPOSITORIES = frozenset({"and", "or", "he", "his", "her", "him", "km", "tcp", "input", "on", "n"})
"""Words before a slash in plain prose: and/or, he/she."""


class _Row(BaseModel):
    html_url: str = Field(min_length=1)


class _Repository(_Row):
    full_name: Words = ""
    description: Words = ""
    pushed_at: Words = ""
    stargazers_count: int = 0
    language: Words = ""


class _Issue(_Row):
    title: Words = ""
    body: Words = ""
    state: Words = ""
    updated_at: Words = ""


class _Owner(BaseModel):
    full_name: Words = ""


class _Code(_Row):
    path: Words = ""
    repository: _Owner = _Owner()


class _Answer(BaseModel):
    items: list[object]


class _Index(NamedTuple):
    """One of GitHub's searches."""

    path: Literal["repositories", "issues", "code"]
    dated: str
    """The qualifier that takes a range of dates; empty: none does."""
    qualifiers: str = ""


class _Name(NamedTuple):
    path: str
    """`owner/name`."""
    surely: bool
    """It stands in an address of GitHub."""


_REPOSITORIES = _Index("repositories", "pushed")
_ISSUES = _Index("issues", "updated", "is:issue ")
_CODES = _Index("code", "")


class GitHub(SearchEngine):
    """GitHub: a repository that the query names, else a search.

    Words of trouble (bug, error, traceback) ask for issues, code in the query asks for files if there is a token, and
    anything else for repositories. A repository's date is that of its last push.
    """

    def __init__(self, http: httpx2.AsyncClient, key: SecretStr | None = None, *, base_url: str = HOME) -> None:
        self._http = http
        self._key = key
        self._base = base_url.rstrip("/")

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http, parts.key, base_url=parts.base_url)

    @property
    @override
    def name(self) -> str:
        return "github"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 100 hits; none, without a request, if the domain filters exclude GitHub."""
        del needs
        if is_left_out(_SITE, query.filters):
            return []
        found: list[Hit] = []
        named = _named(query.text)
        if named and query.page == 1:
            body = await record(
                self._http, self.name, f"{self._base}/repos/{named.path}", headers=self._headers(), explain=_explain
            )
            if body is not None:
                with provider_errors(self.name):
                    found.append(self._repository(_Repository.model_validate_json(body)))
        index = self._index(query.text)
        if found and named and index is not _REPOSITORIES:
            scope, text = f"repo:{named.path} ", _NAMED.sub(" ", query.text)
        else:
            scope, text = "", query.text
        # `client/server` may be a repository, and is rarely meant as one.
        if not (found and named and named.surely) or scope:
            words = _SIGNS.sub(" ", text)
            found.extend(await in_few_words(words, lambda few: self._search(index, scope + few, query)))
        return each_once(found)[: query.limit]

    def _index(self, text: str) -> _Index:
        if _TROUBLE.search(text):
            return _ISSUES
        # GitHub searches code for known users only.
        return _CODES if self._key and _CODE.search(text) else _REPOSITORIES

    async def _search(self, index: _Index, words: str, query: Query) -> list[Hit]:
        params: dict[str, str | int] = {
            "q": f"{index.qualifiers}{words}{_dates(index.dated, query.filters)}",
            "per_page": max(1, min(100, query.limit)),
            "page": query.page,
        }
        url = f"{self._base}/search/{index.path}"
        body = await ask(self._http, self.name, "GET", url, params=params, headers=self._headers(), explain=_explain)
        with provider_errors(self.name):
            rows = _Answer.model_validate_json(body).items
            if index.path == "repositories":
                return [self._repository(row) for row in read_rows(self.name, _Repository, rows)]
            if index.path == "issues":
                return [self._issue(row) for row in read_rows(self.name, _Issue, rows)]
            return [
                hit(self.name, row.html_url, f"{row.path} in {row.repository.full_name}", "")
                for row in read_rows(self.name, _Code, rows)
            ]

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if self._key:
            headers["Authorization"] = f"Bearer {key_text(self.name, self._key)}"
        return headers

    def _repository(self, row: _Repository) -> Hit:
        facts = f"{row.description} ({row.language or 'no language'}, {row.stargazers_count:,} stars)"
        return hit(self.name, row.html_url, row.full_name, facts, row.pushed_at)

    def _issue(self, row: _Issue) -> Hit:
        return hit(self.name, row.html_url, f"{row.title} ({row.state})", row.body[:500], row.updated_at)


def _named(text: str) -> _Name | None:
    match = _NAMED.search(text)
    if not match or match[2].casefold() in _NO_REPOSITORIES or match[2].isdigit():
        return None
    return _Name(f"{match[2]}/{match[3].rstrip('.').removesuffix('.git')}", surely=bool(match[1]))


def _dates(qualifier: str, filters: Filters) -> str:
    after, before = filters.published_after, filters.published_before
    if not qualifier or not (after or before):
        return ""
    return f" {qualifier}:{_day(after)}..{_day(before)}"


def _day(day: date | None) -> str:
    return day.isoformat() if day else "*"


def _explain(status: int, body: bytes) -> ProviderError | None:
    """Return the error for a used-up rate. GitHub answers 403 to it and to a wrong token; only the message differs."""
    if status != 403:
        return None
    try:
        said = json.dumps(json.loads(body)).casefold()
    except (ValueError, RecursionError):
        return None
    return RateLimited("github", "HTTP 403: too many queries for now") if "rate limit" in said else None
