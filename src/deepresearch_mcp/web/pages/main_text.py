"""Chooses the blocks of a page that are its main text."""

from collections.abc import Sequence
from typing import Any, Final, cast

from trafilatura import html2txt

from deepresearch_mcp.web.pages.block_features import ARTICLES, PRODUCTS, REVIEWS, PageSigns
from deepresearch_mcp.web.pages.block_heads import with_heads
from deepresearch_mcp.web.pages.block_lists import with_lists
from deepresearch_mcp.web.pages.block_scores import block_scores, cut
from deepresearch_mcp.web.pages.block_text import to_markdown
from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.pages.page_blocks import TAG_BITS, Block, page_blocks
from deepresearch_mcp.web.pages.product_pages import stand_in, without_surroundings
from deepresearch_mcp.web.pages.quick_text import quick_text
from deepresearch_mcp.web.pages.tree import Node

LITTLE = 250
"""Characters. The trees learned from whole pages: where they keep less, all but furniture is kept instead."""
SMALL = 2_000
"""Characters of a page, furniture aside, up to which that is done."""

_MISSED, _MISSED_OF_ARTICLES = 0.8, 0.6
"""Weight of words that are left out, where 1 balances them with those too many; see `cut`.

Lower than 1, since scores of sure blocks are a little low. What an article leaves out is mostly other pages' titles.
"""
_CLOSE = 3
"""Blocks."""
_REPEATED = 25
"""Characters from which a block that stands on the page before is left out: carousels hold each slide twice."""
_FURNITURE: Final = TAG_BITS["nav"] | TAG_BITS["footer"] | TAG_BITS["aside"] | TAG_BITS["form"] | TAG_BITS["button"]


def main_text(tree: Node, signs: PageSigns, described: str = "") -> str:
    """Return the main text of a page as Markdown; empty if its body holds no words, or scripts write its product.

    `described` is what the page tells machines of its product.
    """
    blocks = page_blocks(tree)
    scores = block_scores(blocks, signs, quick_text(tree, sum(block.chars for block in blocks)))
    found = chosen_blocks(blocks, signs, scores)
    if blocks and is_product(signs):
        by_block = {id(block): score for block, score in zip(blocks, scores, strict=True)}
        told = stand_in(found, [by_block[id(block)] for block in found], described)
        if told is not None:
            return tidy(told)
    return to_markdown(found) or tidy(html2txt(cast(Any, tree)) or "")


def is_product(signs: PageSigns) -> bool:
    """Return whether a page tells machines that it is about a product."""
    return not signs.kinds.isdisjoint(PRODUCTS)


def chosen_blocks(blocks: Sequence[Block], signs: PageSigns, scores: Sequence[float]) -> list[Block]:
    """Choose the blocks of the main text by their scores, with what they belong to, in page order.

    Of a small page that is all but its furniture.
    """
    is_article = not signs.kinds.isdisjoint(ARTICLES)
    least = cut(scores, [block.chars for block in blocks], _MISSED_OF_ARTICLES if is_article else _MISSED)
    chosen = [score >= least for score in scores]
    kept = [
        is_kept or (block.frame.pre and _is_amid(chosen, at))
        for at, (is_kept, block) in enumerate(zip(chosen, blocks, strict=True))
    ]
    if is_product(signs):
        kept = _without_reviews(blocks, kept)
    kept = with_heads(blocks, with_lists(blocks, _once(blocks, kept)), title=signs.title if is_article else "")
    if is_product(signs):
        kept = without_surroundings(blocks, kept)
    found = [block for is_kept, block in zip(kept, blocks, strict=True) if is_kept]
    if sum(block.chars for block in found) >= LITTLE:
        return found
    plain = [block for block in blocks if not block.frame.tags & _FURNITURE]
    if found and sum(block.chars for block in plain) > SMALL:
        return found
    return plain or list(blocks)


def _is_amid(chosen: Sequence[bool], at: int) -> bool:
    """Return whether text is kept close before and behind a listing, of which the learned trees saw too few."""
    return any(chosen[max(0, at - _CLOSE) : at]) and any(chosen[at + 1 : at + 1 + _CLOSE])


def _without_reviews(blocks: Sequence[Block], kept: Sequence[bool]) -> Sequence[bool]:
    """Leave out reviews, unless nothing else is kept."""
    found = [is_kept and not block.frame.groups & REVIEWS for is_kept, block in zip(kept, blocks, strict=True)]
    return found if any(found) else kept


def _once(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """Leave out repetitions of a sentence. The cells of tables stay, and what is said of terms."""
    seen: set[str] = set()
    found = list(kept)
    for at, block in enumerate(blocks):
        frame = block.frame
        if not kept[at] or block.chars < _REPEATED or frame.cell is not None or frame.pre:
            continue
        if block.text in seen:
            found[at] = frame.heading > 0 or (frame.item is not None and frame.item.tag in {"dt", "dd"})
        seen.add(block.text)
    return found
