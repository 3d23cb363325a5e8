"""Detects the kind of a file from its first bytes and its declared type."""

import re
import zlib
from typing import TYPE_CHECKING

from deepresearch_mcp.web.documents.archives import archive_kind

if TYPE_CHECKING:
    from deepresearch_mcp.records.sources import MediaKind


_HEAD = 1_024
"""Bytes examined; PDF readers accept %PDF within the same distance."""
_HTML = re.compile(
    rb"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]|<title[\s>]|<meta\s|<script[\s>]|<!--", re.IGNORECASE
)
_XHTML = re.compile(rb"<html[\s>]|<!doctype\s+html", re.IGNORECASE)
_XML = re.compile(rb"^\s*<(?:\?xml|rss|feed|urlset|sitemapindex)\b", re.IGNORECASE)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_BINARY = (
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x00\x00\x01\x00", b"BM\x36", b"RIFF", b"OggS", b"ID3", b"wOFF", b"wOF2"),
    *(b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\x28\xb5\x2f\xfd"),
    *(b"\x7fELF", b"MZ\x90", _OLD_OFFICE, b"SQLite format 3", b"{\\rtf"),
)
"""First bytes of pictures, sound, fonts, archives, programs, old office files, databases and rich text."""
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_ARCHIVE = b"PK\x03\x04"
_UNNAMED = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download"})
_BY_LABEL: dict[str, "MediaKind"] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "application/json": "json",
    "application/x-ndjson": "text",
    "text/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "message/rfc822": "email",
    "application/mbox": "email",
    "text/vtt": "subtitles",
    "application/x-subrip": "subtitles",
    "application/x-ipynb+json": "notebook",
}
_BY_SUFFIX: dict[str, "MediaKind"] = {
    **dict.fromkeys((".md", ".markdown", ".mdown"), "markdown"),
    **dict.fromkeys((".csv", ".tsv"), "csv"),
    **dict.fromkeys((".srt", ".vtt"), "subtitles"),
    **dict.fromkeys((".eml", ".mbox"), "email"),
    ".ipynb": "notebook",
    ".json": "json",
}
_LETTER = re.compile(
    rb"(?:From [^\n]{1,900}\n)?"
    rb"(?:[A-Za-z][A-Za-z0-9-]{1,40}:[ \t][^\n]{0,900}\r?\n(?:[ \t][^\n]{0,900}\r?\n){0,9}){2}"
)
"""The first two fields of a letter's head, in an mbox file below the line that begins a letter."""
_MBOX = re.compile(rb"From \S[^\n]{1,300}\d\d:\d\d:\d\d[^\n]{1,60}\n" + _LETTER.pattern)
"""The begin of an mbox file, whatever it is called: mailing lists offer theirs as .txt."""


def sniff(body: bytes, media_type: str, path: str = "") -> "MediaKind | None":
    """Return the kind of file; None if it holds no text.

    Magic bytes outrank the declared type, which outranks the shape of the text. The suffix of `path` only tells
    kinds of plain text apart.
    """
    head = body[:_HEAD]
    wide = head[:2] in {b"\xff\xfe", b"\xfe\xff"} or _is_bare_utf16(head)
    text = head.replace(b"\x00", b"") if wide else head
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(_ARCHIVE):
        return archive_kind(body)
    if head.startswith(_BINARY) or b"\x00" in text:
        return None
    declared = _declared(media_type)
    if declared == "text" and text and not (wide or _is_text(text)):
        return None
    return _by_shape(text, declared, unnamed=media_type in _UNNAMED, path=path)


def _by_shape(head: bytes, declared: "MediaKind | None", *, unnamed: bool, path: str) -> "MediaKind | None":
    if declared in {"json", "markdown", "csv", "email", "subtitles", "notebook"} and not _XHTML.search(head):
        named = _suffixed(path)
        return named if declared == "json" and named == "notebook" else declared
    if declared == "html" or (_HTML.search(head) and (not _XML.match(head) or _XHTML.search(head))):
        return "html"
    if declared == "xml" or _XML.match(head):
        return "xml"
    if declared == "text" or (unnamed and _is_text(head)):
        named = "email" if _MBOX.match(head) else _suffixed(path)
        if named == "email" and not _LETTER.match(head):
            return "text"
        return named or "text"
    return None


def is_locked(body: bytes) -> bool:
    """Whether this is an office file with a password, which lies in a file of the old form."""
    return body.startswith(_OLD_OFFICE) and _LOCKED in body


def is_built_in(media_type: str) -> bool:
    """Whether this program itself knows what to do with a media type, or cannot tell from it what the file is."""
    return media_type in _BY_LABEL or media_type in _UNNAMED or media_type == "text/plain"


def _suffixed(path: str) -> "MediaKind | None":
    return next((kind for suffix, kind in _BY_SUFFIX.items() if path.lower().endswith(suffix)), None)


def inflated(body: bytes, most: int) -> bytes | None:
    """Return the content of a gzip file; None if it is not one or its content exceeds `most` bytes."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = inflater.decompress(body, most)
    except zlib.error:
        return None
    return None if inflater.unconsumed_tail else content


def _declared(media_type: str) -> "MediaKind | None":
    if media_type in _BY_LABEL:
        return _BY_LABEL[media_type]
    if media_type.endswith("+json"):
        return "json"
    if media_type.endswith("+xml") and not media_type.startswith("image/"):
        return "xml"
    return "text" if media_type.startswith("text/") else None


def _is_bare_utf16(head: bytes) -> bool:
    """Return whether every other byte is zero, as in Latin text in UTF-16 without a byte-order mark."""
    return (
        len(head) >= 32 and min(head[0::2].count(0), head[1::2].count(0)) == 0 and head.count(0) >= len(head) // 2 - 8
    )


def _is_text(head: bytes) -> bool:
    odd = sum(byte < 32 and byte not in b"\t\n\f\r\x1b" for byte in head)
    return bool(head) and odd <= len(head) // 50
