"""Repositories, issues and code of GitHub, from its REST API."""

import re
from datetime import date
from typing import Final, Literal, NamedTuple

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import each_once, in_few_words
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import leaves_out
from deepresearch_mcp.search.rows import Words, hit, read_rows

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


class GitHub(HttpEngine):
    """GitHub: a repository that the query names, else a search.

    Words of trouble (bug, error, traceback) ask for issues, code in the query asks for files if there is a token, and
    anything else for repositories. A repository's date is that of its last push.
    """

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 100 hits; none, without a request, if the domain filters exclude GitHub."""
        del needs
        if leaves_out(_SITE, query.filters):
            return []
        found: list[Hit] = []
        named = _named(query.text)
        if named and query.page == 1:
            body = await self._record(ApiRequest(f"/repos/{named.path}", "GET", headers=self._headers()))
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
        body = await self._answer(ApiRequest(f"/search/{index.path}", "GET", params=params, headers=self._headers()))
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
            headers |= self._bearer
        return headers

    @override
    def _explain(self, status: int, body: bytes) -> ProviderError | None:
        """Return the error for a used-up rate. GitHub answers 403 to it and to a wrong token; the messages differ."""
        spent = status == 403 and b"rate limit" in body.lower()
        return RateLimited(self.name, "HTTP 403: too many queries for now") if spent else None

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
