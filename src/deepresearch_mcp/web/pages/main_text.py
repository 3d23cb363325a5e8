"""Chooses the blocks of a page that are its main text."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from trafilatura import bare_extraction

from deepresearch_mcp.web.pages.block_features import ARTICLES, PRODUCTS, REVIEWS, PageSigns
from deepresearch_mcp.web.pages.block_scores import block_scores, cut
from deepresearch_mcp.web.pages.block_text import to_markdown
from deepresearch_mcp.web.pages.page_blocks import TAG_BITS, Block, page_blocks
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


def main_text(tree: Node, signs: PageSigns) -> str:
    """Return the main text of a page as Markdown; empty if its body holds no words."""
    return to_markdown(main_blocks(page_blocks(tree), signs, quick_text(tree)))


def quick_text(tree: Node) -> list[str]:
    """Return the pieces of text that trafilatura's quick extraction keeps."""
    found = cast(
        Any,
        bare_extraction(
            cast(Any, tree), fast=True, include_comments=False, include_formatting=True, output_format="markdown"
        ),
    )
    return list(found.body.itertext()) if found is not None and found.body is not None else []


def main_blocks(blocks: Sequence[Block], signs: PageSigns, quick: Sequence[str]) -> list[Block]:
    """Return the blocks of the main text, in page order. Of a small page that is all but its furniture."""
    scores = block_scores(blocks, signs, quick)
    is_article = not signs.kinds.isdisjoint(ARTICLES)
    least = cut(scores, [block.chars for block in blocks], _MISSED_OF_ARTICLES if is_article else _MISSED)
    chosen = [score >= least for score in scores]
    kept = [block for at, block in enumerate(blocks) if chosen[at] or (block.frame.pre and _is_amid(chosen, at))]
    if not signs.kinds.isdisjoint(PRODUCTS):
        kept = [block for block in kept if not block.frame.groups & REVIEWS] or kept
    kept = list(_once(kept))
    if sum(block.chars for block in kept) >= LITTLE:
        return kept
    plain = [block for block in blocks if not block.frame.tags & _FURNITURE]
    if kept and sum(block.chars for block in plain) > SMALL:
        return kept
    return plain or list(blocks)


def _is_amid(chosen: Sequence[bool], at: int) -> bool:
    """Return whether text is kept close before and behind a listing, of which the learned trees saw too few."""
    return any(chosen[max(0, at - _CLOSE) : at]) and any(chosen[at + 1 : at + 1 + _CLOSE])


def _once(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks without repetitions of a sentence. The cells of tables stay."""
    seen: set[str] = set()
    for block in blocks:
        if block.chars >= _REPEATED and block.frame.cell is None and not block.frame.pre:
            if block.text in seen:
                continue
            seen.add(block.text)
        yield block
