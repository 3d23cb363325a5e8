"""Applies a site's robots.txt (RFC 9309)."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
import anyio.to_thread
import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response
from deepresearch_mcp.web.fetching.redirects import follow_redirects
from deepresearch_mcp.web.fetching.robots_rules import Rules, path_of

KEPT = 3600.0
"""Seconds for which rules are used; RFC 9309 §2.4 allows a day."""
KEPT_FAILURE = 60.0
"""Seconds for which a failure to get robots.txt is remembered."""
MOST_BYTES = 500_000
"""Bytes read of one robots.txt; the rest is ignored. RFC 9309 §2.5 asks for at least 500 KiB (512,000)."""
MOST_REDIRECTS = 5
LONGEST = 10.0
"""Longest time in seconds for one robots.txt; the site's pages wait for it."""
MOST_ORIGINS = 1_000
_AS_THE_PAGE = frozenset({"unreachable", "timed_out", "rate_limited", "circuit_open"})
"""Failures that the site's pages would have as well."""
_QUICK = 50_000
"""Longest file in bytes that is parsed in the event loop, in about 10 ms; a longer one goes to a thread."""
_MANY = 500
"""Most rules that are matched in the event loop: a hostile 10,000 take some milliseconds for each page."""
_PRODUCT = re.compile(r"[A-Za-z_-]*")


@dataclass(slots=True)
class _Site:
    asking: anyio.Lock = field(default_factory=anyio.Lock)
    until: float = -math.inf
    rules: Rules | None = None
    closed: bool = False
    """The server failed (5xx): no page may be read."""
    failure: FetchFailed | None = None


def product_of(user_agent: str) -> str:
    """Return the product name that begins a User-Agent: letters, `-` and `_` (RFC 9309 §2.2.1); "" if none does.

    Without a name, only the rules for all robots apply.
    """
    found = _PRODUCT.match(user_agent)
    return found[0] if found else ""


class RobotsFetcher(Fetcher):
    """A fetcher that asks a site's robots.txt first.

    `rules_from` fetches robots.txt itself and must not be this fetcher. `pace` receives a host and the seconds of
    its Crawl-delay. A missing file (4xx) allows all pages, a server error forbids all, and if the host cannot be
    reached, its pages fail for the same reason.
    """

    def __init__(
        self,
        inner: Fetcher,
        rules_from: Fetcher,
        settings: WebSettings,
        clock: Clock,
        pace: Callable[[str, float], None],
    ) -> None:
        self._inner = inner
        self._rules_from = rules_from
        self._clock = clock
        self._pace = pace
        self._seconds = min(LONGEST, settings.timeout)
        self._respect_noai = settings.respect_noai
        self.token = product_of(settings.user_agent)
        """Our product name, whose rules apply."""
        self._sites: dict[str, _Site] = {}

    @override
    async def get(self, ask: Request) -> Response:
        url = str(ask.url)
        site = await self._site(ask.url)
        if site.failure is not None:
            kind = FetchRefused if isinstance(site.failure, FetchRefused) else FetchFailed
            raise kind(url, site.failure.reason, site.failure.message)
        if site.closed:
            raise FetchRefused(
                url, "robots", "The site's robots.txt could not be read, which forbids reading its pages."
            )
        if site.rules is not None:
            if not await _allowed(site.rules, path_of(url)):
                raise FetchRefused(url, "robots", "The site's robots.txt does not allow this page to be read.")
            if self._respect_noai and site.rules.no_ai_input:
                raise FetchRefused(url, "no_ai", "The site's robots.txt says ai-input=no.", "See web.respect_noai.")
        return await self._inner.get(ask)

    async def _site(self, url: httpx2.URL) -> _Site:
        origin = f"{url.scheme}://{url.netloc.decode('ascii')}"
        site = self._sites.get(origin)
        if site is None:
            if len(self._sites) >= MOST_ORIGINS:
                self._sites = {key: kept for key, kept in self._sites.items() if kept.asking.locked()}
            site = self._sites[origin] = _Site()
        async with site.asking:
            if self._clock.monotonic() >= site.until:
                await self._ask(site, httpx2.URL(f"{origin}/robots.txt"))
        return site

    async def _ask(self, site: _Site, url: httpx2.URL) -> None:
        site.rules, site.closed, site.failure = None, False, None
        kept = KEPT
        try:
            answer, _ = await follow_redirects(
                self._rules_from, Request(url, self._seconds, max_body=MOST_BYTES), MOST_REDIRECTS
            )
        except FetchFailed as error:
            # Any other failure (a redirect to a refused address, invalid HTTP) means that there are no rules.
            if error.reason in _AS_THE_PAGE:
                site.failure = error
                kept = 0.0 if error.reason == "circuit_open" else KEPT_FAILURE
        else:
            if answer.status >= 500:
                site.closed, kept = True, KEPT_FAILURE
            elif answer.body:
                site.rules = await _parsed(answer.body, self.token)
        self._tell_pace(site, url)
        site.until = self._clock.monotonic() + kept

    def _tell_pace(self, site: _Site, url: httpx2.URL) -> None:
        delay = site.rules.crawl_delay if site.rules else 0.0
        if delay:
            self._pace(url.netloc.decode("ascii"), delay)


async def _parsed(body: bytes, product: str) -> Rules:
    if len(body) <= _QUICK:
        return Rules.parse(body, product)
    return await anyio.to_thread.run_sync(Rules.parse, body, product, abandon_on_cancel=True)


async def _allowed(rules: Rules, path: str) -> bool:
    if len(rules.rules) <= _MANY:
        return rules.allow(path)
    return await anyio.to_thread.run_sync(rules.allow, path, abandon_on_cancel=True)
