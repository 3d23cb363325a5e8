"""Implements the web port: returns a page's text from the cache or the network."""

import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.ports.web import Screener, Web
from deepresearch_mcp.records.sources import Document, MediaKind
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.text.url_secrets import holds_secret, without_secrets
from deepresearch_mcp.text.urls import normalise_url, site_of
from deepresearch_mcp.version import __version__
from deepresearch_mcp.web.archive import ARCHIVED, DEAD, Archive
from deepresearch_mcp.web.domain_lists import DomainLists
from deepresearch_mcp.web.fetching.breaker import FetcherWithCircuitBreaker
from deepresearch_mcp.web.fetching.browser import RENDERED, Browser, open_browser
from deepresearch_mcp.web.fetching.client import NOT_MODIFIED, Fetched, PageClient
from deepresearch_mcp.web.fetching.fetcher import Fetcher
from deepresearch_mcp.web.fetching.guard import AllowList, GuardedFetcher
from deepresearch_mcp.web.fetching.late import LateTransport
from deepresearch_mcp.web.fetching.retries import RetryingFetcher
from deepresearch_mcp.web.fetching.robots import RobotsFetcher, product_of
from deepresearch_mcp.web.fetching.throttle import Throttle, ThrottledFetcher
from deepresearch_mcp.web.fetching.wire import WireFetcher
from deepresearch_mcp.web.next_pages import with_next_pages
from deepresearch_mcp.web.no_ai import NO_AI, headers_say_no
from deepresearch_mcp.web.parsed_page import ParsedPage
from deepresearch_mcp.web.parsing import Parsers
from deepresearch_mcp.web.snapshot import document_of, masked_document

if TYPE_CHECKING:
    from deepresearch_mcp.web.fetching.pinning import Resolver

EVERYWHERE = DomainLists()
_SELDOM_CHANGED: frozenset[MediaKind] = frozenset(("pdf", "docx", "xlsx", "pptx", "epub", "office"))


@asynccontextmanager
async def open_web(
    settings: WebSettings,
    clock: Clock,
    documents: Documents,
    *,
    domains: DomainLists = EVERYWHERE,
    resolve: "Resolver | None" = None,
    context: ssl.SSLContext | None = None,
    masker: Masker | None = None,
) -> AsyncGenerator["PageReader"]:
    """Open a reader: guard → robots.txt → circuit breaker → retries → throttle → wire, for every hop of every page.

    One reader serves all runs of a process, so that they share each host's rate limit. `domains` holds for every
    request. `resolve` replaces the system resolver, `context` the trusted certificates. `masker` masks personal data.

    Raises:
        SettingsError: An entry of `allow_private` is invalid. (An invalid proxy or certificate file fails the first
            fetch instead.)
    """
    allow = AllowList.of(settings.allow_private)

    def connect() -> httpx2.AsyncBaseTransport:
        from deepresearch_mcp.web.fetching.pinning import open_transport, system_resolver

        return open_transport(settings, resolve=resolve or system_resolver, context=context)

    transport = LateTransport(connect)
    throttle = Throttle(settings, clock)
    polite: Fetcher = RetryingFetcher(
        ThrottledFetcher(WireFetcher(transport, settings, clock), throttle), settings, clock
    )
    asked: Fetcher = FetcherWithCircuitBreaker(polite, settings, clock)
    hop = asked
    if settings.robots:
        hop = RobotsFetcher(asked, GuardedFetcher(asked, allow, settings.ports), settings, clock, throttle.pace)
    client = PageClient(GuardedFetcher(hop, allow, settings.ports), settings, allow)
    async with transport, Parsers(settings, clock) as parsers:
        browser = open_browser(settings, resolve)
        yield PageReader(client, parsers, settings, clock, documents, browser, domains, masker)


