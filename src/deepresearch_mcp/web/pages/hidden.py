"""Removes the hidden parts of a page before its main text is extracted."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from deepresearch_mcp.web.pages.hiding import hides
from deepresearch_mcp.web.pages.style_sheet import Sheet, sheet_of
from deepresearch_mcp.web.pages.tree import Node

LONGEST = 50_000
"""Most characters of hidden text that are kept for screening."""
_MOST = 0.8
"""An element with more than this share of a page's text counts as shown: hiding it would leave the page blank."""
_LARGE = 200
"""Characters. Shorter elements are removed whatever their share: a nearly empty page may hide a line, too."""
_WORDS = 5
"""A hidden element of fewer words is decoration, not prose."""
_SHORTEST = 20
"""Characters. Attributes and comments up to this length cannot hold a message."""

_UNSHOWN = ("template", "datalist", "noframes", "noembed")
_FALLBACKS = ("noscript", "iframe", "object", "video", "audio", "canvas", "dialog")
"""Elements shown only if something else fails or a script opens them."""
_UNREAD = frozenset({"script", "style", "noscript", "template"})
_SPOKEN = frozenset({"alt", "title", "aria-label", "content", "placeholder"})
_FURNITURE = frozenset({"nav", "header", "footer", "aside", "form", "button", "label", "select", "dialog", "table"})
_ASIDE = re.compile(
    r"dialog|modal|popup|pop-up|overlay|drawer|menu|nav|tooltip|cookie|consent|banner|alert|notice|notif|message"
    r"|error|success|loading"
    r"|search|login|sign|share|social|cart|mobile|desktop|print|template|sr-only|screen-?reader|visually|skip"
    r"|toast|lightbox|sidebar|widget|promo|subscri|newsletter",
    re.IGNORECASE,
)
"""Matches roles, classes and ids of dialogs, menus, notices and other parts that are not the page's text."""
_NEVER = frozenset({"html", "body", "main", "head"})
"""Elements whose hiding style a script must lift, or the page would stay blank."""
_STYLING = frozenset({"style", "hidden", "popover"})
_NAMING = _STYLING | {"class", "id"}
_OPENING = frozenset({"aria-controls", "data-target", "data-bs-target", "data-toggle", "data-tab", "popovertarget"})
_STYLED_ELSEWHERE = "//link[contains(@rel, 'stylesheet')] | //script[not(contains(@type, 'json'))]"
_PANEL = re.compile(
    r"accordion|collaps|expand|toggle|tab-?(?:pane|panel|content)|faq|answer|read-?more|carousel|swiper|slick"
    r"|slide(?:s|r)?(?![a-z])|animat|fade|reveal|lazy|(?<![a-z])wow(?![a-z])",
    re.IGNORECASE,
)
"""Matches classes and ids of panels that open by a click and of parts that appear on scrolling."""
_ANIMATED = ("data-w-id", "data-aos", "data-sal", "data-animate", "data-animation", "data-scroll")


class Unseen(NamedTuple):
    """The hidden content that was removed from a page."""

    text: str
    """All hidden text, attributes included, at most `LONGEST` characters, for screening."""
    noted: bool
    """Whether to report it: prose within the page's own text, not a menu, form or notice."""


def take_out(tree: Node) -> Unseen:
    """Remove, in place, what a style, an attribute or an element hides from readers.

    Panels that open by a click stay, because a reader can see their text. A panel is an element that a button
    controls, or one named like a tab or an accordion. On the pages of two extraction benchmarks the main text is as
    good as with nothing removed (word F1 .776 against .770 over seven kinds of pages, .959 on news).
    """
    whole = -1
    noted = False
    found: list[str] = []
    gone: set[Node] = set()
    for element in list(_elements(tree)):
        if any(above in gone for above in _line(element)) or _is_for_us(element, tree):
            continue
        text = " ".join(" ".join(_texts(element)).split())
        if len(text) > _LARGE and whole < 0:
            whole = sum(map(len, _texts(tree)))
        if len(text) > max(_LARGE, _MOST * whole):
            continue
        if text:
            found.append(text)
            noted = noted or _is_prose(text, element)
        gone.add(element)
        cast(Any, element).drop_tree()
    return Unseen("\n\n".join((*found, *_unspoken(tree)))[:LONGEST], noted)


