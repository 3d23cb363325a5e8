"""Parses plain text, Markdown, JSON, XML and feeds; runs in a parser process."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from deepresearch_mcp.web.documents.data_series import Series, data_series
from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.pages.tree import Node, inner_text, load_xml
from deepresearch_mcp.web.parsed import Parsed, unread_page

if TYPE_CHECKING:
    from deepresearch_mcp.records.sources import MediaKind

_HEADING = re.compile(r"^#{1,3}\s++(\S.*)$", re.MULTILINE)
_FRONT_TITLE = re.compile(r"\A---\n(?:.*\n)*?title:[ \t]*(.+)\n(?:.*\n)*?---\n")
_TAGS = re.compile(r"<[^<>]{1,500}>")
_FEEDS = frozenset({"rss", "rdf", "feed"})
_ENTRIES = frozenset({"item", "entry"})
_SHOWN = (
    "pubdate",
    "published",
    "updated",
    "date",
    "creator",
    "author",
    "description",
    "summary",
    "encoded",
    "content",
)


def parse_text(text: str, kind: "MediaKind", limit: int) -> Parsed:
    """Return at most `limit` characters of text: JSON indented or as tables, feeds as entries with headings."""
    title = published = ""
    if kind == "json":
        title, text, published = _json(text)
    elif kind == "xml":
        title, text = _xml(text)
    text = tidy(text)
    if not text:
        return unread_page("empty", "The file holds no text.")
    page: Parsed = {
        "kind": kind,
        "text": text[:limit],
        "title": title or _title(text, kind),
        "flags": ["truncated"] if len(text) > limit else [],
    }
    if published:
        page["published"] = published
    return page


def _title(text: str, kind: "MediaKind") -> str:
    if kind == "markdown":
        if match := _FRONT_TITLE.search(text[:4_000]):
            return match[1].strip("\"' ")[:300]
        if match := _HEADING.search(text[:20_000]):
            return match[1].rstrip().rstrip("#").strip("\"' ")[:300]
    if kind in {"json", "xml"}:
        return ""
    return next((line.strip() for line in text.split("\n") if line.strip()), "")[:120]


def _json(text: str) -> Series:
    try:
        value = json.loads(text)
        return data_series(value) or Series("", json.dumps(value, indent=1, ensure_ascii=False), "")
    except (ValueError, RecursionError):
        return Series("", text, "")


def _xml(text: str) -> tuple[str, str]:
    root = load_xml(text)
    if root is None:
        return "", _TAGS.sub(" ", text)
    entries = [node for node in root.iter() if _name(node) in _ENTRIES] if _name(root) in _FEEDS else []
    title = _child(root, "title") or next((_child(node, "title") for node in root if _name(node) == "channel"), "")
    if not entries:
        return title, "\n".join(_lines(root))
    blocks = [f"# {title}" if title else "", *("\n".join(_entry(entry)) for entry in entries)]
    return title, "\n\n".join(block for block in blocks if block)


def _entry(entry: Node) -> Iterator[str]:
    title = _child(entry, "title")
    yield f"## {title}" if title else "##"
    for name in _SHOWN:
        words = _child(entry, name)
        if words:
            yield words


def _child(node: Node, name: str) -> str:
    found = next((child for child in node if _name(child) == name), None)
    if found is None:
        return ""
    words = _TAGS.sub(" ", inner_text(found)) if "<" in inner_text(found) else inner_text(found)
    return " ".join(words.split())


def _lines(root: Node) -> Iterator[str]:
    for node in root.iter():
        for words in (node.text, node.tail):
            if words and words.strip():
                yield " ".join(words.split())


def _name(node: Node) -> str:
    """Return the local name in lower case; "" for comments and unresolved entities."""
    return node.tag.rpartition("}")[2].lower() if isinstance(cast(object, node.tag), str) else ""
