"""The answer of a parser process."""

from itertools import pairwise
from typing import TypedDict


class Parsed(TypedDict, total=False):
    """Plain JSON: a text with its facts, or the reason why there is no text."""

    kind: str
    """A value of `MediaKind`."""
    text: str
    title: str
    author: str
    site_name: str
    published: str
    """ISO date."""
    language: str
    links: list[tuple[str, str]]
    """Address and text."""
    flags: list[str]
    pages: list[tuple[int, int]]
    """Of a document with pages: from which offset on the text stands on which page; the first page is 1."""
    planted: list[tuple[int, int, str, float]]
    """Stretches of the text that address a machine; see `Screening`."""
    foreign: list[tuple[int, int, list[str]]]
    """Stretches in another language than the page, with the languages they may be in."""
    sketch: list[int]
    canonical: str
    """Another spelling of the page's address, by which the page names itself; empty if there is none."""
    next_page: str
    """The address of the page on which the text goes on; empty if there is none."""
    product: str
    """What the page tells machines of its product and its text does not say, in one line; empty if nothing."""
    refresh: str
    """The address to which the page forwards its reader."""
    reason: str
    """A value of `UnreadReason`; set if there is no usable text."""
    detail: str
    """One sentence about the reason."""


def unread_page(reason: str, detail: str) -> Parsed:
    """Return a page without usable text."""
    return {"reason": reason, "detail": detail}


def page_starts(parsed: Parsed) -> tuple[tuple[int, int], ...]:
    """Return `pages` of an answer; empty if it is missing or invalid. A worker's answer is untrusted data."""
    try:
        starts = tuple((int(at), int(number)) for at, number in parsed.get("pages", []))
    except (TypeError, ValueError):
        return ()
    rising = all(former[0] <= latter[0] for former, latter in pairwise(starts))
    return starts if rising and all(number > 0 <= at for at, number in starts) else ()
