"""Turns the rows of a page into blocks: paragraphs on one line each, headings, tables."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Literal, NamedTuple

from deepresearch_mcp.text.wrapping import Line, goes_on
from deepresearch_mcp.web.documents.aligned_tables import aligned_tables
from deepresearch_mcp.web.documents.pdf_tables import tables
from deepresearch_mcp.web.documents.rows import Row, columns
from deepresearch_mcp.web.documents.words import PageWords, is_caseless

BlockKind = Literal["text", "heading", "table", "note"]
_LARGER = 1.15
"""A heading is larger than the text by this factor."""
_SMALLER = 0.92
"""A footnote is smaller than the text by this factor."""
_LONGEST_HEADING = 160
"""Characters."""
_LEADING = 1.35
"""Factor over the usual distance of lines from which a paragraph ends."""
_NEAR = 6
"""Lines before and after that show how wide a text is set."""
_WIDEST_LEADING = 2.2
"""The same in font sizes, where a page has too few lines to know what is usual."""
_ITEM = re.compile(r"(?:[•▪◦‣●○■□–—*\uf0b7·-]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\])$")
_CLOSED = re.compile(r"[.!?:;…。！？]['\"”’»)\]]*$")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad]$")
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§]|\(\d{1,3}\)|\[\d{1,3}\])[\s.)]|[*†‡§]\S")
_LEADERS = re.compile(r"(?:\s?\.){4,}|…{2,}")


class Block(NamedTuple):
    """A part of a page that stands apart from the others."""

    text: str
    kind: BlockKind = "text"


class Vocabulary:
    """The words of a document, to tell a word that was divided at the end of a line from a hyphenated one."""

    def __init__(self, pages: Iterable[PageWords]) -> None:
        self._words: Counter[str] = Counter()
        for page in pages:
            self._words.update(word.text.strip(".,;:()[]“”\"'’").lower() for word in page.words)

    def joined(self, former: str, latter: str) -> str:
        """Return the text of two lines of a paragraph as one."""
        if former.endswith("-") and former[-2:-1].isdigit():
            return former + latter
        if not _HYPHEN.search(former):
            tight = former[-1:] and latter[:1] and is_caseless(former[-1]) and is_caseless(latter[0])
            return former + latter if tight else f"{former} {latter}"
        if former.endswith("\u00ad"):
            return former[:-1] + latter
        if not latter[:1].islower():
            return former + latter
        begin = former.rpartition(" ")[2][:-1].lower().lstrip("(“\"'‘[")
        end = latter.partition(" ")[0].lower().rstrip(".,;:)]”\"'’")
        whole, dashed = self._words[begin + end], self._words[f"{begin}-{end}"]
        if dashed > whole or (not whole and "-" in begin):
            return former + latter
        if not whole and not dashed and self._words[begin] > 1 and self._words[end] > 1 and len(begin) > 2:
            return former + latter
        return former[:-1] + latter


def body_size(pages: Sequence[PageWords]) -> float:
    """Return the font size, in points, in which most of a document is set."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for word in page.words:
            sizes[round(word.size, 1)] += len(word.text)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 10.0


def blocks_of(page: PageWords, size: float, vocabulary: Vocabulary) -> list[Block]:
    """Return the blocks of a page in reading order. `size` is the font size of the document's text."""
    found: list[Block] = []
    for rows in columns(page.words):
        at = 0
        for table in tables(rows):
            found += _words(rows[at : table.start], size, vocabulary)
            found.append(Block(table.markdown, "table"))
            at = table.end
        found += _words(rows[at:], size, vocabulary)
    return [*found, *(Block(text) for text in page.aside)]


def _words(rows: Sequence[Row], size: float, vocabulary: Vocabulary) -> Iterator[Block]:
    """Yield the paragraphs between tables of figures, and tables of words."""
    at = 0
    for table in aligned_tables(rows):
        yield from _paragraphs(rows[at : table.start], size, vocabulary)
        yield Block(table.markdown, "table")
        at = table.end
    yield from _paragraphs(rows[at:], size, vocabulary)


