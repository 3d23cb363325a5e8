"""Bytes of any page as text and facts: what a parser process does with one job."""

from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from deepresearch_mcp.text.invisible import holds_message
from deepresearch_mcp.text.planted_marks import SURE
from deepresearch_mcp.text.screened import is_screened, screened
from deepresearch_mcp.web.charset import decode
from deepresearch_mcp.web.parsed import Parsed, unread
from deepresearch_mcp.web.site_names import titled
from deepresearch_mcp.web.sniff import inflated, sniff

if TYPE_CHECKING:
    from deepresearch_mcp.records.sources import MediaKind

_GZIP = b"\x1f\x8b\x08"


def extract(body: bytes, url: str, media_type: str, charset: str, limit: int, most: int, today: date) -> Parsed:
    """Parse by what the bytes are, whatever they are called.

    `limit` caps the characters of text, `most` the bytes of a file that comes compressed within itself.
    """
    if body.startswith(_GZIP):
        content = inflated(body, most)
        if content is None:
            return unread("unparsable", "The file is compressed and cannot be opened.")
        body, media_type = content, "" if "gzip" in media_type else media_type
    if not body.strip():
        return unread("empty", "The page is empty.")
    kind = sniff(body, media_type, _path(url))
    if kind is None:
        return unread("unsupported_type", f"The address holds no text that can be read ({media_type or 'unnamed'}).")
    return _screened(_parse(body, url, charset, kind, limit, today))


def _parse(body: bytes, url: str, charset: str, kind: "MediaKind", limit: int, today: date) -> Parsed:
    if kind == "pdf":
        from deepresearch_mcp.web.pdf import parse_pdf

        return parse_pdf(body, limit, today)
    text, guessed = decode(body, charset)
    if kind == "html":
        from deepresearch_mcp.web.html import parse_html

        parsed = parse_html(text, url, limit, today)
    else:
        from deepresearch_mcp.web.text_files import parse_text

        parsed = parse_text(text, kind, limit)
        if holds_message(text):
            parsed["flags"] = [*parsed.get("flags", []), "hidden_text"]
    if guessed:
        parsed["flags"] = [*parsed.get("flags", []), "charset_guessed"]
    return parsed


def _screened(parsed: Parsed) -> Parsed:
    """The page with a flag where its text addresses a machine, and without such words for its title, author or site.

    The title then carries the site's name: what a page says is told by it alone.
    """
    flags = parsed.get("flags", [])
    if "planted" not in flags and any(one.confidence >= SURE for one in screened(parsed.get("text", ""))):
        parsed["flags"] = [*flags, "planted"]
    for name in ("title", "author", "site_name"):
        if is_screened(parsed.get(name, "")):
            parsed[name] = ""
    if site := parsed.get("site_name"):
        parsed["title"] = titled(parsed.get("title", ""), site)
    return parsed


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
