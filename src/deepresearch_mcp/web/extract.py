"""Turns the bytes of a page into text and facts; runs in a parser process."""

from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from deepresearch_mcp.injection.foreign import foreign_stretches
from deepresearch_mcp.injection.invisible import holds_message
from deepresearch_mcp.injection.marks import SURE
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.injection.screened import screened as stretches_of
from deepresearch_mcp.text.near_duplicates import sketch
from deepresearch_mcp.web.charset import decode
from deepresearch_mcp.web.documents.reading import read_document, read_text
from deepresearch_mcp.web.fetching.rehearsal import rehearse
from deepresearch_mcp.web.other_readers import read_by_extension
from deepresearch_mcp.web.pages.html import parse_html
from deepresearch_mcp.web.pages.site_names import titled
from deepresearch_mcp.web.parsed import Parsed, unread_page
from deepresearch_mcp.web.sniff import inflated, is_locked, sniff

if TYPE_CHECKING:
    from deepresearch_mcp.records.sources import MediaKind

_GZIP = b"\x1f\x8b\x08"


def extract(body: bytes, url: str, media_type: str, charset: str, limit: int, most: int, today: date) -> Parsed:
    """Parse a page by what its bytes are, not by its declared type, and screen the text.

    `limit` caps the characters of text, `most` the decompressed bytes of a gzip file. Dates after `today` are ignored.
    """
    return with_screening(parsed(body, url, media_type, charset, limit, most, today))


def parsed(body: bytes, url: str, media_type: str, charset: str, limit: int, most: int, today: date) -> Parsed:
    """Parse a page as `extract` does, without screening its text."""
    if body.startswith(_GZIP):
        content = inflated(body, most)
        if content is None:
            return unread_page("unparsable", "The file is compressed and cannot be opened.")
        body, media_type = content, "" if "gzip" in media_type else media_type
    if not body.strip():
        return unread_page("empty", "The page is empty.")
    if page := read_by_extension(body, media_type, limit):
        return page
    kind = sniff(body, media_type, _path(url))
    if is_locked(body):
        return unread_page("encrypted", "The file is locked with a password.")
    if kind is None:
        return unread_page(
            "unsupported_type", f"The address holds no text that can be read ({media_type or 'unnamed'})."
        )
    return _parse(body, url, charset, kind, limit, today)


def _parse(body: bytes, url: str, charset: str, kind: "MediaKind", limit: int, today: date) -> Parsed:
    document = read_document(body, kind, limit, today)
    if document is not None:
        return document
    text, guessed = decode(body, charset)
    if kind == "html":
        page = parse_html(text, url, limit, today)
        if line := page.get("product"):
            # Shops often write the price by script. It can be cited only if it stands in the text.
            page["text"] = f"{page.get('text', '')[: limit - len(line) - 2]}\n\n{line}"
    else:
        page = read_text(text, kind, limit, today)
        if holds_message(text):
            page["flags"] = [*page.get("flags", []), "hidden_text"]
    if guessed:
        page["flags"] = [*page.get("flags", []), "charset_guessed"]
    return page


def with_screening(page: Parsed) -> Parsed:
    """Add the screening of the text, and empty a title, author or site name that holds planted words.

    The page gets the flag `planted` if a stretch has at least the confidence `SURE`. The site's name is added to the
    title, from which alone later stages learn what a page is about.
    """
    page |= screening(page.get("text", ""))
    flags = page.get("flags", [])
    if "planted" not in flags and any(confidence >= SURE for *_, confidence in page.get("planted", ())):
        page["flags"] = [*flags, "planted"]
    for name in ("title", "author", "site_name"):
        if is_screened(page.get(name, "")):
            page[name] = ""
    if site := page.get("site_name"):
        page["title"] = titled(page.get("title", ""), site)
    return page


def screening(text: str) -> Parsed:
    """Screen the whole text, and rehearse the work of later stages on it to prove that it ends in time."""
    if not text:
        return {}
    found = stretches_of(text)
    rehearse(text, found)
    return {
        "planted": [(one.start, one.end, one.reason, one.confidence) for one in found],
        "foreign": [(one.start, one.end, sorted(one.languages)) for one in foreign_stretches(text)],
        "sketch": list(sketch(text)),
    }


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
