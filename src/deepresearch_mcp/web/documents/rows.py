"""Sorts the words of a page into rows of pieces, and pages of several columns into one."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from deepresearch_mcp.web.documents.words import Word, is_caseless

GAP = 0.9
"""Width of the space, in font sizes, that separates two pieces of a row. Justified words are closer together."""
_BASE = 0.35
"""Difference of height, in font sizes, between words of one row."""
_RAISED = 0.85
"""Share of its row's font size up to which a word may stand higher or lower, as a footnote mark does."""
_GUTTER = 0.6
"""Least width of the strip between two columns of text, in font sizes."""
_STRIPS = 8
"""The widest strips, which are looked at."""
_PROSE = 22
"""Median characters of the pieces on either side of a gutter; cells of a table hold less."""
_ROWS = 5
"""Least rows on either side of a gutter."""
_SYMBOLS = frozenset({"®", "™", "©", "℠"})
_DEEPEST = 4
"""How often a page is divided into columns."""


class Piece(NamedTuple):
    """Words that stand close together on one line."""

    words: Sequence[Word]
    left: float
    right: float
    base: float
    size: float
    bold: bool

    @property
    def text(self) -> str:
        """The words with single spaces."""
        return spaced(self.words)


class Row(NamedTuple):
    """The pieces on one line, from left to right."""

    pieces: Sequence[Piece]

    @property
    def left(self) -> float:
        """Where the first piece begins."""
        return self.pieces[0].left

    @property
    def right(self) -> float:
        """Where the last piece ends."""
        return max(piece.right for piece in self.pieces)

    @property
    def base(self) -> float:
        """Height of the line: that of its longest piece."""
        return max(self.pieces, key=lambda piece: piece.right - piece.left).base

    @property
    def size(self) -> float:
        """Font size of the longest piece."""
        return max(self.pieces, key=lambda piece: piece.right - piece.left).size

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(piece.bold for piece in self.pieces)

    @property
    def text(self) -> str:
        """The pieces with single spaces."""
        return " ".join(piece.text for piece in self.pieces)


def spaced(words: Sequence[Word]) -> str:
    """Join words with spaces, except words that touch: a footnote mark, or Chinese letters."""
    parts: list[str] = []
    for number, word in enumerate(words):
        if number and not _touch(words[number - 1], word):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def columns(words: Sequence[Word]) -> list[list[Row]]:
    """Return the rows of a page, from top to bottom, in one list for each column of each part of the page."""
    rows = rows_of(words)
    return list(_divided(rows, _DEEPEST))


