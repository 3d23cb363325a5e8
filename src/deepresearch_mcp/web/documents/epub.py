"""Reads EPUB books: their chapters in reading order."""

import posixpath
from collections.abc import Iterator
from datetime import date
from urllib.parse import unquote

from deepresearch_mcp.web.charset import decode
from deepresearch_mcp.web.documents.archives import Archive, attribute, children, first, local, own
from deepresearch_mcp.web.documents.finished import finished
from deepresearch_mcp.web.documents.html_blocks import html_blocks
from deepresearch_mcp.web.pages.tree import Node
from deepresearch_mcp.web.parsed import Parsed


def parse_epub(archive: Archive, limit: int, today: date) -> Parsed:
    """Return the chapters of a book. A book with locked chapters has none.

    Raises:
        BadArchive: The file is broken, or holds more than its limits allow.
    """
    rootfile = first(archive.xml("META-INF/container.xml"), "rootfile")
    place = attribute(rootfile, "full-path") if rootfile is not None else ""
    package = archive.xml(place)
    length = 0
    blocks: list[str] = []
    for name in _chapters(package, posixpath.dirname(place)):
        text, _ = decode(archive.read(name), "")
        for block in html_blocks(text):
            blocks.append(block)
            length += len(block)
        if length > limit:
            break
    return finished("epub", blocks, limit, _Book(own(package, "metadata")), today)


class _Book:
    def __init__(self, metadata: Node | None) -> None:
        self.title = _said(metadata, "title")
        self.author = _said(metadata, "creator")
        self.created = _said(metadata, "date")[:10]


def _said(metadata: Node | None, name: str) -> str:
    node = first(metadata, name)
    return " ".join("".join(node.itertext()).split())[:300] if node is not None else ""


def _chapters(package: Node | None, folder: str) -> Iterator[str]:
    """Yield the names of the chapters' files in the archive."""
    files = {
        attribute(one, "id"): attribute(one, "href")
        for one in children(own(package, "manifest"))
        if attribute(one, "media-type") in {"application/xhtml+xml", "text/html"}
    }
    for one in children(own(package, "spine")):
        if local(one) == "itemref" and (href := files.get(attribute(one, "idref"), "")):
            yield posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))
