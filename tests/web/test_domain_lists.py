"""Which domains the settings let be read."""

from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.domain_lists import DomainLists
from deepresearch_mcp.web.reader import open_web


@pytest.mark.parametrize(
    ("lists", "url", "read"),
    [
        (DomainLists(), "https://a.org/x", True),
        (DomainLists(denied=("a.org",)), "https://a.org/x", False),
        (DomainLists(denied=("a.org",)), "https://www.a.org/x", False),
        (DomainLists(denied=("a.org",)), "https://sub.A.org./x", False),
        (DomainLists(denied=("a.org",)), "https://aa.org/x", True),
        (DomainLists(allowed=("a.org",)), "https://sub.a.org/x", True),
        (DomainLists(allowed=("a.org",)), "https://b.org/?next=a.org", False),
        (DomainLists(allowed=("a.org",)), "https://a.org@b.org/", False),
        (DomainLists(allowed=("a.org",), denied=("sub.a.org",)), "https://sub.a.org/x", False),
    ],
)
def test_a_page_is_read_only_where_both_lists_let_it(lists: DomainLists, url: str, read: bool) -> None:
    if read:
        lists.check(url)
        return
    with pytest.raises(FetchRefused) as refused:
        lists.check(url)
    assert (refused.value.url, refused.value.reason) == (url, "off_limits")
    assert "research.deny_domains" in refused.value.action


def test_a_page_that_leads_elsewhere_is_refused_by_where_it_led() -> None:
    with pytest.raises(FetchRefused) as refused:
        DomainLists(denied=("b.org",)).check("https://a.org/", "https://b.org/")
    assert refused.value.url == "https://a.org/"


async def test_a_denied_page_is_neither_fetched_nor_taken_from_the_cache(
    settings: WebSettings, clock: HandClock, documents: Any, site: Any, make: Any
) -> None:
    site.pages["/ice"] = make.http()
    async with open_web(settings, clock, documents) as web:
        await web.fetch(site.url("/ice"))
    asked = list(site.asked)

    async with open_web(settings, clock, documents, domains=DomainLists(denied=("127.0.0.1",))) as web:
        for fetch in (web.fetch, web.fetch_bytes):
            for path in ("/ice", "/other"):
                with pytest.raises(FetchRefused, match="no page of its domain"):
                    await fetch(site.url(path))

    assert site.asked == asked
