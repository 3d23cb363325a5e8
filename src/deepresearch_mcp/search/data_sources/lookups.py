"""What adapters of registers share: records asked for by name, queries in few words, and the domains of one site."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

import httpx2

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.search.limits import first_words
from deepresearch_mcp.search.wire import Explain, ask
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.text.urls import in_domains

FEW: Final = (7, 3)
"""Most search terms of the first try, and of the second. Registers look for records that hold every word."""

_SYNTAX = re.compile(r"[\"“”()\[\]{}:^~*?!|<>=\\]|(?<!\S)-+")
"""Signs with a meaning in queries of some register: fields, ranges, wildcards, negation."""

FoundT = TypeVar("FoundT")


class NoSuchRecord(ProviderError):
    """The register has no record of that name."""


async def record(
    http: httpx2.AsyncClient,
    provider: str,
    url: str,
    *,
    params: Mapping[str, str | int] | None = None,
    headers: Mapping[str, str] | None = None,
    explain: Explain | None = None,
) -> bytes | None:
    """Ask for one record by its address; None if there is none (HTTP 404 or 410).

    Raises:
        ProviderError: See `ask`.
    """

    def refused(status: int, body: bytes) -> ProviderError | None:
        if status in {404, 410}:
            return NoSuchRecord(provider, "it has no such record")
        return explain(status, body) if explain else None

    try:
        return await ask(http, provider, "GET", url, params=params, headers=headers, explain=refused)
    except NoSuchRecord:
        return None


async def in_few_words(text: str, search: Callable[[str], Awaitable[list[FoundT]]]) -> list[FoundT]:
    """Search with the terms that matter most, and once more with fewer of them if nothing was found.

    Raises:
        ProviderError: What `search` raises.
    """
    asked = ""
    for most in FEW:
        words = few_words(text, most)
        if words == asked:
            break
        if found := await search(words):
            return found
        asked = words
    return []


def few_words(text: str, most: int) -> str:
    """Return at most `most` search terms of a query, in its order and without signs of query languages.

    A query of stopwords alone keeps its words.
    """
    return first_words(_SYNTAX.sub(" ", " ".join(keywords(text, most)) or text), 200)


def is_left_out(site: str, filters: Filters) -> bool:
    """Return whether the domain filters leave out `site`, the address that all hits of a source begin with."""
    included, excluded = filters.include_domains, filters.exclude_domains
    return bool((included and not in_domains(site, included)) or in_domains(site, excluded))


def each_once(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits in order, of each address the first."""
    unique: dict[str, Hit] = {}
    for one in hits:
        unique.setdefault(one.url, one)
    return list(unique.values())