class PageReader(Web, Screener):
    """Reads pages; knows nothing of runs, budgets or journals."""

    def __init__(
        self,
        client: PageClient,
        parsers: Parsers,
        settings: WebSettings,
        clock: Clock,
        documents: Documents,
        browser: Browser,
        domains: DomainLists,
        masker: Masker | None = None,
    ) -> None:
        self._client = client
        self._domains = domains
        self._masker = masker
        self._parsers = parsers
        self._browser = browser
        self._archive = Archive(client, settings, clock)
        self._settings = settings
        self._clock = clock
        self._documents = documents

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        del needs
        self._domains.check(url)
        # A page whose address holds a secret is never cached: the next caller may not have the secret.
        key = "" if holds_secret(url) else normalise_url(url)
        known = await self._documents.cached(key) if key else None
        old: Document | None = None
        validators: Mapping[str, Any] = {}
        if known is not None:
            card, validators = known
            old = await self._documents.load(card)
            left = float(validators.get("expires") or 0) - self._clock.now().timestamp()
            # More time is left than the kind has if the clock was set back since.
            if old is not None and 0 < left <= self._kept_for(old.kind):
                screened = await self.screened(old)
                if screened is not old:
                    await self._documents.keep(key, screened, dict(validators))
                return await self._permitted(_cached(screened, url))
        await self._parsers.begin()
        archived: date | None = None
        try:
            fetched = await self._client.fetch_bytes(url, _conditions(validators) if old else None)
            if old is not None and fetched.status == NOT_MODIFIED:
                old = await self.screened(old)
                await self._documents.keep(key, old, {**validators, "expires": self._expires(fetched, old.kind)})
                return await self._permitted(_cached(old, url))
            fetched, page = await self._parsed(fetched)
        except FetchFailed as error:
            copy = await self._archive.copy_of(url) if error.reason in DEAD else None
            if copy is None:
                raise
            fetched, archived = copy
            fetched, page = await self._parsed(fetched)
        if archived:
            page = replace(
                page, title=f"{page.title} (archived copy of {archived})".strip(), flags=(*page.flags, ARCHIVED)
            )
        elif page.next_page and key:
            page = await self._whole(fetched.final_url, page)
        document = document_of(
            page,
            url=fetched.final_url,
            requested_url=url,
            # A copy is the work of the site that it was taken from.
            site=site_of(url if archived else fetched.final_url),
            read_at=self._clock.now(),
        )
        self._check_domain(document)
        if headers_say_no(fetched.headers, product_of(self._settings.user_agent)) and NO_AI not in document.flags:
            document = document.model_copy(update={"flags": (*document.flags, NO_AI)})
        document = await masked_document(await self.screened(document), self._masker)
        if key and "no-store" not in fetched.headers.get("cache-control", "").lower():
            await self._documents.keep(key, document, self._validators(fetched, document.kind))
        return await self._permitted(document)

    async def _permitted(self, document: Document) -> Document:
        self._check_domain(document)
        document = await masked_document(document, self._masker)
        if self._settings.respect_noai and NO_AI in document.flags:
            raise FetchRefused(
                document.requested_url, "no_ai", "The page asks not to be used by AI.", "See web.respect_noai."
            )
        return document

    def _check_domain(self, document: Document) -> None:
        # An archived copy is the work of the site that it was taken from.
        led_to = "" if ARCHIVED in document.flags else document.url
        self._domains.check(document.requested_url, led_to)

    async def fetch_bytes(self, url: str) -> Fetched:
        """Return what is at an address as it is, fetched under the same rules as a page.

        Raises:
            FetchRefused, FetchFailed: As for `fetch`.
        """
        self._domains.check(url)
        fetched = await self._client.fetch_bytes(url)
        self._domains.check(url, fetched.final_url)
        return fetched

    async def _parsed(self, fetched: Fetched) -> tuple[Fetched, ParsedPage]:
        fetched, page = await self._scripted(fetched)
        if page.refresh:
            # The page forwards its reader: follow one step, like a redirect.
            try:
                after = replace(await self._client.fetch_bytes(page.refresh), url=fetched.url)
                page_after = await self._parsers.parse(after)
                if page_after.text:
                    return after, page_after
            except FetchFailed as error:
                if not page.text:
                    kind = FetchRefused if isinstance(error, FetchRefused) else FetchFailed
                    raise kind(fetched.url, error.reason, error.message, error.action) from error
        if not page.text:
            self._browser.check_installed(fetched)
            raise FetchFailed(fetched.url, "empty", "The page holds no text.")
        return fetched, page

    async def _scripted(self, fetched: Fetched) -> tuple[Fetched, ParsedPage]:
        """Parse a page; if it holds no text without its scripts, run them and parse what they made of it."""
        page: ParsedPage | None = None
        try:
            page = await self._parsers.parse(fetched)
        except FetchFailed as error:
            if error.reason == "empty":
                self._browser.check_installed(fetched)
            if error.reason != "empty" or not self._browser.wanted_for(fetched, ""):
                raise
        else:
            if page.refresh or not self._browser.wanted_for(fetched, page.text):
                return fetched, page
        try:
            after = await self._browser.rendered(fetched)
            made = await self._parsers.parse(after)
        except FetchFailed:
            if page is None:
                raise
            return fetched, page
        if page is not None and len(made.text) <= len(page.text):
            return fetched, page
        return after, replace(made, flags=(*made.flags, RENDERED))

    async def _whole(self, url: str, page: ParsedPage) -> ParsedPage:
        """Return a page with those on which it goes on."""

        async def read(following: str) -> tuple[Fetched, ParsedPage]:
            fetched = await self._client.fetch_bytes(following)
            return fetched, await self._parsers.parse(fetched)

        return await with_next_pages(url, page, read, self._settings.next_pages, self._settings.max_text)

    async def readied(self, document: Document) -> Document:
        """Screen a stored document, and mask the personal data that the settings name."""
        return await masked_document(await self.screened(document), self._masker)

    @override
    async def screened(self, document: Document) -> Document:
        known = document.screening
        if known is not None and known.version == __version__:
            return document
        return document.model_copy(update={"screening": await self._parsers.screen(document.url, document.text)})

    def _validators(self, fetched: Fetched, kind: MediaKind) -> dict[str, Any]:
        kept = {"etag": fetched.headers.get("etag", ""), "last_modified": fetched.headers.get("last-modified", "")}
        return {**{name: value for name, value in kept.items() if value}, "expires": self._expires(fetched, kind)}

    def _kept_for(self, kind: MediaKind) -> float:
        """Return for how many seconds a page or file of this kind is used again without asking."""
        settings = self._settings
        return settings.cache_document_seconds if kind in _SELDOM_CHANGED else settings.cache_seconds

    def _expires(self, fetched: Fetched, kind: MediaKind) -> float:
        """Return until when the copy is used without revalidation (POSIX time); 0 if the server forbids that."""
        control = fetched.headers.get("cache-control", "").lower()
        asked_each_time = any(word in control for word in ("no-cache", "no-store"))
        return 0.0 if asked_each_time else self._clock.now().timestamp() + self._kept_for(kind)


def _conditions(validators: Mapping[str, Any]) -> dict[str, str]:
    headers = {
        "if-none-match": str(validators.get("etag") or ""),
        "if-modified-since": str(validators.get("last_modified") or ""),
    }
    return {name: value for name, value in headers.items() if value}


def _cached(document: Document, url: str) -> Document:
    flags = document.flags if "from_cache" in document.flags else (*document.flags, "from_cache")
    return document.model_copy(update={"requested_url": without_secrets(url), "flags": flags})