def rows_of(words: Sequence[Word]) -> list[Row]:
    """Return the rows of words, from top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda one: -one.base):
        # A line may be joined as long as its first word is near enough: the words come sorted by height.
        if lines and lines[-1][0].base - word.base <= _BASE * min(max(word.size, 1), max(lines[-1][0].size, 1)):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [Row(_pieces(sorted(line, key=lambda one: one.left))) for line in _with_raised(lines)]


def _with_raised(lines: list[list[Word]]) -> Iterator[list[Word]]:
    """Put footnote marks, which stand a little higher or lower than their line, into that line."""
    kept = list(lines)
    for at, line in enumerate(lines):
        size = max(word.size for word in line)
        for other in (at + 1, at - 1):
            near = lines[other] if 0 <= other < len(lines) else []
            large = max((word.size for word in near), default=0.0)
            if not near or size > _RAISED * large or abs(near[0].base - line[0].base) > 0.7 * large:
                continue
            if sum(len(word.text) for word in line) < sum(len(word.text) for word in near) and _fits(line, near):
                kept[other] = [*kept[other], *line] if kept[other] else near + line
                kept[at] = []
                break
    return (line for line in kept if line)


def _fits(marks: Sequence[Word], line: Sequence[Word]) -> bool:
    """Return whether words stand in free places of a line, each beside one of its words."""
    if len(marks) * len(line) > 20_000:
        return False
    return all(
        any(-1.0 <= mark.left - word.right <= word.size or -1.0 <= word.left - mark.right <= word.size for word in line)
        and not any(min(mark.right, word.right) - max(mark.left, word.left) > 1.0 for word in line)
        for mark in marks
    )


def _pieces(line: Sequence[Word]) -> list[Piece]:
    groups: list[list[Word]] = []
    for word in line:
        if groups and word.left - groups[-1][-1].right <= GAP * max(word.size, groups[-1][-1].size, 1.0):
            groups[-1].append(word)
        else:
            groups.append([word])
    return [piece_of(group) for group in groups]


def piece_of(group: Sequence[Word]) -> Piece:
    """Return the piece that words make."""
    longest = max(group, key=lambda word: len(word.text))
    weight = sum(len(word.text) for word in group)
    bold = sum(len(word.text) for word in group if word.bold) * 2 > weight
    return Piece(group, group[0].left, max(word.right for word in group), longest.base, longest.size, bold)


def _divided(rows: list[Row], depth: int) -> Iterator[list[Row]]:
    """Yield the columns of rows in reading order; rows that cross a gutter divide the page into parts."""
    gutter = _gutter(rows) if depth else None
    if gutter is None:
        yield rows
        return
    part: list[Row] = []
    for row in rows:
        if any(piece.left < gutter < piece.right for piece in row.pieces):
            yield from _halves(part, gutter, depth)
            part = []
            yield [row]
        else:
            part.append(row)
    yield from _halves(part, gutter, depth)


def _halves(part: list[Row], gutter: float, depth: int) -> Iterator[list[Row]]:
    for side in (0, 1):
        half = [
            Row(pieces)
            for row in part
            if (pieces := [piece for piece in row.pieces if (piece.left > gutter) == bool(side)])
        ]
        if half:
            yield from _divided(half, depth - 1)


def _gutter(rows: Sequence[Row]) -> float | None:
    """Return the middle of the strip between two columns of prose; None if there is none."""
    pieces = [piece for row in rows for piece in row.pieces]
    if len(pieces) < 2 * _ROWS:
        return None
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    size = median(piece.size for piece in pieces)
    if right - left < 20 * size:
        return None
    strips = _strips(pieces, left + 0.25 * (right - left), left + 0.75 * (right - left))
    wide = sorted((strip for strip in strips if strip[1] - strip[0] >= _GUTTER * size), key=lambda one: one[0] - one[1])
    middles = ((start + end) / 2 for start, end in wide[:_STRIPS])
    return next((middle for middle in middles if _is_between_columns(pieces, rows, middle)), None)


def _strips(pieces: Sequence[Piece], low: float, high: float) -> Iterator[tuple[float, float]]:
    """Yield upright strips between two places of the page that at most a tenth of the pieces cross."""
    most = max(1, len(pieces) // 10)
    edges = sorted([(piece.left, 1) for piece in pieces] + [(piece.right, -1) for piece in pieces])
    crossing = 0
    for (at, step), (following, _) in pairwise(edges):
        crossing += step
        if crossing <= most and following > at and low <= (at + following) / 2 <= high:
            yield at, following


def _is_between_columns(pieces: Sequence[Piece], rows: Sequence[Row], gutter: float) -> bool:
    sides = (
        [piece for piece in pieces if piece.right <= gutter],
        [piece for piece in pieces if piece.left >= gutter],
    )
    if any(len({round(piece.base) for piece in side}) < _ROWS for side in sides):
        return False
    if any(median(len(piece.text) for piece in side) < _PROSE for side in sides):
        return False
    # A row of the left column that ends far from the gutter belongs to a list or to a table.
    tops = [(min(piece.base for piece in side), max(piece.base for piece in side)) for side in sides]
    shared = min(tops[0][1], tops[1][1]) - max(tops[0][0], tops[1][0])
    return shared > 0.3 * min(high - low for low, high in tops) and len(rows) >= _ROWS


def _touch(former: Word, latter: Word) -> bool:
    gap = latter.left - former.right
    if latter.text in _SYMBOLS:
        return gap < 0.5 * former.size
    if is_caseless(former.text[-1]) and is_caseless(latter.text[0]):
        return True
    return gap < 0.08 * former.size and abs(former.base - latter.base) > 0.1 * former.size
