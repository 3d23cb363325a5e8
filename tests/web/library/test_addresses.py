import gzip
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.library.addresses import (
    MOST_PAGES,
    PageSource,
    SitemapSource,
    is_address,
    is_sitemap,
    path_of_page,
    read_page,
)
from deepresearch_mcp.web.library.indexing import index
from deepresearch_mcp.web.parsed_page import ParsedPage
from deepresearch_mcp.web.snapshot import document_of

SITE = "https://docs.example"


class Web:
    """Serves texts by address, and counts what was asked for."""

    def __init__(self, clock: HandClock) -> None:
        self.texts: dict[str, str] = {}
        self.raw: dict[str, bytes] = {}
        self.asked: list[str] = []
        self._clock = clock

    async def fetch(self, url: str) -> Document:
        self.asked.append(url)
        if url not in self.texts:
            raise FetchFailed(url, "not_found", "There is no page at this address.")
        page = ParsedPage(kind="html", text=self.texts[url], title="A page")
        return document_of(page, url=url, requested_url=url, site="docs.example", read_at=self._clock.now())

    async def fetch_bytes(self, url: str) -> Fetched:
        if url not in self.raw:
            raise FetchFailed(url, "not_found", "There is no page at this address.")
        return Fetched(url, url, 200, "application/xml", "", self.raw[url])


@pytest.fixture
def web(clock: HandClock) -> Web:
    return Web(clock)


def sitemap(*pages: tuple[str, str]) -> bytes:
    rows = "".join(f"<url><loc>{url}</loc><lastmod>{date}</lastmod></url>" for url, date in pages)
    return f'<?xml version="1.0"?><urlset xmlns="x">{rows}</urlset>'.encode()


async def test_a_page_is_kept_under_the_collection_and_read_again_only_if_it_changed(
    web: Web, clock: HandClock, collections: Any
) -> None:
    url = f"{SITE}/guide?x=1"
    web.texts[url] = "Ice floats."
    source = PageSource(url, web.fetch)

    first = await index("docs", [source], collections, clock)
    same = await index("docs", [source], collections, clock)
    web.texts[url] = "Ice floats on water."
    changed = await index("docs", [source], collections, clock)

    assert [one.added for one in (first, same, changed)] == [1, 0, 1]
    [(path, (_, document))] = collections.files["docs"].items()
    assert path == path_of_page(url)
    assert document.url == f"library://docs/{path}"
    assert collections.facts["docs", path] == {"url": url}


async def test_a_sitemap_reads_the_pages_of_its_host_whose_date_changed(
    web: Web, clock: HandClock, collections: Any
) -> None:
    a, b, foreign = f"{SITE}/a", f"{SITE}/b?x=1&y=2", "https://other.example/c"
    web.texts = {a: "Page a.", b: "Page b.", foreign: "Not ours."}
    web.raw[f"{SITE}/sitemap.xml"] = sitemap((a, "2026-01-01"), (b.replace("&", "&amp;"), ""), (foreign, ""))
    source = SitemapSource(f"{SITE}/sitemap.xml", web.fetch, web.fetch_bytes)

    first = await index("docs", [source], collections, clock)
    web.asked.clear()
    again = await index("docs", [source], collections, clock)

    assert (first.added, first.failed) == (2, ())
    assert web.asked == [b]
    assert again.unchanged == 2


async def test_an_index_of_sitemaps_is_followed_packed_ones_too(web: Web) -> None:
    maps = "".join(f"<sitemap><loc>{SITE}/{name}</loc></sitemap>" for name in ("one.xml.gz", "gone.xml"))
    web.raw[f"{SITE}/sitemap.xml"] = f"<sitemapindex>{maps}</sitemapindex>".encode()
    web.raw[f"{SITE}/one.xml.gz"] = gzip.compress(sitemap((f"{SITE}/a", "")))

    found = await SitemapSource(f"{SITE}/sitemap.xml", web.fetch, web.fetch_bytes).look()

    assert [stamp.path for stamp in found.stamps] == ["docs.example/a"]


async def test_a_sitemap_is_read_up_to_a_limit_and_tells_the_rest(web: Web) -> None:
    web.raw[f"{SITE}/list"] = sitemap(*((f"{SITE}/{at}", "") for at in range(MOST_PAGES + 5)))
    source = SitemapSource(f"sitemap+{SITE}/list", web.fetch, web.fetch_bytes)

    found = await source.look()

    assert (len(found.stamps), dict(found.passed)) == (MOST_PAGES, {"too_many": 5})
    assert source.place == f"sitemap+{SITE}/list"


@pytest.mark.parametrize("body", [None, b"", b"<html>no sitemap</html>", b"<!ENTITY a '&a;&a;'><url><loc>&a;</loc>"])
async def test_what_is_no_sitemap_is_one_sentence(web: Web, body: bytes | None) -> None:
    if body is not None:
        web.raw[f"{SITE}/sitemap.xml"] = body

    with pytest.raises(InvalidRequest):
        await SitemapSource(f"{SITE}/sitemap.xml", web.fetch, web.fetch_bytes).look()


async def test_a_page_with_known_content_is_not_given_again(web: Web) -> None:
    web.texts[SITE] = "Ice."
    known = (await web.fetch(SITE)).snapshot

    assert (await read_page(SITE, "library://d/x", "d", known, web.fetch)).document is None


def test_sources_are_told_by_how_they_are_written() -> None:
    assert is_address("https://a.example/")
    assert is_address("sitemap+https://a.example/list")
    assert not is_address("/a/folder")
    assert is_sitemap("https://a.example/sitemap_index.xml.gz")
    assert is_sitemap("sitemap+https://a.example/list")
    assert not is_sitemap("https://a.example/page.xml")
    assert path_of_page("https://a.example/") == "a.example/index"
