"""Superscripts as plain text: a power keeps its mark, and a footnote's number does not run into the word before it."""

import re
from typing import Any, cast

from deepresearch_mcp.web.pages.tree import Node, inner_text

_FOOTNOTE = re.compile(r"\[?\(?(?:\d{1,3}|[a-z]|[*†‡§]{1,3}|note \d{1,3})\)?\]?(?:,\s*\d{1,3})*", re.IGNORECASE)
_NOTED = re.compile(r"foot-?note|\bfn\b|noteref|\breference\b|citation", re.IGNORECASE)
_POWER = re.compile(
    r"[-+\N{MINUS SIGN}]?(?:\d{1,4}(?:[./]\d{1,3})?|[a-z](?:\s?[-+*\N{MINUS SIGN}]\s?\d{1,2})?)", re.IGNORECASE
)
_ORDINAL = re.compile(r"st|nd|rd|th|er|re|e|o|a|[ºª]", re.IGNORECASE)
_BASE = re.compile(r"(?:\d|\)|(?<![^\W_])[a-ln-rt-z])$", re.IGNORECASE)
"""What a power stands on: a figure, a bracket, or a single letter. Metres and seconds keep their usual form."""


def write_superscripts(tree: Node) -> None:
    """Write `2^48` for a power, and leave out the marks of footnotes, which lead to a place on the same page."""
    for element in list(tree.iter("sup")):
        piece = cast(Any, element)
        said = " ".join(inner_text(element).split())
        if not said or piece.getparent() is None:
            continue
        if _FOOTNOTE.fullmatch(said) and _is_noted(element):
            _replace(piece, "")
        elif (
            _POWER.fullmatch(said)
            and _BASE.search(before := _before(piece))
            and not (_ORDINAL.fullmatch(said) and before[-1:].isdigit())
        ):
            power = said.replace("\N{MINUS SIGN}", "-").replace(" ", "")
            _replace(piece, f"^{power}" if power.lstrip("-+").isalnum() else f"^({power})")


def _is_noted(element: Node) -> bool:
    """Whether a superscript is the mark of a note: it leads to one on the page, or is named for it."""
    named = [element.get(key) or "" for key in ("class", "id", "role")] + [
        one.get("class") or "" for one in element.iter("a")
    ]
    if any(map(_NOTED.search, named)):
        return True
    above = element.getparent()
    links = [*element.iter("a"), *([above] if above is not None and above.tag == "a" else [])]
    return any((link.get("href") or "").startswith("#") for link in links)


def _before(piece: Any) -> str:  # noqa: ANN401 - lxml has no types
    """The text right before an element."""
    found, here = "", piece
    while here is not None and not found and here.tag not in {"p", "td", "th", "li", "div", "pre"}:
        before, above = here.getprevious(), here.getparent()
        if before is not None:
            found = before.tail or inner_text(before)
        elif above is not None:
            found = above.text or ""
        here = above
    return found


def _replace(piece: Any, text: str) -> None:  # noqa: ANN401 - lxml has no types
    piece.clear(keep_tail=True)
    piece.text = text
