"""Finds the name of a page's site or product, and adds it to the title."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urljoin, urlsplit

from deepresearch_mcp.text.stopwords import word_set
from deepresearch_mcp.web.pages.facts import words_of
from deepresearch_mcp.web.pages.tree import Node, inner_text

_NAMED = ("og:site_name", "application-name", "citation_journal_title")
_MOST = 60
"""Most characters of a name; a longer text is a sentence or a list."""
_LONGEST = 1_000
"""Characters of a link's text in which words such as "logo" are searched."""
_MOST_WORDS = 8
_LOOKED_AT = 30
"""Links at the top of the page among which the one to the front page is searched."""
_FRONT = re.compile(r"/?(?:(?:index|home|default)\.\w{2,5})?\Z", re.IGNORECASE)
_RELATIONS = ("home", "top", "start", "first")
_PARTS = re.compile(r"\s+[|–—·•»:-]\s+|:\s+")
_LOGO = re.compile(r"\s+(?:logo\b.*|(?:home ?page|home|icon)\s*)\Z", re.IGNORECASE)
_SAYS_NOTHING = word_set(
    "a all an and at back board by community content contents docs documentation en follow for forum forums front go "
    "help here home homepage icon in index log login logo main manual menu my news next of official on our out page "
    "previous return search shop sign site skip start store table the this to top up visit welcome website wiki www "
    "accueil inicio startseite zur"
)
_WORD = re.compile(r"\w+")


def site_name_of(tree: Node, named: dict[str, str], things: list[dict[str, Any]], title: str, url: str) -> str:
    """Return the name that a page gives its site, product or publication; "" if it gives none.

    The name comes from the metadata, from the <title> next to the page's own title, from <link rel="home">, or from
    the link to the front page.
    """
    told = (*(named[key] for key in _NAMED if key in named), *islice(words_of(things, "publisher"), 1))
    candidates = [*told, *_beside(tree, title), *_related(tree)]
    if not _PARTS.search(title):
        # A title of several parts most likely names the site already; a link to the front page may say anything.
        candidates += _linked(tree, url)
    return next((one for one in map(_one_line, candidates) if _is_name(one)), "")


def titled(title: str, site: str) -> str:
    """Return the title followed by the site's name, unless the title already contains it."""
    known = set(_words(title))
    if not title or all(word in known or word in _SAYS_NOTHING for word in _words(site)):
        return title
    return f"{title} — {site}"


def _beside(tree: Node, title: str) -> Iterator[str]:
    """Yield the last part of the <title> before or after the page's own title."""
    element = tree.find(".//title")
    whole = _one_line(inner_text(element)) if element is not None else ""
    if title and title != whole and (whole.startswith(title) or whole.endswith(title)):
        rest = whole.removeprefix(title) if whole.startswith(title) else whole.removesuffix(title)
        yield next(filter(None, reversed(_PARTS.split(f" {rest} "))), "")


def _related(tree: Node) -> Iterator[str]:
    for link in tree.iter("link"):
        if (link.get("rel") or "").strip().lower() in _RELATIONS:
            yield link.get("title") or ""


def _linked(tree: Node, url: str) -> Iterator[str]:
    for link in islice(tree.iter("a"), _LOOKED_AT):
        told = {*(link.get("rel") or "").lower().split(), (link.get("accesskey") or "").lower()}
        if told & {"home", "h"} or _is_front(link.get("href") or "", url):
            picture = link.find(".//img[@alt]")
            shown = picture.get("alt") if picture is not None else ""
            said = (link.get("title") or "", inner_text(link), shown or "")
            yield from (_LOGO.sub("", _one_line(text)[:_LONGEST]) for text in said)


def _is_front(href: str, url: str) -> bool:
    if not href or href.startswith("#"):
        return False
    try:
        here, there = urlsplit(url), urlsplit(urljoin(url, href))
    except ValueError:
        return False
    return here.netloc == there.netloc and not there.query and bool(_FRONT.match(there.path))


def _is_name(text: str) -> bool:
    found = _words(text)
    telling = [word for word in found if word not in _SAYS_NOTHING and not word.isdigit()]
    return bool(telling) and len(text) <= _MOST and len(found) <= _MOST_WORDS and "//" not in text


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _one_line(text: str) -> str:
    return "".join(filter(str.isprintable, " ".join(text.split()))).strip(" |–—·•»:-")
