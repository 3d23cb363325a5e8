"""Extracts what a page says about itself: title, author, date, language, links."""

import json
import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any, cast

from deepresearch_mcp.text.urls import joined_url
from deepresearch_mcp.web.pages.marked_dates import marked_date, pictured_date, scripted_date, scripts_of
from deepresearch_mcp.web.pages.page_dates import iso_date, written_date
from deepresearch_mcp.web.pages.tree import Node, inner_text

MOST_LINKS = 100
_LOOKED_AT = 3_000
"""Links examined per page."""

_ABSOLUTE = ("http://", "https://")
_NOWHERE = ("#", "javascript:", "mailto:", "tel:", "data:")
_TITLES = ("og:title", "citation_title", "dc.title", "twitter:title")
_DATES = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "article:published",
    "datecreated",
    "citation_publication_date",
    "citation_date",
    "datepublished",
    "dc.date.issued",
    "dc.date",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "date",
)
_UTC = ("Z", "+00:00", "+0000")
_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*url\s*=\s*[\"']?([^\"']+)", re.IGNORECASE)


def metas(tree: Node) -> dict[str, str]:
    """Return the first content of each <meta>, by its name or property in lower case."""
    found: dict[str, str] = {}
    for meta in tree.iter("meta"):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        content = _one_line(meta.get("content") or "", 1_000)
        if name and content:
            found.setdefault(name, content)
    return found


def json_ld(tree: Node) -> list[dict[str, Any]]:
    """Return the objects of the page's JSON-LD, @graph lists flattened. Broken JSON is skipped."""
    found: list[dict[str, Any]] = []
    for script in tree.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower() or not script.text or len(script.text) > 500_000:
            continue
        try:
            value: object = json.loads(script.text, strict=False)
        except (ValueError, RecursionError):
            continue
        found += _objects(value)
        if len(found) > 200:
            break
    return found


def words_of(things: list[dict[str, Any]], key: str) -> Iterator[str]:
    """Yield the texts under a key: a string, an object's name, or the first of a list of these."""
    for thing in things:
        value: object = thing.get(key)
        if isinstance(value, list) and value:
            value = cast(list[object], value)[0]
        if isinstance(value, dict):
            value = cast(dict[str, object], value).get("name")
        if isinstance(value, str) and value.strip():
            yield _one_line(value, 300)


def page_title(tree: Node, named: dict[str, str], things: list[dict[str, Any]]) -> str:
    """Return the title from the metadata or JSON-LD, else the <title>, else the first <h1>."""
    given = _first(named, _TITLES) or next(words_of(things, "headline"), "")
    if given:
        return given[:300]
    for tag in ("title", "h1"):
        element = tree.find(f".//{tag}")
        text = _one_line(inner_text(element), 300) if element is not None else ""
        if text:
            return text
    return ""


def published_of(tree: Node, named: dict[str, str], things: list[dict[str, Any]], latest: date) -> date | None:
    """Return the day of first publication: declared, else the one that the page gives for itself.

    Dates before 1990 or after `latest` (today) are ignored. Call this last: it removes listings from the tree.
    """
    for text in (*words_of(things, "datePublished"), *(named[key] for key in _DATES if key in named)):
        found = iso_date(text, latest)
        if found and text.rstrip().endswith(_UTC):
            # The scripts of many sites name the same moment in local time, and so the day that readers see.
            local = scripted_date(scripts_of(tree), latest)
            return local if local and abs((local - found).days) == 1 else found
        if found:
            return found
    return (
        marked_date(tree, latest)
        or scripted_date(scripts_of(tree), latest)
        or written_date(tree, latest)
        or pictured_date(named.get("og:image", named.get("twitter:image", "")), latest)
    )


def language_of(tree: Node, named: dict[str, str]) -> str:
    """Return the declared two- or three-letter language code; empty if undeclared."""
    declared = tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or named.get("og:locale", "")
    match = re.match(r"\s*([A-Za-z]{2,3})(?![A-Za-z])", declared)
    return match[1].lower() if match else ""


def links_of(tree: Node, url: str) -> list[tuple[str, str]]:
    """Return at most `MOST_LINKS` addresses and their texts, in page order.

    Links in menus, headers and footers fill only the places that other links leave free.
    """
    origin = base_of(tree, url)
    aside = {link for part in tree.iter("nav", "header", "footer", "aside") for link in part.iter("a")}
    seen = {url.partition("#")[0]}
    chosen: list[tuple[int, str, str]] = []
    numbered = list(islice(enumerate(tree.iter("a")), _LOOKED_AT))
    for place, link in sorted(numbered, key=lambda one: one[1] in aside):
        href = (link.get("href") or "").strip()
        if not href or href.startswith(_NOWHERE):
            continue
        target = absolute(origin, href)
        if target and target not in seen:
            seen.add(target)
            chosen.append((place, target, _one_line(inner_text(link), 200)))
            if len(chosen) == MOST_LINKS:
                break
    return [(target, text) for _, target, text in sorted(chosen)]


def base_of(tree: Node, url: str) -> str:
    """Return the address that the page's links are relative to."""
    base = tree.find(".//base[@href]")
    return (absolute(url, base.get("href") or "") if base is not None else "") or url


def refresh_of(tree: Node, url: str) -> str:
    """Return where a <meta http-equiv="refresh"> of at most five seconds leads; empty if there is none."""
    for meta in tree.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() == "refresh":
            match = _REFRESH.match(meta.get("content") or "")
            if match and int(match[1]) <= 5:
                target = absolute(url, match[2].strip())
                return "" if target == url.partition("#")[0] else target
    return ""


def absolute(base: str, href: str) -> str:
    """Return an absolute address without its fragment; empty if it cannot be fetched."""
    try:
        whole = href.startswith(_ABSOLUTE) and "[" not in href  # joining rejects a broken [IPv6] host
        target = (href if whole else joined_url(base, href)).partition("#")[0]
    except ValueError:
        return ""
    sane = target.startswith(_ABSOLUTE) and len(target) <= 2_000 and target.isprintable()
    return target.replace(" ", "%20") if sane else ""


def _objects(value: object, depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(value, list) and depth < 4:
        for item in cast(list[object], value)[:100]:
            yield from _objects(item, depth + 1)
    elif isinstance(value, dict):
        thing = cast(dict[str, Any], value)
        yield thing
        yield from _objects(thing.get("@graph"), depth + 1)


def _first(named: dict[str, str], keys: tuple[str, ...]) -> str:
    return next((named[key] for key in keys if key in named), "")


def _one_line(text: str, most: int) -> str:
    joined = " ".join(text.split())
    if not joined.isprintable():
        joined = "".join(filter(str.isprintable, joined))
    return joined[:most].strip()
