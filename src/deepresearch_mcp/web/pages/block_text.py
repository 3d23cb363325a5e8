"""Renders chosen blocks of a page as plain Markdown, word for word as a reader sees them."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from deepresearch_mcp.text.entries import SAID, TERM
from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.pages.page_blocks import Block, Frame

_ANCHOR = "¶"
"""Text of the self-link at the end of a heading, which documentation shows only under the pointer."""
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_NO_HEADING = " " * 4
"""Before words that would be taken for a heading, such as the comment of a command or a prompt."""
_LONGEST_CELL = 400
"""Characters. A table with a longer cell on average lays a page out, it holds no data."""
_LONGEST_HEAD = 80
"""Characters of a head that is repeated over each column that it spans."""
_WIDEST = 60
"""Columns of a table that are kept apart."""
_SPAN = re.compile(r"\d{1,3}")


def to_markdown(blocks: Sequence[Block]) -> str:
    """Render headings, paragraphs, lists, data tables, quotations and listings."""
    return tidy("".join(f"{gap}{text}" for gap, text in _spaced(list(_pieces(blocks)))))


class _Piece:
    def __init__(self, text: str, place: object = None) -> None:
        self.text = text
        self.place = place
        """The list, quotation or table that the piece belongs to; None if none."""


def _spaced(pieces: list[_Piece]) -> Iterator[tuple[str, str]]:
    before: object = None
    for piece in pieces:
        yield "\n" if piece.place is not None and piece.place is before else "\n\n", piece.text
        before = piece.place


def _pieces(blocks: Sequence[Block]) -> Iterator[_Piece]:
    opened: set[int] = set()
    tables: dict[int, list[Block]] = {}
    for block in blocks:
        if block.frame.table is not None and block.frame.row is not None:
            tables.setdefault(id(block.frame.table), []).append(block)
    data = {key for key, cells in tables.items() if _is_data(cells)}
    done: set[int] = set()
    for block in blocks:
        frame = block.frame
        if frame.row is not None and id(frame.table) in data:
            if id(frame.table) not in done:
                done.add(id(frame.table))
                yield _within(list(_rows(tables[id(frame.table)])), frame.table)
            continue
        yield _piece(block, opened)


def _piece(block: Block, opened: set[int]) -> _Piece:
    frame = block.frame
    if frame.pre and "\n" in block.text:
        return _within(["```", *block.text.split("\n"), "```"], frame)
    text = _lines(block.text)
    if frame.heading:
        words = text.replace("\n", " ").lstrip()
        return _Piece(f"{'#' * frame.heading} {words}" if words else "")
    place: object = None
    item = frame.item
    if item is not None and not item.is_card and text:
        text, place = _listed(text, item, opened), _outermost(item)
    if frame.quotes and text:
        marks = "> " * min(frame.quotes, 5)
        text = "\n".join(f"{marks}{line}" for line in text.split("\n"))
    return _Piece(text, place)


def _within(lines: list[str], frame: Frame | None) -> _Piece:
    """A listing or table; in an explanation it is indented as the lines around it, so that it does not end it."""
    item = frame.item if frame is not None else None
    if item is None or item.tag != "dd" or item.is_card:
        return _Piece("\n".join(lines))
    indent = _indent(item) + " " * len(SAID)
    return _Piece("\n".join(f"{indent}{line}" if line else "" for line in lines))


def _indent(item: Frame) -> str:
    """Two columns for each item around it, up to 11 of them."""
    above, indent = item.parent, ""
    while above is not None:
        outer = above.item
        if outer is None or outer is item or len(indent) > 20:
            break
        indent += "  "
        above = outer.parent
    return indent


def _listed(text: str, item: Frame, opened: set[int]) -> str:
    indent = _indent(item)
    mark = {"dt": TERM, "dd": SAID}.get(item.tag, "- ")
    if item.tag == "li" and item.listing is not None and item.listing.tag == "ol":
        mark = f"{_number(item)}. "
    first = id(item) not in opened
    opened.add(id(item))
    lines = text.split("\n")
    rest = indent + " " * len(mark)
    return "\n".join([(indent + mark if first else rest) + lines[0], *(rest + line for line in lines[1:])])


def _number(item: Frame) -> int:
    """The number of an item among those of its list."""
    if not item.number:
        above, count = item.element.getparent(), 0
        given = _SPAN.fullmatch((above.get("start") if above is not None else None) or "")
        count = int(given[0]) - 1 if given else 0
        numbers = item.listing.numbers if item.listing is not None else {}
        if not numbers and above is not None:
            for child in above:
                if child.tag == "li":
                    count += 1
                    numbers[child] = count
        item.number = numbers.get(item.element, 1)
    return item.number


def _outermost(item: Frame) -> Frame | None:
    found = item.listing
    above: Frame | None = item
    while above is not None and above.item is not None:
        found = above.item.listing or found
        above = above.item.parent
    return found


def _is_data(cells: list[Block]) -> bool:
    """Whether the cells hold data: two rows and columns at least, little text in each, no headings or listings."""
    rows: dict[int, set[int]] = {}
    whole = 0
    for block in cells:
        if block.frame.cell is None or block.frame.heading or (block.frame.pre and "\n" in block.text):
            return False
        rows.setdefault(id(block.frame.row), set()).add(id(block.frame.cell))
        whole += block.chars
    counts = [len(found) for found in rows.values()]
    return sum(count > 1 for count in counts) > 1 and whole / sum(counts) <= _LONGEST_CELL


def _rows(cells: list[Block]) -> Iterator[str]:  # noqa: C901 - one pass over rows and cells
    """The rows of a table. The rows of its head are joined, so that each column has one name."""
    said: dict[Any, list[str]] = {}
    rows: dict[Any, None] = {}
    for block in cells:
        if block.frame.cell is not None and block.frame.row is not None:
            said.setdefault(block.frame.cell.element, []).append(" ".join(_lines(block.text).split()))
            rows.setdefault(block.frame.row.element)
    spans: dict[int, tuple[int, str]] = {}
    lines: list[tuple[bool, list[str]]] = []
    for row in rows:
        line: list[str] = []
        is_head = True
        for cell in row:
            if cell.tag not in {"td", "th"}:
                continue
            _fill(line, spans)
            text = " ".join(said.get(cell, ()))
            is_head = is_head and (cell.tag == "th" or not text)
            wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
            named = cell.tag == "th" and is_head and len(text) <= _LONGEST_HEAD
            for at in range(min(wide, _WIDEST - len(line))):
                if high > 1:
                    spans[len(line)] = (high - 1, text if named or not at else "")
                line.append(text if named or not at else "")
        _fill(line, spans)
        if row.getparent() is not None and row.getparent().tag == "thead":
            is_head = True
        lines.append((is_head and any(line), line))
    heads = 0
    while heads < len(lines) and lines[heads][0]:
        heads += 1
    if 0 < heads < len(lines):
        width = max(len(line) for _, line in lines[:heads])
        named = [_joined(line[at] for _, line in lines[:heads] if at < len(line)) for at in range(width)]
        yield f"| {' | '.join(named)} |"
        yield f"|{'---|' * width}"
        lines = lines[heads:]
    for _, line in lines:
        if any(line):
            yield f"| {' | '.join(line)} |"


def _fill(line: list[str], spans: dict[int, tuple[int, str]]) -> None:
    """Add the cells that reach down from the rows above."""
    while len(line) in spans and len(line) < _WIDEST:
        left, text = spans.pop(len(line))
        if left > 1:
            spans[len(line)] = (left - 1, text)
        line.append(text)


def _joined(names: Iterator[str]) -> str:
    return " ".join(dict.fromkeys(name for name in names if name))


def _span(cell: Any, name: str) -> int:  # noqa: ANN401 - lxml has no types
    match = _SPAN.match((cell.get(name) or "").strip())
    return min(max(1, int(match[0])), 100) if match else 1


def _lines(text: str) -> str:
    lines = (line.removesuffix(_ANCHOR).rstrip() for line in text.split("\n"))
    return "\n".join(f"{_NO_HEADING}{line}" if _HEADING.match(line) else line for line in lines if line)
