"""Keyless web search through ddgs, which reads the public result pages of search engines as a browser does.

It shows a browser's `User-Agent`, not ours: the README says so beside `web.contact`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self
from urllib.parse import quote

import anyio
import anyio.to_thread
from ddgs.exceptions import DDGSException, TimeoutException
from typing_extensions import override

from deepresearch_mcp.exceptions import UNREACHABLE, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.limits import country_code, day_range, language_code, since, with_sites
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import hit

BACKENDS = ("duckduckgo", "brave", "yahoo", "mojeek")
"""Backends, asked in turn until one finds something. ddgs's own choice ("auto") asks encyclopaedias first."""

SAFE_BACKENDS = frozenset({"brave", "mojeek"})
"""Backends that ddgs can tell to search strictly; under strict safe search the others are not asked."""

_NAME = "duckduckgo"
_THREADS = 8
"""Most threads that wait for ddgs, abandoned ones included. Each ends at its backend's time-out."""
_ENOUGH = 2
"""Number of backends that must find nothing before the answer is empty."""


@dataclass(frozen=True, slots=True)
class BackendQuery:
    """One query to one of ddgs's search engines."""

    backend: str
    text: str
    region: str
    """Country and language, such as `de-de`; `wt-wt` for worldwide."""
    timelimit: str | None
    """d, w, m or y; for DuckDuckGo also `2026-01-01..2026-02-01`."""
    seconds: int
    """Time-out of the request, in seconds."""
    safe_search: str = "moderate"
    """on, moderate or off."""
    page: int = 1


class BackendHit(NamedTuple):
    """One result of ddgs."""

    url: str
    title: str
    snippet: str


Ask = Callable[[BackendQuery], Sequence[BackendHit]]
"""Sends a query; blocks, so it runs in a thread. Raises ProviderError if the backend fails."""


class Backend(Protocol):
    """The part of a ddgs search engine that we use."""

    def search(
        self, query: str, region: str, safesearch: str, timelimit: str | None, page: int
    ) -> Sequence[Any] | None:
        """Return rows with `href`, `title` and `body`; None for any status but 200."""
        ...


def ask_ddgs(asked: BackendQuery) -> list[BackendHit]:
    """Ask one engine of ddgs. The engines are imported here, in the thread, because they load slowly.

    Its usual entry point, `DDGS.text`, reports "No results found" for refusals and empty answers alike, waits for
    threads past its own time-out and puts Wikipedia first. We therefore ask its engines one by one.

    Raises:
        ProviderError: The installed ddgs lacks the backend (each release drops some), or see `ask_backend`.
    """
    from ddgs.engines import ENGINES

    known = ENGINES["text"].get(asked.backend)
    if known is None:
        raise ProviderError(_NAME, f"{asked.backend} is unknown to the ddgs installed")
    return ask_backend(known(timeout=asked.seconds), asked)


def ask_backend(engine: Backend, asked: BackendQuery) -> list[BackendHit]:
    """Ask one engine of ddgs. An empty list means that it answered and found nothing.

    Raises:
        RateLimited: The engine answered with another status than 200, as these engines do for too many queries.
        UnreadableAnswer: Its result page could not be parsed.
        ProviderError: The engine could not be reached, or did not answer in time.
    """
    try:
        rows = engine.search(asked.text, asked.region, asked.safe_search, asked.timelimit, asked.page)
    except TimeoutException as error:
        raise ProviderError(_NAME, f"{asked.backend} gave no answer in time", retryable=True) from error
    except DDGSException as error:
        raise ProviderError(_NAME, UNREACHABLE, retryable=True) from error
    except Exception as error:
        # ddgs parses result pages without catching errors: lxml's errors, KeyError and IndexError pass through.
        raise UnreadableAnswer(_NAME, f"the page of {asked.backend} could not be parsed") from error
    if rows is None:
        raise RateLimited(_NAME, f"{asked.backend} refuses automatic queries for now")
    return [BackendHit(_address(row.href), row.title, row.body) for row in rows if row.href and row.title]


