"""A page cut into passages that can be ranked, read and cited."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepresearch_mcp.text.blocks import Block, blocks
from deepresearch_mcp.text.sentences import Span, sentences

SEPARATOR = " › "
"""Between the headings that a passage stands under."""
_OVER = 1.5
"""A passage may be longer than asked for by this factor, to keep a paragraph, table or listing whole."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage: `text[start:end]`, and the headings it stands under."""

    start: int
    end: int
    heading: str
    """The headings above it, outermost first, joined with " › "; "" above the first one."""


def path_of(*headings: str) -> str:
    """Return headings, outermost first, as one line; empty ones are left out."""
    return SEPARATOR.join(filter(None, headings))


def headings_of(path: str) -> tuple[str, ...]:
    """Return the headings that such a line holds."""
    return tuple(filter(None, path.split(SEPARATOR)))


def beneath(trail: Sequence[Block], heading: Block) -> list[Block]:
    """Return the headings that stand above what follows a heading, itself among them, outermost first."""
    return [*(one for one in trail if one.level < heading.level), *([heading] if heading.title else [])]


def pieces(text: str, size: int = 900) -> list[Piece]:
    """Cut Markdown or plain text into passages of about `size` characters, at most half as many again.

    Cut at paragraphs, then sentences, then words; listings and tables stay whole where they fit, else are cut
    between lines. A heading ends the passage before it and belongs to none.
    """
    size = max(1, size)
    found: list[Piece] = []
    trail: list[Block] = []
    units: list[Span] = []

    def flush() -> None:
        heading = path_of(*(one.title for one in trail))
        found.extend(Piece(start, end, heading) for start, end in _packed(units, size))
        units.clear()

    for block in blocks(text):
        if block.kind != "heading":
            units.extend(_units(text, block, size))
            continue
        flush()
        trail = beneath(trail, block)
    flush()
    return found


def _units(text: str, block: Block, size: int) -> Iterator[Span]:
    """Cut one block into stretches that are short enough."""
    start, end = block.start, block.end
    if end - start <= size or (block.kind != "prose" and end - start <= size * _OVER):
        yield Span(start, end)
        return
    body = text[start:end]
    parts = sentences(body) if block.kind == "prose" else [Span(*m.span()) for m in re.finditer(r"[^\n]+", body)]
    for part in parts:
        yield from _short(text, Span(start + part.start, start + part.end), int(size * _OVER))


def _short(text: str, span: Span, most: int) -> Iterator[Span]:
    """Cut a stretch that is still too long between words, or anywhere where there are none."""
    start, end = span
    while start < end:
        cut = end
        if end - start > most:
            cut = text.rfind(" ", start + most // 2, start + most)
            cut = cut if cut > start else start + most
        if text[start:cut].strip():
            yield Span(start, cut)
        start = cut + (text[cut : cut + 1] == " ")


def _packed(units: list[Span], size: int) -> Iterator[Span]:
    """Join neighbours up to the wanted size, or a little beyond where else a scrap would be left."""
    start = end = -1
    for unit in units:
        joined = unit.end - start
        if start >= 0 and joined > size and not (end - start < size / 2 and joined <= size * _OVER):
            yield Span(start, end)
            start = -1
        start = unit.start if start < 0 else start
        end = unit.end
    if start >= 0:
        yield Span(start, end)