def _paragraphs(rows: Sequence[Row], size: float, vocabulary: Vocabulary) -> Iterator[Block]:
    if not rows:
        return
    leading = _leading(rows)
    group: list[Row] = []
    for at, row in enumerate(rows):
        if group and not _goes_on(group, row, rows[max(0, at - _NEAR) : at + _NEAR], leading):
            yield _block(group, size, vocabulary)
            group = []
        group.append(row)
    yield _block(group, size, vocabulary)


def _leading(rows: Sequence[Row]) -> float:
    """Return the usual distance of two lines, in font sizes."""
    steps = [
        (former.base - latter.base) / max(former.size, 1.0)
        for former, latter in pairwise(rows)
        if former.base > latter.base
    ]
    near = [step for step in steps if step < _WIDEST_LEADING]
    return median(near) if near else 1.2


def _goes_on(group: Sequence[Row], row: Row, rows: Sequence[Row], leading: float) -> bool:
    """Return whether a line continues the paragraph of the lines before it."""
    last, size = group[-1], max(group[-1].size, 1.0)
    step = (last.base - row.base) / size
    if step > max(leading * _LEADING, 1.0) or step > _WIDEST_LEADING or step < 0:
        return False
    if abs(row.size - last.size) > 0.12 * size or _LEADERS.search(last.text):
        return False
    first = row.pieces[0].words[0]
    text = last.text
    open_end = not _CLOSED.search(text)
    if last.bold != row.bold and (last.bold or not open_end):
        return False
    if _ITEM.match(first.text) and (len(row.pieces) > 1 or len(row.pieces[0].words) > 1):
        # "(ii)" may begin an item, or stand within a sentence.
        return open_end and first.text[0] == "(" and _is_full(last, row, rows)
    if open_end and goes_on(Line(text, len(text)), Line(row.text, len(row.text)), 0, opens=False):
        return True
    if text.endswith(("-", ",")):
        return True
    indented = row.left - min(one.left for one in group[-_NEAR:]) > 0.8 * size
    hangs = len(group) == 1 and bool(_ITEM.match(group[0].pieces[0].words[0].text))
    if indented and not hangs and (not open_end or len(group) > 1):
        return False
    return _is_full(last, row, rows)


def _is_full(last: Row, row: Row, rows: Sequence[Row]) -> bool:
    """Return whether the first word of `row` did not fit behind the line before."""
    near = [one for one in rows if abs(one.base - last.base) < 5 * last.size and abs(one.size - last.size) < 1]
    edge = max((one.right for one in near), default=last.right)
    first = row.pieces[0].words[0]
    width = first.size if is_caseless(first.text[0]) else first.right - first.left
    room = edge - last.right
    if edge - last.left < 12 * last.size:
        return False  # In a narrow list or address any line may be full by chance.
    return room < width + 0.35 * last.size


def _block(group: Sequence[Row], size: float, vocabulary: Vocabulary) -> Block:
    text = _line(group[0])
    for row in group[1:]:
        text = vocabulary.joined(text, _line(row))
    letters = sum(sign.isalpha() for sign in text)
    if len(text) <= _LONGEST_HEADING and letters > 2 and not _LEADERS.search(text):
        larger = group[0].size >= _LARGER * size
        if larger and not text.endswith((".", ",", ";", "-")):
            return Block(f"## {text}", "heading")
        if group[0].bold and group[-1].bold and len(group) <= 2 and _is_bold_heading(text):
            return Block(f"### {text}", "heading")
    if group[0].size <= _SMALLER * size and _NOTE.match(text):
        return Block(text, "note")
    return Block(text)


def _is_bold_heading(text: str) -> bool:
    return not text.endswith((".", ",", ";", ":")) and text[:1].isupper() | text[:1].isdigit()


def _line(row: Row) -> str:
    text = row.text
    return _LEADERS.sub(" … ", text) if _LEADERS.search(text) else text
