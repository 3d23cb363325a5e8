"""The day of publication from marks beside the metadata: microdata, <time>, page scripts, a picture's address."""

import re
from collections.abc import Iterator
from datetime import date
from typing import cast

from deepresearch_mcp.web.pages.page_dates import iso_date
from deepresearch_mcp.web.pages.tree import Node

_PROPERTIES = ("datepublished", "datecreated", "dateposted", "uploaddate")
_ATTRIBUTES = ("created-timestamp", "data-published", "data-publish-date", "data-date-published", "dc:date")
_VALUE = re.compile(r"[:=]\s{0,3}\\?[\"'](\d{4}-\d\d-\d\d)")
_SCRIPTED = re.compile(
    r"(?:date_?published|publication_?date|published_?(?:at|date|time)|publish_?date|date_?creation|pubdate"
    r"|first_?published_?(?:at|date)?|created_?at)\\?[\"']?\s{0,3}\Z",
    re.IGNORECASE,
)
_LONGEST_KEY = 30
"""Characters of the longest name in `_SCRIPTED` with what follows it, and some more."""
_LONGEST_SCRIPT = 300_000
"""Characters of a script that are searched."""
_LISTED = re.compile(r"card|related|recommend|sidebar|widget|teaser|popular|latest|recent|comment", re.IGNORECASE)
_NEAR = 700
"""Characters of text between the title and a <time> that dates the page."""
_PICTURE = re.compile(r"(?<!\d)(20[012]\d)[-/]?(0[1-9]|1[0-2])[-/]?([0-2]\d|3[01])(?:T?\d{4,11}Z?)?(?=[^\d]|$)")


def marked_date(tree: Node, latest: date) -> date | None:
    """Return the day in microdata, else in a <time> near the page's title; None if there is none."""
    for element in tree.iter():
        if not isinstance(cast("object", element.tag), str):
            continue
        for name in (element.get("itemprop") or "").lower().split():
            if name in _PROPERTIES and (found := _said(element, latest)):
                return found
        if "-" in element.tag and (found := _attributed(element, latest)):
            return found
    return _near_title(tree, latest)


def scripted_date(scripts: str, latest: date) -> date | None:
    """Return the one day of publication that the page's scripts name; None if they name none, or several."""
    days: set[date] = set()
    # Days are looked for first and then their names: names first costs ten times as much.
    for match in _VALUE.finditer(scripts):
        key = scripts[max(0, match.start() - _LONGEST_KEY) : match.start()]
        if _SCRIPTED.search(key) and (day := iso_date(match[1], latest)):
            days.add(day)
    return days.pop() if len(days) == 1 else None


def scripts_of(tree: Node) -> str:
    """Return the scripts of a page, without its JSON-LD."""
    return "\n".join(
        script.text[:_LONGEST_SCRIPT]
        for script in tree.iter("script")
        if script.text and "ld+json" not in (script.get("type") or "")
    )


def pictured_date(address: str, latest: date) -> date | None:
    """Return the whole day in the address of the page's picture, which most systems name after its upload."""
    match = _PICTURE.search(address)
    return iso_date("-".join(match.groups()), latest) if match else None


def _said(element: Node, latest: date) -> date | None:
    for text in (element.get("datetime"), element.get("content"), element.text, element.get("title")):
        if text and (found := iso_date(text, latest)):
            return found
    return None


def _attributed(element: Node, latest: date) -> date | None:
    for name in _ATTRIBUTES:
        if (text := element.get(name)) and (found := iso_date(text, latest)):
            return found
    return None


def _near_title(tree: Node, latest: date) -> date | None:
    """The first <time> after the page's first heading, with little text between them, outside lists of other pages."""
    since = -1
    for element in _read(tree):
        if element.tag == "h1" and since < 0:
            since = 0
        if element.tag == "time" and 0 <= since <= _NEAR and not _is_listed(element):
            return iso_date(element.get("datetime") or "", latest)
        if since >= 0:
            since += len((element.text or "").strip()) + len((element.tail or "").strip())
            if since > _NEAR:
                return None
    return None


def _read(tree: Node) -> Iterator[Node]:
    for element in tree.iter():
        if isinstance(cast("object", element.tag), str) and element.tag not in {"script", "style", "noscript"}:
            yield element


def _is_listed(element: Node) -> bool:
    above: Node | None = element
    for _ in range(4):
        if above is None:
            return False
        if _LISTED.search(f"{above.get('class') or ''} {above.get('id') or ''}"):
            return True
        above = above.getparent()
    return False
