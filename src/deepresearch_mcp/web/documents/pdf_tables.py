"""Finds tables among the rows of a page, and writes them as Markdown with the heads of their rows and columns."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from deepresearch_mcp.web.documents.markdown_tables import markdown_table
from deepresearch_mcp.web.documents.rows import Piece, Row
from deepresearch_mcp.web.documents.table_rows import Line, has_figures, read_row

_OPEN_LABEL = re.compile(r"[a-z,;(–-]$")
_NOTE = re.compile(r"\(.{2,120}\)")
"""`(In Millions; Unaudited)`, on the left of the heads."""
_FAR = 2.6
"""Distance of two rows of one table, in font sizes, from base to base."""
_FAR_HEADS = 3.3
"""The same below a row of several heads."""
_FARTHEST = 5.0
"""The same between parts of a table whose columns are the same."""
_LOOKED_AT = 60
"""Rows of a table from which its columns are taken, to tell whether it goes on."""
_HEADS = 9
"""Most rows of the heads of a table's columns."""
_LABELS = 4
"""Most rows without figures between two rows with figures."""
_LONG_LABEL = 90
"""Characters of a label alone; what is longer is a sentence."""
_REACH = 1.5
"""Font sizes by which the middle of a head may differ from the middle of the columns that it stands over."""
MOST_COLUMNS = 24


class Table(NamedTuple):
    """A table of `rows[start:end]`."""

    start: int
    end: int
    markdown: str


def tables(rows: Sequence[Row]) -> list[Table]:
    """Return the tables among the rows of one column of a page, in order.

    A table is found by its figures: at least two rows near to each other that end with figures in columns.
    """
    found: list[Table] = []
    lines = [read_row(row) for row in rows]
    at = 0
    while at < len(rows):
        if not has_figures(lines[at]):
            at += 1
            continue
        end = _end(lines, at)
        body = lines[at:end]
        if sum(map(has_figures, body)) >= 2 and _columns(body):
            floor = found[-1].end if found else 0
            while at > floor and lines[at].label[:1].islower() and _is_label_before(lines[at - 1], lines[at]):
                at -= 1
                body = lines[at:end]
            start = _first_head(lines, at, floor, body)
            found.append(Table(start, end, _markdown(lines[start:at], body)))
        at = end
    return found


def _is_near(former: Line, latter: Line, far: float = _FAR) -> bool:
    return former.row.base - latter.row.base <= far * max(former.row.size, latter.row.size, 4.0)


def _end(lines: Sequence[Line], start: int) -> int:
    """Return where a table ends that has figures in the row `start`."""
    end = at = start + 1
    while at < len(lines) and at - end < _LABELS:
        if not _is_near(lines[at - 1], lines[at]) and not _resumes(lines, start, end, at):
            break
        line = lines[at]
        if has_figures(line):
            at += 1
            end = at
        elif len(line.row.pieces) == 1 and line.label and len(line.label) <= _LONG_LABEL:
            at += 1
        else:
            break
    return end


def _resumes(lines: Sequence[Line], start: int, end: int, at: int) -> bool:
    """Return whether a table goes on behind a wider space: the next figures stand in its columns."""
    if not _is_near(lines[at - 1], lines[at], _FARTHEST):
        return False
    columns = _columns(lines[max(start, end - _LOOKED_AT) : end])
    for line in lines[at : at + _LABELS]:
        if has_figures(line):
            over = [any(cell.left < right and cell.right > left for left, right in columns) for cell in line.cells]
            return bool(line.label) and all(over)
        if len(line.row.pieces) != 1 or not line.label or len(line.label) > _LONG_LABEL:
            return False
    return False


