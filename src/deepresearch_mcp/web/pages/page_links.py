"""Finds the addresses that a page gives for itself and for its own continuation."""

import re
from collections.abc import Collection
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from deepresearch_mcp.text.stopwords import word_set
from deepresearch_mcp.text.urls import host_of, normalise_url, site_of
from deepresearch_mcp.web.pages.block_features import ARTICLES
from deepresearch_mcp.web.pages.facts import absolute, base_of
from deepresearch_mcp.web.pages.tree import Node, inner_text

_SELECT = word_set(
    "page p paged pg pagenum pageno seite start offset from id t f tid pid fid topic thread post story article item "
    "q query s search k keyword v ver version lang language l hl locale cat category tag date year month day tab name "
    "title file doc section chapter mode do action view"
)
"""Parameters that choose what a page shows. An address without one of them is another page."""
_VARIANT_HOST = re.compile(r"(?:(?:www|m|mobile|amp|touch)\.)+")
_VARIANT_PATH = re.compile(r"\A/(?:amp|m|mobile)(?=/)|/(?:amp|print)(?=/?\Z)|\.amp(?=(?:\.html?)?\Z)", re.IGNORECASE)

_PAGE = word_set("page paged pg pagenum pageno seite")
_PAGE_PATH = re.compile(r"(?:[/_-](?:page|seite|pagina)[/_=-]?)(\d{1,3})(?=/?\Z|\.html?\Z)", re.IGNORECASE)
_NUMBER_PATH = re.compile(r"(?<=[^\d/])/(\d{1,2})(?=/?\Z)")
_MOST = 50
"""The highest number of a page; higher ones are ids or years."""
_NEXT = re.compile(
    r"(?:(?:go to )?next(?: page)?|continue(?: reading)?|older|weiter|nächste(?: seite)?|(?:page )?suivante?"
    r"|(?:página )?siguiente|(?:pagina )?successiva|volgende(?: pagina)?|[»›>→]+|\d{1,2})\s*[»›>→]*",
    re.IGNORECASE,
)
_LABEL = 30
"""Characters of the longest words of a link that leads to the next page."""
_LOOKED_AT = 3_000
_LISTING = re.compile(
    r"\A/?\Z|/(?:tags?|categor(?:y|ies)|search|archives?|author|labels?|collections|shop|products|feed)(?:/|\Z)"
    r"|/(?:blog|news|articles|posts)/?\Z",
    re.IGNORECASE,
)
"""Paths of lists of other pages, whose continuation is another list."""

_WHOLE: Final = ARTICLES | {"discussionforumposting", "qapage", "question"}
"""Types of pages whose text may be spread over several addresses."""
_LISTS = frozenset({"collectionpage", "itemlist", "offercatalog", "searchresultspage", "product", "productgroup"})
_THREAD = re.compile(r"/(?:threads?|topics?|t|d|talk|discussions?)[/-]|showthread|viewtopic|/thread-", re.IGNORECASE)


def canonical_of(tree: Node, url: str) -> str:
    """Return the address that the page gives for itself, if it is another spelling of `url`; otherwise "".

    Only an address of the same site with the same path counts, its marks of mobile, AMP and print forms aside, without
    those parameters that choose what a page shows: many sites declare one address for pages that differ. Two
    different declarations count as none.
    """
    base = base_of(tree, url)
    declared = {
        target
        for link in tree.iter("link")
        if "canonical" in (link.get("rel") or "").lower().split()
        and (target := absolute(base, (link.get("href") or "").strip()))
    }
    target = declared.pop() if len(declared) == 1 else ""
    return target if target and _is_variant(target, url) else ""


def next_of(tree: Node, url: str, kinds: Collection[str] = ()) -> str:
    """Return the address of the page on which the text of this one goes on; "" if there is none.

    It has the same address with the next number, and a link that is named for it. The next chapter of a book, the next
    article and the next part of a list of pages are other documents. `kinds` are the types that the page declares, in
    lower case: one that declares any has to be an article or a thread, or to have the address of a thread.
    """
    own = _numbered(url)
    if own is None or _LISTING.search(urlsplit(own.whole).path):
        return ""
    is_whole = _THREAD.search(own.whole) or not _WHOLE.isdisjoint(kinds)
    if kinds and (not is_whole or not _LISTS.isdisjoint(kinds)):
        return ""
    base = base_of(tree, url)
    looked_at = 0
    for link in tree.iter("link", "a"):
        looked_at += 1
        if looked_at > _LOOKED_AT:
            break
        href = (link.get("href") or "").strip()
        if not href or not _is_named(link):
            continue
        target = absolute(base, href)
        other = _numbered(target) if target and host_of(target) == host_of(url) else None
        if other and other.whole == own.whole and other.number == own.number + 1 <= _MOST:
            return target
    return ""


def _is_named(link: Node) -> bool:
    if "next" in (link.get("rel") or "").lower().split():
        return True
    said = inner_text(link)[:200].strip()
    return len(said) <= _LABEL and _NEXT.fullmatch(said) is not None


class _Numbered(NamedTuple):
    whole: str
    """The address without its number."""
    number: int
    """1 without a number."""


def _numbered(url: str) -> _Numbered | None:
    known = normalise_url(url)
    if not known:
        return None
    parts = urlsplit(known)
    given = parse_qsl(parts.query, keep_blank_values=True)
    pages = [value for name, value in given if name.lower() in _PAGE]
    if len(pages) == 1 and pages[0].isdecimal() and len(pages[0]) <= 3:
        rest = urlencode([(name, value) for name, value in given if name.lower() not in _PAGE])
        return _Numbered(normalise_url(parts._replace(query=rest).geturl()), int(pages[0]))
    # Not a number of a page: an id, a year or a day behind other numbers.
    found = _PAGE_PATH.search(parts.path) or _NUMBER_PATH.search(parts.path)
    if found:
        path = parts.path[: found.start()] + parts.path[found.end() :]
        rest = urlencode(given)
        return _Numbered(normalise_url(parts._replace(path=path, query=rest).geturl()), int(found[1]))
    return _Numbered(normalise_url(parts._replace(query=urlencode(given)).geturl()), 1)


def _is_variant(target: str, url: str) -> bool:
    if not site_of(url) or site_of(target) != site_of(url) or normalise_url(target) == normalise_url(url):
        return False
    there, here = urlsplit(normalise_url(target)), urlsplit(normalise_url(url))
    if there.port != here.port or _plain(there.path) != _plain(here.path):
        return False
    if _VARIANT_HOST.sub("", there.netloc, count=1) != _VARIANT_HOST.sub("", here.netloc, count=1):
        return False
    own = parse_qsl(here.query, keep_blank_values=True)
    kept = parse_qsl(there.query, keep_blank_values=True)
    dropped = [name.lower() for name, value in own if (name, value) not in kept]
    return all(pair in own for pair in kept) and not any(name in _SELECT for name in dropped)


def _plain(path: str) -> str:
    return _VARIANT_PATH.sub("", path).rstrip("/")
