"""Keeps lists whole that stand amid kept text.

The trees judge each block by itself. Short items, and the terms and explanations of a definition list, look like a menu
to them, even where the paragraphs before and behind belong to the main text.
"""

from collections.abc import Sequence
from typing import Final

from deepresearch_mcp.web.pages.name_groups import GROUPS
from deepresearch_mcp.web.pages.page_blocks import TAG_BITS, Block, Frame

_FURNITURE: Final = sum(TAG_BITS[tag] for tag in ("nav", "header", "footer", "aside", "form", "button"))
_APART: Final = frozenset(
    {"navigation", "foot", "side", "comments", "share", "related", "promo", "dialog", "reviews", "search", "pages"}
    | {"user", "meta"}
)
_NAMED_APART: Final = sum(1 << at for at, name in enumerate(GROUPS) if name in _APART)
"""Names of lists, and of what is directly around them, that hold no main text."""
_LINKED = 0.5
"""Share of a list's characters inside links up to which it is text."""
_MOSTLY = 0.5
"""Share of a list's blocks from which the others are kept too."""
_PROSE = 60
"""Characters of an item, on the average, from which a list is prose that may fill a section, as a glossary does."""
_EXPLAINED, _SELDOM = 80, 0.25
"""Characters of a block on the average, terms included, and the share inside links, of a list that explains terms."""
_HEADS = 3
"""Headings between such a list and the text of the sections beside it."""
_NEAR = 1
"""Levels between an element and its words, as of a paragraph inside a quotation."""


def with_lists(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """Return `kept` with all of each list that stands between two kept blocks of the element around it.

    `blocks` are all blocks of a page. Lists of links and furniture get nothing, but a list of which more than half is
    kept is kept whole, because one item less makes an enumeration untrue. On every third page of WCXB's development
    half the mean F1 changes by less than .001.
    """
    found = list(kept)
    tops = [_outermost(block.frame) for block in blocks]
    at = 0
    while at < len(blocks):
        top, first = tops[at], at
        at += 1
        if top is None:
            continue
        while at < len(blocks) and tops[at] is top:
            at += 1
        if _is_furniture(blocks, kept, first, at, top):
            continue
        if sum(found[first:at]) > _MOSTLY * (at - first):
            found[first:at] = [True] * (at - first)
            continue
        is_text = top.linked <= _LINKED * top.chars
        if _is_glossary(top, at - first) or (is_text and _is_amid(blocks, kept, first, at, top)):
            found[first:at] = [True] * (at - first)
    return found


def _outermost(frame: Frame) -> Frame | None:
    found = frame.listing
    while found is not None and found.parent is not None and found.parent.listing is not None:
        found = found.parent.listing
    return found


def _is_furniture(blocks: Sequence[Block], kept: Sequence[bool], first: int, end: int, top: Frame) -> bool:
    """Return whether a list is furniture by its elements, or by its name and that of what is directly around it.

    Where the element around it holds kept text on both sides, that is no name of the list: `document-based-search`.
    """
    if top.tags & _FURNITURE or top.named & _NAMED_APART:
        return True
    if first > 0 and end < len(blocks) and kept[first - 1] and kept[end]:
        around = top.parent
        if around is not None and all(_is_within(blocks[at], around) for at in (first - 1, end)):
            return False
    return bool(top.near & _NAMED_APART)


def _is_within(block: Block, around: Frame | None, levels: int | None = None) -> bool:
    """Return whether an element is around a block, at most so many levels up."""
    above, climbed = block.frame, 0
    while above is not around and above.parent is not None and climbed != levels:
        above, climbed = above.parent, climbed + 1
    return above is around


def _is_glossary(top: Frame, number: int) -> bool:
    """Return whether a list explains terms in whole sentences: that is main text wherever it stands."""
    return top.tag == "dl" and top.chars >= _EXPLAINED * number and top.linked <= _SELDOM * top.chars


def _is_amid(blocks: Sequence[Block], kept: Sequence[bool], first: int, end: int, top: Frame) -> bool:
    """Return whether kept text stands before and behind a list, in the element around it.

    A list of prose, as a glossary is, may fill a section by itself: then headings may stand between, and the text is
    that of the sections beside it.
    """
    before, behind = _text_from(blocks, first - 1, -1), _text_from(blocks, end, 1)
    if before is None or behind is None or not (kept[before] and kept[behind]):
        return False
    if top.chars >= _PROSE * (end - first) and (before, behind) != (first - 1, end):
        return True
    return _is_beside(blocks[first - 1], top) and _is_beside(blocks[end], top)


def _text_from(blocks: Sequence[Block], at: int, step: int) -> int | None:
    """Return the place of the first block from `at` on that is no heading, at most `_HEADS` headings away."""
    for _ in range(_HEADS + 1):
        if not 0 <= at < len(blocks):
            return None
        if not blocks[at].frame.heading:
            return at
        at += step
    return None


def _is_beside(block: Block, top: Frame) -> bool:
    """Return whether a block belongs to the element around a list, or to one beside the list."""
    return _is_within(block, _home(top), _NEAR + 1)


def _home(top: Frame) -> Frame | None:
    """Return the element around a list that holds more than the list: DocBook wraps each list in a `div` of its own."""
    found = top.parent
    while found is not None and found.tag == "div" and found.chars <= top.chars and found.parent is not None:
        found = found.parent
    return found