def _columns(body: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the left and right ends of the columns: cells that overlap stand in one."""
    spans: list[list[float]] = []
    for cell in sorted((cell for line in body for cell in line.cells), key=lambda one: one.left):
        if spans and cell.left < spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], cell.right)
        else:
            spans.append([cell.left, cell.right])
    return [(left, right) for left, right in spans] if len(spans) <= MOST_COLUMNS else []


def _is_label_before(line: Line, following: Line) -> bool:
    """Return whether a line is the begin of the label of the row below it."""
    return bool(line.label) and not line.cells and _is_near(line, following) and bool(_OPEN_LABEL.search(line.label))


def _first_head(lines: Sequence[Line], at: int, floor: int, body: Sequence[Line]) -> int:
    """Return the first of the rows above a table that hold heads of its columns."""
    columns = _columns(body)
    size = body[0].row.size
    labels = [line.row.left for line in body if line.label]
    edge = columns[0][0] - 3 * size if not labels else max(min(labels) + 2 * size, columns[0][0] - 8 * size)
    start, is_headed = at, False
    while start > floor and at - start < _HEADS:
        row = lines[start - 1].row
        _, over = _parted(row, columns, size)
        if not _is_near(lines[start - 1], lines[start], _FAR if len(over) < 2 else _FAR_HEADS):
            break
        if not over or any(piece.left < edge for piece in over) or len(row.text) > 200:
            # Labels of the rows between the heads and the figures belong to the table.
            below = not is_headed and _is_below_head(lines, start - 1, floor, columns)
            if over or len(row.text) > _LONG_LABEL or not below:
                break
        is_headed = is_headed or bool(over)
        start -= 1
    return start


def _parted(row: Row, columns: Sequence[tuple[float, float]], size: float) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces beside the columns, and those over them. A long note in brackets still stands beside them."""
    over = [piece for piece in row.pieces if piece.right > columns[0][0] - size]
    if len(over) > 1 and _NOTE.fullmatch(over[0].text) and over[0].left < columns[0][0] - size:
        del over[0]
    return list(row.pieces[: len(row.pieces) - len(over)]), over


def _is_below_head(lines: Sequence[Line], at: int, floor: int, columns: Sequence[tuple[float, float]]) -> bool:
    """Return whether a row of heads stands above a label, with no more than a few labels between them."""
    for above in range(at - 1, max(floor, at - _LABELS) - 1, -1):
        row = lines[above].row
        if _is_head(lines[above], columns):
            return True
        if len(row.pieces) > 1 or len(row.text) > _LONG_LABEL or not _is_near(lines[above], lines[above + 1]):
            return False
    return False


def _is_head(line: Line, columns: Sequence[tuple[float, float]]) -> bool:
    pieces = [piece for piece in line.row.pieces if piece.left >= columns[0][0] - 4 * piece.size]
    return bool(pieces) and all(len(piece.text) < 60 for piece in pieces)


def _markdown(heads: Sequence[Line], body: Sequence[Line]) -> str:
    columns = _columns(body)
    over: list[list[str]] = [[] for _ in columns]
    corner: list[str] = []
    below: list[Line] = []
    size = body[0].row.size
    for head in heads:
        rest, pieces = _parted(head.row, columns, size)
        if pieces:
            for piece, (first, last) in zip(pieces, _covered(pieces, columns), strict=True):
                for column in range(first, last + 1):
                    over[column].append(piece.text)
            corner += [piece.text for piece in rest]
        else:
            below.append(head)
    rows = [["", *(" ".join(words) for words in over)]]
    rows[0][0] = " ".join(corner)
    open_label = ""
    for line in [*below, *body]:
        cells = _filled(line, columns)
        label = line.label or ("" if line.cells else line.row.text)
        if line.cells and open_label and label[:1].islower():
            label = f"{open_label} {label}"
            rows.pop()
        open_label = "" if line.cells or label.endswith(":") else label
        rows.append([label, *cells])
    return "\n".join(markdown_table(rows))


def _filled(line: Line, columns: Sequence[tuple[float, float]]) -> list[str]:
    cells = [""] * len(columns)
    at = 0
    for cell in sorted(line.cells, key=lambda one: one.left):
        while at + 1 < len(columns) and cell.left >= columns[at][1]:
            at += 1
        cells[at] = f"{cells[at]} {cell.text}".strip()
    return cells


def _covered(pieces: Sequence[Piece], columns: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Return for each head the first and last of the columns that it stands over.

    A head stands over the columns that it overlaps, and over as many more on either side as leave it in their middle.
    """
    bases = [_overlapped(piece, columns) for piece in pieces]
    found: list[tuple[int, int]] = []
    for at, (piece, (first, last)) in enumerate(zip(pieces, bases, strict=True)):
        low = max((bases[other][1] + 1 for other in range(at)), default=0)
        high = min((bases[other][0] - 1 for other in range(at + 1, len(bases))), default=len(columns) - 1)
        middle = (piece.left + piece.right) / 2
        best = (first, last)
        for start in range(min(low, first), first + 1):
            for end in range(last, max(high, last) + 1):
                off = abs((columns[start][0] + columns[end][1]) / 2 - middle)
                if off <= _REACH * piece.size and end - start > best[1] - best[0]:
                    best = (start, end)
        found.append(best)
    return found


def _overlapped(piece: Piece, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    over = [at for at, (left, right) in enumerate(columns) if min(right, piece.right) > max(left, piece.left)]
    if over:
        return over[0], over[-1]
    middle = (piece.left + piece.right) / 2
    nearest = min(range(len(columns)), key=lambda at: abs((columns[at][0] + columns[at][1]) / 2 - middle))
    return nearest, nearest
