"""Reads Excel files: each visible sheet as a table."""

import io
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from importlib import import_module
from typing import Any

from deepresearch_mcp.web.documents.archives import Archive, Facts, attribute, children, local, own
from deepresearch_mcp.web.documents.finished import finished
from deepresearch_mcp.web.documents.markdown_tables import MOST_COLUMNS, markdown_table
from deepresearch_mcp.web.pages.tree import Node
from deepresearch_mcp.web.parsed import Parsed

_ETREE: Any = import_module("lxml.etree")
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""Numbers of Excel's own formats for dates."""
_PERCENT = frozenset({9, 10})
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_EPOCHS = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}
_MOST_ROWS = 100_000


def parse_xlsx(archive: Archive, limit: int, today: date) -> Parsed:
    """Return a heading and a table for each sheet; hidden sheets are left out. Formulas appear as their values.

    Raises:
        BadArchive: The file is broken, or holds more than its limits allow.
    """
    book = _Book(archive)
    return finished("xlsx", book.blocks(limit), limit, Facts(archive), today, hidden=book.hidden)


class _Book:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        workbook = archive.xml("xl/workbook.xml")
        properties = own(workbook, "workbookPr")
        self._epoch = _EPOCHS[properties is not None and attribute(properties, "date1904") in {"1", "true"}]
        targets = {
            attribute(one, "Id"): attribute(one, "Target").removeprefix("/xl/")
            for one in children(archive.xml("xl/_rels/workbook.xml.rels"))
        }
        sheets = list(children(own(workbook, "sheets")))
        shown = [one for one in sheets if attribute(one, "state") not in {"hidden", "veryHidden"}]
        self.hidden = len(shown) < len(sheets)
        self._sheets = [(attribute(one, "name"), targets.get(attribute(one, "id"), "")) for one in shown]
        self._strings = [_string(one) for one in children(archive.xml("xl/sharedStrings.xml"))]
        self._formats = list(_formats(archive.xml("xl/styles.xml")))

    def blocks(self, limit: int) -> Iterator[str]:
        for name, target in self._sheets:
            length = 0
            lines: list[str] = []
            for line in markdown_table(self._rows(target)):
                lines.append(line)
                length += len(line)
                if length > limit:
                    break
            if lines:
                yield f"## {name}"
                yield "\n".join(lines)

    def _rows(self, target: str) -> Iterator[list[str]]:
        content = self._archive.read(f"xl/{target}")
        if not content or b"<!DOCTYPE" in content:
            return
        events = _ETREE.iterparse(
            io.BytesIO(content), events=("end",), tag="{*}row", resolve_entities=False, no_network=True, recover=True
        )
        width = 0
        for number, (_, row) in enumerate(events):
            cells = self._cells(row)
            row.clear()
            width = max(width, len(cells))
            if any(cells):
                yield cells + [""] * (width - len(cells))
            if number > _MOST_ROWS:
                return

    def _cells(self, row: Node) -> list[str]:
        cells: list[str] = []
        for cell in row:
            if local(cell) != "c":
                continue
            at = _column(attribute(cell, "r"), len(cells))
            if at < MOST_COLUMNS:
                cells += [""] * (at - len(cells))
                cells.append(self._value(cell))
        return cells

    def _value(self, cell: Node) -> str:
        kind, value = attribute(cell, "t"), own(cell, "v")
        if kind == "inlineStr":
            inline = own(cell, "is")
            return _string(inline) if inline is not None else ""
        text = (value.text or "").strip() if value is not None else ""
        if kind == "s":
            return (
                self._strings[int(text)] if text.isascii() and text.isdigit() and int(text) < len(self._strings) else ""
            )
        if kind == "b":
            return "TRUE" if text == "1" else "FALSE"
        return self._number(text, attribute(cell, "s")) if kind in {"", "n"} else text

    def _number(self, text: str, style: str) -> str:
        try:
            number = float(text)
            form = self._formats[int(style)] if style else ""
        except (ValueError, IndexError):
            return text
        if form == "date" and 0 < number < 2_958_466:
            moment = self._epoch + timedelta(days=number)
            return moment.date().isoformat() if number == int(number) else moment.isoformat(" ", "minutes")
        if form == "percent":
            return f"{number * 100:.10g}%"
        return f"{number:.15g}" if abs(number) < 1e15 else text


def _column(reference: str, otherwise: int) -> int:
    """Return the number of a column from 0: 27 for `AB7`."""
    at = 0
    for letter in reference[:4]:
        if not "A" <= letter <= "Z":
            break
        at = at * 26 + ord(letter) - 64
    return max(at - 1, otherwise) if at else otherwise


def _string(node: Node) -> str:
    """Return a string without the readings that stand above Japanese words."""
    return "".join(
        part.text or ""
        for part in node.iter()
        if local(part) == "t" and (above := part.getparent()) is not None and local(above) != "rPh"
    )


def _formats(styles: Node | None) -> Iterator[str]:
    """Yield for each cell format whether it shows a `date` or a `percent`; empty for all others."""
    codes = {attribute(one, "numFmtId"): attribute(one, "formatCode") for one in children(own(styles, "numFmts"))}
    for one in children(own(styles, "cellXfs")):
        name = attribute(one, "numFmtId")
        code = _QUOTED.sub("", codes.get(name, "")).lower()
        number = int(name) if name.isascii() and name.isdigit() else 0
        if number in _DATES or any(sign in code for sign in ("yy", "d", "mmm")):
            yield "date"
        else:
            yield "percent" if number in _PERCENT or "%" in code else ""
