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
        if _is_furniture(top):
            continue
        if sum(found[first:at]) > _MOSTLY * (at - first):
            found[first:at] = [True] * (at - first)
            continue
        is_text = top.linked <= _LINKED * top.chars
        is_amid = first > 0 and at < len(blocks) and kept[first - 1] and kept[at]
        if is_amid and _is_beside(blocks[first - 1], top) and _is_beside(blocks[at], top) and is_text:
            found[first:at] = [True] * (at - first)
    return found


def _outermost(frame: Frame) -> Frame | None:
    found = frame.listing
    while found is not None and found.parent is not None and found.parent.listing is not None:
        found = found.parent.listing
    return found


def _is_furniture(top: Frame) -> bool:
    return bool(top.tags & _FURNITURE or top.near & _NAMED_APART)


def _is_beside(block: Block, top: Frame) -> bool:
    """Return whether a block belongs to the element around a list, or to one beside the list."""
    above: Frame | None = block.frame
    for _ in range(_NEAR + 1):
        if above is None or above is top.parent:
            break
        above = above.parent
    return above is not None and above is top.parent
