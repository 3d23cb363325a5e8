"""Finds tables of words among the rows of a page: cells that begin below each other in rows that follow each other."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from deepresearch_mcp.web.documents.markdown_tables import markdown_table
from deepresearch_mcp.web.documents.pdf_tables import Table
from deepresearch_mcp.web.documents.rows import Row

_ALIGNED = 3.0
"""Points by which the left edges of cells in one column may differ."""
_FEWEST = 3
"""Rows with cells in two columns that make a table."""
_FAR = 3.0
"""Distance of two rows of one table, in font sizes."""
_APART = 1.2
"""Factor over the least distance of two lines from which a line begins a new row."""
_LONGEST_FIRST = 45
"""Median characters of the cells in the first column; text in two columns is longer."""
_MOST_COLUMNS = 8


def aligned_tables(rows: Sequence[Row]) -> list[Table]:
    """Return the tables of words among rows, in order. A cell of several lines is one cell."""
    found: list[Table] = []
    at = 0
    while at < len(rows):
        if len(rows[at].pieces) < 2:
            at += 1
            continue
        edges, end = _extent(rows, at)
        body = rows[at:end]
        full = [row for row in body if len(row.pieces) > 1]
        if len(full) >= _FEWEST and median(len(row.pieces[0].text) for row in full) <= _LONGEST_FIRST:
            found.append(Table(at, end, "\n".join(markdown_table([[""] * len(edges), *_cells(body, edges)]))))
            at = end
        else:
            at += 1
    return found


def _extent(rows: Sequence[Row], start: int) -> tuple[list[float], int]:
    """Return the left edges of the columns of a table that begins in the row `start`, and where it ends."""
    edges = [piece.left for piece in rows[start].pieces]
    end = start + 1
    while end < len(rows) and _is_near(rows[end - 1], rows[end]):
        lefts = [piece.left for piece in rows[end].pieces]
        new = [left for left in lefts if _column(left, edges) is None]
        # A row may bring a column of its own, if it stands in the others as well.
        if len(new) > 1 or len(new) == len(lefts) or len(edges) + len(new) > _MOST_COLUMNS:
            break
        if len(lefts) == 1 and _column(lefts[0], edges) == 0 and rows[end].right > edges[1]:
            break
        edges = sorted([*edges, *new])
        end += 1
    while end > start + 1 and len(rows[end - 1].pieces) == 1 and _column(rows[end - 1].left, edges) == 0:
        end -= 1
    return edges, end


def _is_near(former: Row, latter: Row) -> bool:
    return 0 <= former.base - latter.base <= _FAR * max(former.size, latter.size, 4.0)


def _column(left: float, edges: Sequence[float]) -> int | None:
    return next((at for at, edge in enumerate(edges) if abs(edge - left) <= _ALIGNED), None)


def _cells(body: Sequence[Row], edges: Sequence[float]) -> list[list[str]]:
    steps = [former.base - latter.base for former, latter in pairwise(body)]
    least = min((step for step in steps if step > 0), default=0.0)
    spaced = any(step > _APART * least for step in steps)
    rows: list[list[str]] = []
    for number, row in enumerate(body):
        begins = _column(row.left, edges) == 0
        continues = number > 0 and spaced and steps[number - 1] <= _APART * least
        if not rows or (begins and not continues):
            rows.append([""] * len(edges))
        for piece in row.pieces:
            at = _column(piece.left, edges)
            if at is not None:
                rows[-1][at] = f"{rows[-1][at]} {piece.text}".strip()
    return rows
