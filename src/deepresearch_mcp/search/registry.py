"""The engines there are: one line each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio
import httpx2
from pydantic import SecretStr

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.search.brave import Brave
from deepresearch_mcp.search.duckduckgo import DuckDuckGo
from deepresearch_mcp.search.errors import key_variable
from deepresearch_mcp.search.local import Local
from deepresearch_mcp.search.searxng import SearXNG
from deepresearch_mcp.search.tavily import Tavily
from deepresearch_mcp.search.wikipedia import Wikipedia
from deepresearch_mcp.search.wrappers import Shared, WithTimeout
from deepresearch_mcp.settings.schema import SearchSettings


@dataclass(frozen=True, slots=True)
class _Parts:
    """What engines are made of."""

    settings: SearchSettings
    http: httpx2.AsyncClient
    collections: Collections
    clock: Clock


_ENGINES: Mapping[str, Callable[[_Parts], SearchEngine]] = {
    "duckduckgo": lambda has: DuckDuckGo(has.clock),
    "wikipedia": lambda has: Wikipedia(has.http),
    "searxng": lambda has: SearXNG(has.http, _address(has.settings), has.clock),
    "tavily": lambda has: Tavily(has.http, has.settings.tavily_key, base_url=has.settings.tavily_base_url),
    "brave": lambda has: Brave(has.http, _brave_key(has.settings), has.clock, base_url=has.settings.brave_base_url),
    "local": lambda has: Local(has.collections),
}

_KEYLESS = ("duckduckgo", "wikipedia")


def names() -> tuple[str, ...]:
    """All engines; `local` is asked only about queries that name collections."""
    return tuple(_ENGINES)


def chosen(settings: SearchSettings) -> tuple[str, ...]:
    """Settle the names of the engines to ask, in order and each once.

    `auto` stands for those that were set up (a key for brave or tavily, an address for searxng), in this order;
    where there is none, for duckduckgo and wikipedia.

    Raises:
        InvalidRequest: An engine is unknown, or none is named.
    """
    found: list[str] = []
    for name in settings.engines:
        found.extend(_automatic(settings) if name == "auto" else (name,))
    return known(found)


def known(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the names, each once, in order.

    Raises:
        InvalidRequest: One is unknown, or there is none.
    """
    everything = ", ".join(names())
    if not wanted:
        raise InvalidRequest("No search engine is named.", f"Name one of: {everything}.")
    for name in wanted:
        if name not in _ENGINES:
            raise InvalidRequest(f"There is no search engine {name[:40]!r}.", f"Known are: {everything}.")
    return tuple(dict.fromkeys(wanted))


def open_engines(
    wanted: Sequence[str], settings: SearchSettings, http: httpx2.AsyncClient, collections: Collections, clock: Clock
) -> list[SearchEngine]:
    """Make engines, in the order named, each giving up after `settings.timeout`.

    `for_run` puts the concerns of one run around them. They send the client's own User-Agent: Wikipedia refuses
    those that do not say who they are.

    Raises:
        InvalidRequest: An engine is unknown.
        SettingsError: An engine lacks the key or the address without which it cannot be asked.
    """
    parts = _Parts(settings, http, collections, clock)
    return [WithTimeout(_ENGINES[name](parts), settings.timeout) for name in known(wanted)]


def share(wanted: Sequence[str], settings: SearchSettings, breaker: CircuitBreaker) -> dict[str, Shared]:
    """Make what the runs of a process share about each engine: its limiter, and the breaker."""
    return {name: Shared(anyio.CapacityLimiter(_at_once(name, settings)), breaker) for name in known(wanted)}


def _at_once(name: str, settings: SearchSettings) -> int:
    # There is no contract with DuckDuckGo: more at once is what makes it stop answering.
    return min(settings.concurrency, 3) if name == "duckduckgo" else settings.concurrency


def _automatic(settings: SearchSettings) -> tuple[str, ...]:
    ready = {"brave": settings.brave_key, "tavily": settings.tavily_key, "searxng": settings.searxng_url}
    return tuple(name for name, given in ready.items() if given) or _KEYLESS


def _brave_key(settings: SearchSettings) -> SecretStr:
    if settings.brave_key is None:
        raise SettingsError("Brave needs a key.", f"Set {key_variable('brave')}, or leave brave out.")
    return settings.brave_key


def _address(settings: SearchSettings) -> str:
    if not settings.searxng_url.strip():
        raise SettingsError("SearXNG needs the address of an instance.", "Set SEARXNG_URL, or leave searxng out.")
    return settings.searxng_url