class DuckDuckGo(SearchEngine):
    """DuckDuckGo, then the other `BACKENDS` if it fails or finds nothing. All hits carry the name "duckduckgo"."""

    def __init__(
        self,
        clock: Clock,
        *,
        ask: Ask = ask_ddgs,
        backends: Sequence[str] = BACKENDS,
        seconds: int = 5,
        safe_search: str = "moderate",
    ) -> None:
        self._clock = clock
        self._ask = ask
        strict = safe_search == "strict"
        self._backends = tuple(one for one in backends if not strict or one in SAFE_BACKENDS)
        self._safe_search = "on" if strict else safe_search
        self._seconds = seconds
        self._threads = anyio.CapacityLimiter(_THREADS)

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from what the registry has."""
        return cls(parts.clock, safe_search=parts.settings.safe_search)

    @property
    @override
    def name(self) -> str:
        return _NAME

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return hits without dates.

        After a cancellation the thread runs on until its time-out.
        """
        del needs
        failures: list[ProviderError] = []
        empty = 0
        for backend in self._backends:
            asked = self._asked(backend, query)
            try:
                found = await anyio.to_thread.run_sync(self._ask, asked, abandon_on_cancel=True, limiter=self._threads)
            except ProviderError as error:
                failures.append(error)
                continue
            if found:
                return [hit(self.name, *row) for row in found][: query.limit]
            empty += 1
            if empty == _ENOUGH:
                break
        if failures and not empty:
            raise _together(failures)
        return []

    def _asked(self, backend: str, query: Query) -> BackendQuery:
        text = with_sites(query.text, query.filters)
        return BackendQuery(
            backend,
            text,
            _region(query.filters),
            self._timelimit(backend, query.filters),
            self._seconds,
            self._safe_search,
            query.page,
        )

    def _timelimit(self, backend: str, filters: Filters) -> str | None:
        today = self._clock.today()
        if backend == "duckduckgo" and (days := day_range(filters, today)):
            return f"{days[0]}..{days[1]}"
        span = since(filters, today)
        return span[0] if span else None


def _together(failures: Sequence[ProviderError]) -> ProviderError:
    reasons = "; ".join(dict.fromkeys(failure.reason for failure in failures))
    if reasons == UNREACHABLE:
        return ProviderError(_NAME, UNREACHABLE, retryable=True)
    action = "Search engines refuse machines now and then: wait, or set up another engine."
    if all(isinstance(failure, RateLimited) for failure in failures):
        return RateLimited(_NAME, reasons)
    retryable = any(failure.retryable for failure in failures)
    return ProviderError(_NAME, f"{reasons}.", retryable=retryable, action=action)


def _address(href: str) -> str:
    """Return the target of DuckDuckGo's redirect, percent-encoded again, because ddgs decodes every address."""
    _, wrapped, inner = href.partition("duckduckgo.com/l/?uddg=")
    if wrapped:
        href = inner.rpartition("&rut=")[0] or inner
    return quote(href, safe="%/:=&?~#+!$,;'@()*[]")


_CODES = (
    "ar-es at-de au-en be-nl bg-bg br-pt ca-en ch-de cl-es cn-zh co-es cz-cs de-de dk-da ee-et es-es fi-fi fr-fr "
    "gr-el hk-tzh hr-hr hu-hu id-en ie-en il-en in-en it-it jp-jp kr-kr lt-lt lv-lv mx-es my-en nl-nl no-no nz-en "
    "pe-es ph-en pk-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk th-en tr-tr tw-tzh ua-uk us-en ve-es vn-en za-en"
)
_REGIONS = {code[:2]: code for code in _CODES.split()} | {"gb": "uk-en", "uk": "uk-en"}
"""DuckDuckGo's region code of each country."""
_SECOND_LANGUAGES = frozenset({"be-fr", "ca-fr", "ch-fr", "ch-it", "us-es"})
_HOMES = {
    "bg": "bg", "cs": "cz", "da": "dk", "de": "de", "el": "gr", "es": "es", "et": "ee", "fi": "fi", "fr": "fr",
    "hr": "hr", "hu": "hu", "it": "it", "ja": "jp", "ko": "kr", "lt": "lt", "lv": "lv", "nb": "no", "nl": "nl",
    "no": "no", "pl": "pl", "pt": "pt", "ro": "ro", "ru": "ru", "sk": "sk", "sv": "se", "tr": "tr", "uk": "ua",
    "zh": "cn",
}  # fmt: skip
"""The country used for each language if none is set; English is searched worldwide."""


def _region(filters: Filters) -> str:
    language = language_code(filters)
    country = country_code(filters) or _HOMES.get(language, "")
    pair = f"{country}-{language}"
    return pair if pair in _SECOND_LANGUAGES else _REGIONS.get(country, "wt-wt")