def _is_for_us(element: Node, tree: Node) -> bool:
    """Return whether an element holds the page for readers without scripts, such as ourselves.

    Forums on Discourse put all posts into one <noscript>: 14 of 70 forum pages of a benchmark.
    """
    if element.tag != "noscript":
        return False
    inside = sum(map(len, _texts(element)))
    if inside <= _LARGE:
        return False
    body = tree.find(".//body")
    shown = 0
    for child in tree if body is None else body:
        shown += 0 if child is element or child.tag in _UNREAD else sum(map(len, _texts(child)))
        if shown > inside:
            return False
    return True


def comments(html: str) -> str:
    """Return the comments in a page's source, at most `LONGEST` characters; the parser drops them."""
    found: list[str] = []
    at = end = 0
    while (at := html.find("<!--", end)) >= 0 and (end := html.find("-->", at)) >= 0:
        text = " ".join(html[at + 4 : end].split())
        if len(text) > _SHORTEST and not text.startswith("[if"):
            found.append(text)
    return "\n\n".join(found)[:LONGEST]


def _is_prose(text: str, element: Node) -> bool:
    if len(text.split()) < _WORDS or element.tag in _FALLBACKS or element.tag in _UNSHOWN:
        return False
    return not any(
        above.tag in _FURNITURE
        or _ASIDE.search(f"{above.get('role') or ''} {above.get('class') or ''} {above.get('id') or ''}")
        for above in _line(element)
    )


def _line(element: Node) -> Iterator[Node]:
    """Yield the element, then its ancestors from the inside out."""
    yield element
    yield from cast(Any, element).iterancestors()


def _unspoken(tree: Node) -> Iterator[str]:
    """Yield the texts of attributes, which extraction ignores."""
    element: Any
    for element in _with_any(tree, _SPOKEN):
        for name, value in element.items():
            if len(value) > _SHORTEST and name in _SPOKEN:
                yield " ".join(value.split())


def _with_any(tree: Node, names: frozenset[str]) -> Iterator[Node]:
    """Yield the elements with one of the attributes: while all elements are held, in a third of an XPath's time."""
    element: Any
    for element in tree.iter():
        if not names.isdisjoint(element.keys()):
            yield element


def _elements(tree: Node) -> Iterator[Node]:
    yield from tree.iter(*_UNSHOWN)
    for element in tree.iter(*_FALLBACKS):
        if element.tag != "dialog" or element.get("open") is None:
            yield element
    sheet = _sheet(tree)
    panels: set[str] | None = None
    body = next(tree.iter("body"), None)
    named = _NAMING if sheet.hiding or sheet.faint else _STYLING
    for element in _with_any(body, named) if body is not None else ():
        if element.tag in _NEVER or not hides(element, sheet):
            continue
        panels = _controlled(tree) if panels is None else panels
        if not _is_panel(element, panels):
            yield element


def _sheet(tree: Node) -> Sheet:
    styles = list(tree.iter("style"))
    # A style sheet for some screens says nothing about the others.
    own = [style for style in styles if (style.get("media") or "all") in {"all", "screen"}]
    css = "\n".join(style.text or "" for style in own)
    is_whole = len(own) == len(styles) and "@import" not in css and not tree.xpath(_STYLED_ELSEWHERE)
    return sheet_of(css, is_whole=is_whole)


def _controlled(tree: Node) -> set[str]:
    """Return the ids of the elements that buttons, tabs and links open."""
    found: set[str] = set()
    for element in _with_any(tree, _OPENING):
        for name in ("aria-controls", "data-target", "data-bs-target", "data-tab", "popovertarget", "href"):
            found.update(part.lstrip("#") for part in (element.get(name) or "").split())
    return found


def _is_panel(element: Node, controlled: set[str]) -> bool:
    """Return whether the page marks or names the element as one that opens or appears later."""
    if element.get("role") == "tabpanel" or (element.get("id") or "\0") in controlled:
        return True
    if any(element.get(name) is not None for name in _ANIMATED):
        return True
    return bool(_PANEL.search(f"{element.get('class') or ''} {element.get('id') or ''}"))


def _texts(element: Node) -> Iterator[str]:
    """Yield the texts inside an element, without scripts, styles and comments."""
    node: Any
    for node in element.iter():
        tag, text = node.tag, node.text
        if text and isinstance(tag, str) and tag not in {"script", "style"}:
            yield text
        if node is not element and (tail := node.tail):
            yield tail
