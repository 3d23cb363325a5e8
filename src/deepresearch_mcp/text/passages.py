"""Cuts a page into passages that can be ranked, read and cited."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from deepresearch_mcp.text.blocks import Block, blocks
from deepresearch_mcp.text.entries import Entry, enclosing, entries
from deepresearch_mcp.text.sentences import Span, sentences

SEPARATOR = " › "
"""Separates the headings of a passage."""
_HEAD = 0.25
"""The words before an entry that does not fit after them become a passage from this share of the size."""
_ANNOUNCING = 400
"""Characters in which a sentence that ends in a colon is looked for."""
_OVER = 1.5
"""The factor by which a passage may exceed the size, to keep a paragraph, table or listing whole."""


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """A passage, `text[start:end]`, and its headings."""

    start: int
    end: int
    heading: str
    """Its headings, outermost first, and the entries that contain it, joined with " › "; "" for none."""


def path_of(*headings: str) -> str:
    """Return headings, outermost first, as one line; empty ones are left out."""
    return SEPARATOR.join(filter(None, headings))


def headings_of(path: str) -> tuple[str, ...]:
    """Split such a line into its headings."""
    return tuple(filter(None, path.split(SEPARATOR)))


def beneath(trail: Sequence[Block], heading: Block) -> list[Block]:
    """Return the headings above the text that follows `heading`, including `heading`, outermost first."""
    return [*(one for one in trail if one.level < heading.level), *([heading] if heading.title else [])]


def table_head(text: str, start: int) -> str:
    """Return the head row of the table that a place lies in, its cells joined with " | ".

    "" outside tables and in the head row itself.
    """
    line = text.rfind("\n", 0, start) + 1
    first = line
    while text.startswith("|", first) and first and text.startswith("|", above := text.rfind("\n", 0, first - 1) + 1):
        first = above
    if first == line or not text.startswith("|", line):
        return ""
    return " | ".join(cell for part in text[first : text.find("\n", first)].split("|") if (cell := part.strip()))


@lru_cache(maxsize=16)
def _outline(text: str) -> tuple[list[int], list[str], list[Entry]]:
    """Where headings end, the path of headings from there on, and the entries; kept for the last pages asked about."""
    trail: list[Block] = []
    ends, paths = [0], [""]
    for block in blocks(text):
        if block.kind == "heading":
            trail = beneath(trail, block)
            ends.append(block.end)
            paths.append(path_of(*(one.title for one in trail)))
    return ends, paths, entries(text)


def headings_at(text: str, start: int, end: int) -> str:
    """Return what names the subject of a stretch: the headings above it, the entries around it, its table's head."""
    ends, paths, defined = _outline(text)
    above = paths[bisect_right(ends, start) - 1]
    return path_of(above, *(one.title for one in enclosing(defined, start, end)), table_head(text, start))


def pieces(text: str, size: int = 900) -> list[PassageSpan]:
    """Cut Markdown or plain text into passages of about `size` characters, and at most half as many again.

    Cuts fall between paragraphs, then sentences, then words. Listings and tables stay whole if they fit; otherwise they
    are cut between lines. A heading ends the passage before it and belongs to no passage. An entry of a definition
    list, such as a function with its signature, stays whole if it fits; a passage that begins within an entry ends with
    it.
    """
    size = max(1, size)
    found: list[PassageSpan] = []
    trail: list[Block] = []
    units: list[Span] = []
    defined = entries(text)

    def flush() -> None:
        heading = [one.title for one in trail]
        for start, end in _packed(text, units, size, defined):
            found.append(
                PassageSpan(start, end, path_of(*heading, *(one.title for one in enclosing(defined, start, end))))
            )
        units.clear()

    edges = sorted({edge for one in defined for edge in (one.start, one.end)})
    for block in blocks(text):
        if block.kind != "heading":
            for part in _parted(text, block, edges):
                units.extend(_units(text, part, size))
            continue
        flush()
        trail = beneath(trail, block)
    flush()
    return found


def _parted(text: str, block: Block, edges: Sequence[int]) -> Iterator[Block]:
    """Cut a block at the edges of entries."""
    inner = edges[bisect_right(edges, block.start) : bisect_left(edges, block.end)]
    for start, end in pairwise((block.start, *inner, block.end)):
        part = text[start:end]
        if part.strip():
            yield replace(block, start=end - len(part.lstrip("\n")), end=start + len(part.rstrip()))


def _units(text: str, block: Block, size: int) -> Iterator[Span]:
    """Cut one block into parts that are short enough."""
    start, end = block.start, block.end
    if end - start <= size or (block.kind != "prose" and end - start <= size * _OVER):
        yield Span(start, end)
        return
    body = text[start:end]
    parts = sentences(body) if block.kind == "prose" else [Span(*m.span()) for m in re.finditer(r"[^\n]+", body)]
    for part in parts:
        yield from _short(text, Span(start + part.start, start + part.end), int(size * _OVER))


def _short(text: str, span: Span, most: int) -> Iterator[Span]:
    """Cut a part that is still too long between words, or anywhere if it has no spaces."""
    start, end = span
    while start < end:
        cut = end
        if end - start > most:
            cut = text.rfind(" ", start + most // 2, start + most)
            cut = cut if cut > start else start + most
        if text[start:cut].strip():
            yield Span(start, cut)
        start = cut + (text[cut : cut + 1] == " ")


def _packed(text: str, units: Sequence[Span], size: int, defined: Sequence[Entry]) -> Iterator[Span]:
    """Join neighbouring parts up to the wanted size, or slightly beyond to avoid a small remainder.

    A sentence that announces what follows it ("as follows:") goes with it.
    """
    start = end = -1
    within: tuple[Entry, ...] = ()
    for unit in units:
        own = enclosing(defined, *unit)
        begin = unit.start
        if start >= 0 and _parts(Span(start, end), unit, within, own, size):
            announcing = _announcing(text, start, end)
            if start < announcing < end and unit.end - announcing <= size * _OVER:
                begin = announcing
                end = start + len(text[start:begin].rstrip())
            yield Span(start, end)
            start = -1
        if start < 0:
            start, within = begin, enclosing(defined, begin, unit.end)
        end = unit.end
    if start >= 0:
        yield Span(start, end)


def _announcing(text: str, start: int, end: int) -> int:
    """Where the last sentence of a passage begins, if it ends in a colon; else the passage's end."""
    if not text[start:end].endswith(":"):
        return end
    low = max(start, text.rfind("\n\n", start, end) + 1, end - _ANNOUNCING)
    last = sentences(text[low:end])[-1:]
    begin = low + last[0].start if last else end
    # A sentence that the window cut is no whole one.
    return end if begin == low == end - _ANNOUNCING else begin


def _parts(piece: Span, unit: Span, within: Sequence[Entry], own: Sequence[Entry], size: int) -> bool:
    """Return whether a passage ends before the next unit; `within` and `own` are the entries that contain each."""
    length, joined = piece.end - piece.start, unit.end - piece.start
    if joined > size * _OVER or any(one.start < piece.start and one not in own for one in within):
        return True
    shared = [one for one in own if one in within]
    if shared and shared[-1].end - piece.start <= size * _OVER:
        return False
    opening = next((one for one in own if one.start >= piece.end), None)
    if opening and opening.end - piece.start > size and length >= size * _HEAD:
        return True
    return joined > size and length >= size / 2
