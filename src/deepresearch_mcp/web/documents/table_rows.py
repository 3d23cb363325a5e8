"""Reads a row of a page as a row of a table: its label, and the figures in its cells."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from deepresearch_mcp.web.documents.rows import Piece, Row, piece_of
from deepresearch_mcp.web.documents.words import Word

_FIGURE = re.compile(
    r"[$€£¥(+−–-]{0,3}\d(?:[\d.,]*\d)?[)%x]{0,3}\*?(?:[–-]\d[\d.,]*%?)?"
    r"(?: ?(?:years?|months?|days?|bps|pts?|ppts?|[MB]))?|[—–-]|\(?[—–-]\)?%?|N/A|NM|n/a|\*"
)
_BEFORE = frozenset({"$", "€", "£", "¥", "(", "$(", "US$"})
_BEHIND = frozenset({"%", ")", ")%", "%)", "pts", "x"})
_YEAR = re.compile(r"(?:19|20)\d\d(?:\(\w\))?")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_RANGE = re.compile(r"\S*\d%? [-–] \$?\d\S*")
_LONGEST_LABEL = 150
"""Characters of a label before figures."""


class Cell(NamedTuple):
    """A cell with its place."""

    text: str
    left: float
    right: float


class Line(NamedTuple):
    """A row read as a label and cells."""

    label: str
    label_right: float
    cells: Sequence[Cell]
    row: Row


def read_row(row: Row) -> Line:
    """Split a row into its label and its cells; figures and their signs become one cell."""
    pieces = list(row.pieces)
    if _LEADERS.search(row.text):
        return Line(row.text, row.right, (), row)
    label: list[Piece] = []
    if pieces and not _is_figures(pieces[0]):
        label.append(pieces.pop(0))
    words = [split for piece in pieces for split in _split(piece)]
    if label:
        # The words of a label may stand so close to the first figure that both are one piece.
        kept, moved = _moved(label[0])
        label, words = [piece_of(kept)], [*moved, *words]
    cells = _merged(words)
    return Line(label[0].text if label else "", label[0].right if label else 0.0, cells, row)


def has_figures(line: Line) -> bool:
    """Return whether a row belongs to the body of a table: figures behind a label, or figures alone."""
    if not line.cells or len(line.label) > _LONGEST_LABEL:
        return False
    figures = [cell for cell in line.cells if _FIGURE.fullmatch(cell.text.replace(" ", ""))]
    if not any(any(sign.isdigit() for sign in cell.text) or cell.text in "—–" for cell in figures):
        return False
    if not line.label and all(_YEAR.fullmatch(cell.text) for cell in figures):
        return False
    return len(figures) * 2 >= len(line.cells) and (bool(line.label) or len(figures) > 1)


def _moved(label: Piece) -> tuple[Sequence[Word], list[Piece]]:
    words = list(label.words)
    end = len(words)
    while end > 1 and _is_amount(words[end - 1].text) and words[end - 1].left - words[end - 2].right > 0.5 * label.size:
        end -= 1
    return words[:end], [piece_of([word]) for word in words[end:]]


def _is_amount(text: str) -> bool:
    return text in _BEFORE or text in _BEHIND or bool(_FIGURE.fullmatch(text))


def _is_figures(piece: Piece) -> bool:
    return all(_is_amount(word.text) for word in piece.words)


def _split(piece: Piece) -> list[Piece]:
    """Split a piece of figures alone into its words; words of text and a range of figures stay together."""
    if not _is_figures(piece) or _RANGE.fullmatch(piece.text):
        return [piece]
    return [piece_of([word]) for word in piece.words]


def _merged(pieces: Sequence[Piece]) -> list[Cell]:
    cells: list[Cell] = []
    sign: Piece | None = None
    for piece in pieces:
        text = piece.text
        if text in _BEFORE:
            sign = piece
            continue
        if text in _BEHIND and cells:
            last = cells[-1]
            cells[-1] = Cell(last.text + text, last.left, piece.right)
            continue
        if sign is not None:
            cells.append(Cell(sign.text + text, sign.left, piece.right))
        else:
            cells.append(Cell(text, piece.left, piece.right))
        sign = None
    return cells
