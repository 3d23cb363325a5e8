"""Reads an article or a thread that its site spreads over several pages as one document."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.text.urls import host_of, normalise_url
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.parsed_page import ParsedPage

CONTINUED = "continued"
"""The flag of a document that goes on, on pages that were not read."""

ReadPage = Callable[[str], Awaitable[tuple[Fetched, ParsedPage]]]
"""Fetches and parses one page.

Raises:
    FetchFailed: It cannot be read.
"""


async def with_next_pages(url: str, page: ParsedPage, read: ReadPage, most: int, limit: int) -> ParsedPage:
    """Return the page at `url` with the text of at most `most` pages on which it goes on.

    A page that cannot be read ends the document, as does one that leads to another site or back. Blocks that such a
    page repeats at its beginning or end, as its title, are left out. The text has at most `limit` characters; it is
    not screened if there was a next page.
    """
    texts, also = [page.text], list[str]()
    flags, links = dict.fromkeys(page.flags), dict.fromkeys(page.links)
    seen, following = {normalise_url(url)}, page.next_page
    while following and len(also) < most and sum(map(len, texts)) < limit and normalise_url(following) not in seen:
        try:
            fetched, part = await read(following)
        except FetchFailed:
            break
        address = normalise_url(fetched.final_url)
        if address in seen or host_of(address) != host_of(url) or part.kind != page.kind:
            break
        seen |= {address, normalise_url(following)}
        new = _without_repeated(part.text, texts[0])
        if not new:
            break
        texts.append(new)
        also.append(fetched.final_url)
        flags |= dict.fromkeys(part.flags)
        links |= dict.fromkeys(part.links)
        following = part.next_page
    if following and normalise_url(following) not in seen:
        flags[CONTINUED] = None
    if not also:
        return replace(page, flags=tuple(flags))
    text = "\n\n".join(texts)
    if len(text) > limit:
        flags["truncated"] = None
    return replace(
        page,
        text=text[:limit],
        flags=tuple(flags),
        links=tuple(links)[:_MOST_LINKS],
        also=(*page.also, *also),
        screening=None,
    )


_MOST_LINKS = 100


def _without_repeated(text: str, first: str) -> str:
    """Return a page's text without the blocks at both ends that the first page has, too."""
    known = set(first.split("\n\n"))
    blocks = text.split("\n\n")
    begin, end = 0, len(blocks)
    while begin < end and blocks[begin] in known:
        begin += 1
    while end > begin and blocks[end - 1] in known:
        end -= 1
    return "\n\n".join(blocks[begin:end])
