"""Reads Word files: headings, paragraphs, lists, tables and footnotes."""

import re
from collections.abc import Iterator
from datetime import date

from deepresearch_mcp.web.documents.archives import Archive, Facts, attribute, children, first, local, own
from deepresearch_mcp.web.documents.finished import finished
from deepresearch_mcp.web.documents.markdown_tables import markdown_table
from deepresearch_mcp.web.pages.tree import Node
from deepresearch_mcp.web.parsed import Parsed

_LEVEL = re.compile(r"heading\s*([1-6])$", re.IGNORECASE)
_UNSHOWN = frozenset({"del", "moveFrom", "instrText", "delText", "pict", "drawing", "object", "AlternateContent"})
_ITEM = 0
"""The level of items of a list."""
_DEEPEST = 40
"""How deep tables and controls may be nested."""


def parse_docx(archive: Archive, limit: int, today: date) -> Parsed:
    """Return the text as Markdown. Hidden and deleted words are left out.

    Raises:
        BadArchive: The file is broken, or holds more than its limits allow.
    """
    reader = _Reader(archive)
    body = first(archive.xml("word/document.xml"), "body")
    blocks = [block for block in reader.blocks(body, 0) if block] if body is not None else []
    blocks += reader.notes(archive)
    return finished("docx", blocks, limit, Facts(archive), today, hidden=reader.hidden)


class _Reader:
    def __init__(self, archive: Archive) -> None:
        self.hidden = False
        self._levels = dict(_levels(archive.xml("word/styles.xml")))
        self._cited: list[str] = []

    def blocks(self, parent: Node, depth: int) -> Iterator[str]:
        if depth > _DEEPEST:
            return
        for node in parent:
            name = local(node)
            if name == "p":
                yield self._paragraph(node)
            elif name == "tbl":
                yield "\n".join(markdown_table(self._rows(node, depth)))
            elif name in {"sdt", "sdtContent", "ins", "smartTag", "customXml"}:
                yield from self.blocks(node, depth + 1)

    def notes(self, archive: Archive) -> list[str]:
        """Return the footnotes that the text refers to."""
        texts: dict[str, str] = {}
        for note in children(archive.xml("word/footnotes.xml")):
            words = " ".join(filter(None, self.blocks(note, 0)))
            texts[attribute(note, "id")] = words
        return [f"[^{number}]: {texts[number]}" for number in dict.fromkeys(self._cited) if texts.get(number)]

    def _paragraph(self, node: Node) -> str:
        text = " ".join("".join(self._words(node, 0)).split())
        if not text:
            return ""
        properties = own(node, "pPr")
        style = own(properties, "pStyle")
        level = self._levels.get(attribute(style, "val")) if style is not None else None
        outline = own(properties, "outlineLvl")
        if level is None and outline is not None and attribute(outline, "val") in {"0", "1", "2", "3", "4", "5"}:
            level = int(attribute(outline, "val")) + 1
        if level:
            return f"{'#' * level} {text}"
        return f"- {text}" if level == _ITEM or own(properties, "numPr") is not None else text

    def _words(self, node: Node, depth: int) -> Iterator[str]:
        for child in node:
            name = local(child)
            if name == "t":
                yield child.text or ""
            elif name in {"tab", "br", "cr"}:
                yield " "
            elif name == "noBreakHyphen":
                yield "-"
            elif name == "footnoteReference":
                self._cited.append(attribute(child, "id"))
                yield f"[^{attribute(child, 'id')}]"
            elif name == "r" and _is_hidden(child):
                self.hidden = self.hidden or bool("".join(child.itertext()).strip())
            elif name not in _UNSHOWN and depth < _DEEPEST:
                yield from self._words(child, depth + 1)

    def _rows(self, table: Node, depth: int) -> Iterator[list[str]]:
        for row in table:
            if local(row) == "tr":
                cells: list[str] = []
                for cell in row:
                    if local(cell) == "tc":
                        cells += self._cell(cell, depth)
                yield cells

    def _cell(self, cell: Node, depth: int) -> list[str]:
        properties = own(cell, "tcPr")
        span, merged = own(properties, "gridSpan"), own(properties, "vMerge")
        goes_on = merged is not None and attribute(merged, "val") != "restart"
        text = "" if goes_on else " ".join(filter(None, self.blocks(cell, depth + 1)))
        width = attribute(span, "val") if span is not None else "1"
        return [text, *[""] * (min(int(width), 50) - 1 if width.isascii() and width.isdigit() else 0)]


def _is_hidden(run: Node) -> bool:
    """Return whether a run of letters is set as hidden, or white on nothing."""
    properties = own(run, "rPr")
    vanish, colour = own(properties, "vanish"), own(properties, "color")
    if vanish is not None and attribute(vanish, "val") not in {"0", "false"}:
        return True
    white = colour is not None and attribute(colour, "val").upper() == "FFFFFF"
    return white and own(properties, "shd") is None and own(properties, "highlight") is None


def _levels(styles: Node | None) -> Iterator[tuple[str, int]]:
    for style in children(styles):
        name = own(style, "name")
        found = _LEVEL.match(attribute(name, "val")) if name is not None else None
        if found:
            yield attribute(style, "styleId"), int(found[1])
        elif name is not None and attribute(name, "val").lower() == "title":
            yield attribute(style, "styleId"), 1
        elif name is not None and attribute(name, "val").lower().startswith("list "):
            yield attribute(style, "styleId"), _ITEM
