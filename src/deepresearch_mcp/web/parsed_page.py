"""What the parent makes of a parser process's answer, which is untrusted data."""

from dataclasses import dataclass
from datetime import date
from typing import cast, get_args

from pydantic import ValidationError

from deepresearch_mcp.exceptions import FetchFailed, UnreadReason
from deepresearch_mcp.records.sources import Link, MediaKind, Screening
from deepresearch_mcp.version import __version__
from deepresearch_mcp.web.parsed import Parsed, page_starts

_REASONS = frozenset(get_args(UnreadReason))
_KINDS = frozenset(get_args(MediaKind))


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A parsed page."""

    kind: MediaKind
    text: str
    """Empty only if `refresh` is set."""
    title: str = ""
    author: str = ""
    published: date | None = None
    language: str = ""
    links: tuple[Link, ...] = ()
    flags: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()  # see `DocumentCard.pages`
    canonical: str = ""  # see `Parsed.canonical`
    next_page: str = ""  # see `Parsed.next_page`
    also: tuple[str, ...] = ()  # see `DocumentCard.also`
    refresh: str = ""
    """The address to which the page forwards its reader; empty if none."""
    screening: Screening | None = None


def page_of(url: str, parsed: Parsed) -> ParsedPage:
    """Return the page that an answer describes.

    Raises:
        FetchFailed: The answer gives a reason why there is no usable text, or holds none.
    """
    reason, kind = parsed.get("reason", ""), parsed.get("kind", "")
    refresh = parsed.get("refresh", "")
    if reason and not refresh:
        known = cast(UnreadReason, reason) if reason in _REASONS else "unparsable"
        raise FetchFailed(url, known, parsed.get("detail", "The page cannot be read."))
    text = parsed.get("text", "")
    if kind not in _KINDS or not (text or refresh):
        raise FetchFailed(url, "empty", "The page holds no text.")
    published = parsed.get("published", "")
    return ParsedPage(
        kind=cast(MediaKind, kind),
        text="" if reason else text,
        title=parsed.get("title", ""),
        author=parsed.get("author", ""),
        published=date.fromisoformat(published) if published else None,
        language=parsed.get("language", ""),
        links=tuple(Link(url=link, text=words) for link, words in parsed.get("links", [])),
        flags=tuple(parsed.get("flags", [])),
        pages=page_starts(parsed),
        canonical=parsed.get("canonical", ""),
        next_page=parsed.get("next_page", ""),
        refresh=refresh,
        screening=screening_of(parsed),
    )


def screening_of(parsed: Parsed) -> Screening | None:
    """Return the screening; None if it is missing or invalid. A worker's answer is untrusted data."""
    if "planted" not in parsed or "sketch" not in parsed:
        return None
    found = {"planted": parsed["planted"], "foreign": parsed.get("foreign", []), "sketch": parsed["sketch"]}
    try:
        return Screening.model_validate({"version": __version__, **found})
    except ValidationError:
        return None
