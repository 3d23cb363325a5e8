"""What a parser process answers."""

from typing import TypedDict


class Parsed(TypedDict, total=False):
    """Plain JSON: either a text and its facts, or the reason why there is none."""

    kind: str
    """A word of `MediaKind`."""
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
    planted: list[tuple[int, int, str, float]]
    """Stretches of the text that address a machine; see `Screening`."""
    foreign: list[tuple[int, int, list[str]]]
    """Stretches in another language than the page, with the languages they may be in."""
    sketch: list[int]
    refresh: str
    """Where the page sends its reader at once."""
    reason: str
    """A word of `UnreadReason`: there is no text to use."""
    detail: str
    """One sentence about the reason."""


def unread_page(reason: str, detail: str) -> Parsed:
    """A page without a text that could be used."""
    return {"reason": reason, "detail": detail}
