"""Pages of the web and sitemaps as sources of a collection, fetched under the rules of every page."""

import hashlib
import html
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.library.source import Found, Read, Source
from deepresearch_mcp.web.snapshot import source_id
from deepresearch_mcp.web.sniff import inflated

SITEMAP = "sitemap+"
MOST_PAGES = 1_000
"""Pages of one sitemap that are read; the rest are counted as passed over."""
_MOST_MAPS = 50
"""Sitemaps that an index of sitemaps may lead to."""
_LARGEST = 50_000_000
"""Bytes of one sitemap, unpacked: the limit of the sitemaps protocol."""
_GZIP = b"\x1f\x8b"
_LOC = re.compile(r"<loc>([^<]{1,4000})</loc>", re.IGNORECASE)
_CHANGED = re.compile(r"<lastmod>([^<]{1,80})</lastmod>", re.IGNORECASE)

FetchPage = Callable[[str], Awaitable[Document]]
FetchBytes = Callable[[str], Awaitable[Fetched]]


class PageSource(Source):
    """One page."""

    def __init__(self, url: str, fetch: FetchPage) -> None:
        self._url = url
        self._fetch = fetch

    @property
    @override
    def place(self) -> str:
        return self._url

    @property
    @override
    def label(self) -> str:
        return "web"

    @property
    @override
    def is_local(self) -> bool:
        return False

    @override
    async def look(self) -> Found:
        return Found((FileStamp(path_of_page(self._url), 0, 0),))

    @override
    async def read(self, stamp: FileStamp, url: str, site: str, known: str) -> Read:
        return await read_page(self._url, url, site, known, self._fetch)


class SitemapSource(Source):
    """The pages that a sitemap, or an index of sitemaps, lists for its own host.

    It is named by `sitemap+` and its address, or by the address alone where that tells.
    """

    def __init__(self, url: str, fetch: FetchPage, fetch_bytes: FetchBytes) -> None:
        self._url = url.removeprefix(SITEMAP)
        self._fetch = fetch
        self._fetch_bytes = fetch_bytes
        self._addresses: dict[str, str] = {}

    @property
    @override
    def place(self) -> str:
        return self._url if is_sitemap(self._url) else SITEMAP + self._url

    @property
    @override
    def label(self) -> str:
        return urlsplit(self._url).hostname or "web"

    @property
    @override
    def is_local(self) -> bool:
        return False

    @override
    async def look(self) -> Found:
        """List the pages; one with a `lastmod` is read again only when that changes."""
        host = urlsplit(self._url).hostname
        waiting, asked, changed = [self._url], 0, dict[str, str]()
        while waiting and asked < _MOST_MAPS:
            text = await self._text(waiting.pop(0), first=asked == 0)
            asked += 1
            for address, date, is_map in _listed(text):
                if urlsplit(address).hostname != host:
                    continue
                if is_map:
                    waiting.append(address)
                else:
                    changed.setdefault(address, date)
        if not changed:
            raise InvalidRequest(
                f"The sitemap {without_secrets(self._url)} lists no page of its own host.",
                "Give the address of a sitemap, such as https://example.org/sitemap.xml.",
            )
        kept = list(changed.items())[:MOST_PAGES]
        self._addresses = {path_of_page(address): address for address, _ in kept}
        stamps = tuple(FileStamp(path_of_page(address), 0, _number(date)) for address, date in kept)
        return Found(stamps, Counter({"too_many": len(changed) - len(kept)} if len(changed) > len(kept) else {}))

    @override
    async def read(self, stamp: FileStamp, url: str, site: str, known: str) -> Read:
        return await read_page(self._addresses[stamp.path], url, site, known, self._fetch)

    async def _text(self, url: str, *, first: bool) -> str:
        try:
            fetched = await self._fetch_bytes(url)
        except FetchFailed as error:
            if not first:
                return ""
            raise InvalidRequest(f"The sitemap cannot be read: {error.message}", "Check its address.") from error
        body = fetched.body
        if body.startswith(_GZIP):
            body = inflated(body, _LARGEST) or b""
        return body[:_LARGEST].decode("utf-8", "replace")


async def read_page(address: str, url: str, site: str, known: str, fetch: FetchPage) -> Read:
    """Fetch a page as the document `url` of a collection; its own address is kept in the facts."""
    page = await fetch(address)
    if page.snapshot == known:
        return Read(known, None)
    document = page.model_copy(update={"source_id": source_id(url), "url": url, "requested_url": url, "site": site})
    return Read(page.snapshot, document, {"url": page.url})


def is_address(place: str) -> bool:
    """Whether a source is an address of the web."""
    return place.removeprefix(SITEMAP).startswith(("http://", "https://"))


def is_sitemap(url: str) -> bool:
    """Whether an address names a sitemap: by its prefix, or as its last part holds "sitemap" and ends in .xml(.gz)."""
    if url.startswith(SITEMAP):
        return True
    last = urlsplit(url).path.rpartition("/")[2].lower()
    return "sitemap" in last and last.endswith((".xml", ".xml.gz"))


def path_of_page(address: str) -> str:
    """The path of a page in a collection: host and path, and a short hash of a query, which may be long or secret."""
    parts = urlsplit(address)
    path = parts.path.strip("/") or "index"
    again = f"-{hashlib.sha256(parts.query.encode()).hexdigest()[:8]}" if parts.query else ""
    return f"{parts.hostname or 'web'}/{path}{again}"


def _listed(text: str) -> list[tuple[str, str, bool]]:
    """The addresses of a sitemap, when each changed as it says, and whether it is a sitemap itself.

    An entry reaches to where the next one begins; nothing is parsed as XML, so no entity is ever expanded.
    """
    found: list[tuple[str, str, bool]] = []
    is_index = "<sitemapindex" in text[:2_000].lower()
    for part in re.split(r"<(?:url|sitemap)(?:\s[^<>]{0,200})?>", text, flags=re.IGNORECASE)[1:]:
        if place := _LOC.search(part):
            changed = _CHANGED.search(part)
            found.append((html.unescape(place[1]).strip(), changed[1].strip() if changed else "", is_index))
    return found


def _number(date: str) -> int:
    """A number that changes with the words of a date; 0 for none."""
    return int(hashlib.sha256(date.encode()).hexdigest()[:15], 16) if date else 0
