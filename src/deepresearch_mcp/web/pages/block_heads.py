"""Finds what kept text belongs to: its headings, the terms of its entries, the heads of its tables.

The trees judge each block by itself, and short ones are hard to judge: a heading or an API's signature may fall out
above text that stays, which then reads as part of what comes before it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from deepresearch_mcp.web.pages.page_blocks import TAG_BITS, Block, Frame

_FURNITURE: Final = TAG_BITS["nav"] | TAG_BITS["footer"] | TAG_BITS["aside"] | TAG_BITS["form"]
_LONGEST = 300
"""Characters of a heading, a summary or a caption."""
_WORD = re.compile(r"\w+")
_TITLED: Final = {"summary": "details", "caption": "table"}
"""Elements that name the one around them."""


class Head(NamedTuple):
    """A head and the text that it names, as ranges of blocks: the first, and the one behind the last."""

    first: int
    end: int
    start: int
    stop: int


def with_heads(blocks: Sequence[Block], kept: Sequence[bool], *, title: str = "") -> list[bool]:
    """Return `kept` with the headings, terms, summaries, captions and heads of rows and columns of what is kept.

    `blocks` are all blocks of a page. Menus, asides, footers and forms get none, and no <h1> is added that says
    no more than `title`, which readers are told anyway.
    """
    found = list(kept)
    told = set(_WORD.findall(title.lower()))
    for heads in (_terms(blocks), _cells(blocks), headings(blocks)):
        text = (is_kept and not block.frame.heading for is_kept, block in zip(found, blocks, strict=True))
        texts = list(accumulate(text, initial=0))
        for head in heads:
            frame = blocks[head.first].frame
            if texts[head.stop] == texts[head.start] or frame.tags & _FURNITURE:
                continue
            if frame.heading == 1 and told.issuperset(_WORD.findall(blocks[head.first].text.lower())):
                continue
            found[head.first : head.end] = [True] * (head.end - head.first)
    return found


def headings(blocks: Sequence[Block]) -> Iterator[Head]:
    """Yield headings with what follows in the element around them, up to the next heading of their rank."""
    opened: dict[int, list[tuple[int, int, int]]] = {}
    """For each element its open headings: rank, first block, block behind it."""
    boxes: dict[int, int] = {}
    """For each of these elements the block behind it."""
    at = 0
    while at < len(blocks):
        frame = blocks[at].frame
        title = _titled(frame)
        if title is None:
            at += 1
            continue
        rank, own, box = title
        end = _end(own)
        waiting = opened.setdefault(id(box), [])
        boxes[id(box)] = _end(box)
        while waiting and waiting[-1][0] >= rank:
            _, first, behind = waiting.pop()
            yield Head(first, behind, behind, at)
        if sum(block.chars for block in blocks[at:end]) <= _LONGEST:
            waiting.append((rank, at, end))
        at = max(end, at + 1)
    for key, waiting in opened.items():
        for _, first, behind in waiting:
            yield Head(first, behind, behind, max(behind, boxes[key]))


def _titled(frame: Frame) -> tuple[int, Frame, Frame] | None:
    """Return rank and element of the heading that a block stands in, and the element that it names."""
    above: Frame | None = frame
    while above is not None and not above.rank and above.tag not in _TITLED:
        above = above.parent if frame.heading or above is frame else None
    if above is None or above.parent is None:
        return None
    if above.tag in _TITLED:
        return (0, above, above.parent) if above.parent.tag == _TITLED[above.tag] else None
    box = above.parent
    while box.parent is not None and (box.chars == above.chars or box.tag in {"header", "hgroup"}):
        box = box.parent
    return above.rank, above, box


def _terms(blocks: Sequence[Block]) -> Iterator[Head]:
    """Yield the terms of definition lists with what is said of them."""
    lists: dict[int, list[Frame]] = {}
    seen: set[int] = set()
    for block in blocks:
        item = block.frame.item
        while item is not None and id(item) not in seen and item.parent is not None:
            seen.add(id(item))
            if item.tag in {"dt", "dd"}:
                lists.setdefault(id(item.parent), []).append(item)
            item = item.parent.item
    for items in lists.values():
        terms: list[Frame] = []
        for is_term, group in groupby(items, lambda item: item.tag == "dt"):
            several = list(group)
            if is_term:
                terms = several
                continue
            for term in terms:
                yield Head(term.first, _end(term), several[0].first, _end(several[-1]))
            terms = []


def _end(frame: Frame) -> int:
    return frame.first + frame.blocks


def _cells(blocks: Sequence[Block]) -> Iterator[Head]:
    """Yield the first cell of each row with the others, and a table's first row, if of heads, with the others."""
    seen: set[int] = set()
    for block in blocks:
        row = block.frame.row
        if row is None or id(row) in seen or row.table is None:
            continue
        seen.add(id(row))
        end = _end(row)
        cell = block.frame.cell
        if cell is not None and _end(cell) < end and cell.chars <= _LONGEST:
            yield Head(cell.first, _end(cell), _end(cell), end)
        table = row.table
        if id(table) not in seen and cell is not None and cell.tag == "th":
            yield Head(row.first, end, end, _end(table))
        seen.add(id(table))
