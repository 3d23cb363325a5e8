"""Rules for the pages of shops: leave out what surrounds the product, and recognise a page without its product."""

import re
from collections.abc import Sequence
from typing import Final

from deepresearch_mcp.web.pages.block_heads import Head, headings
from deepresearch_mcp.web.pages.page_blocks import Block

LITTLE: Final = 250
"""Characters."""
_LIKELY = 0.35
"""Score from which a block may be main text."""
_BEGIN = 60
"""Letters and digits of a description by which it is found in a text."""
_REPEATED: Final = 8
"""Letters and digits from which words are left out that stand above already."""
_LONGEST_HEAD = 80
"""Characters of a heading that tells what a section is for."""
_WORD = re.compile(r"\w+")
_APART = re.compile(
    r"related|you (?:may|might) also|recommend|customers (?:also|who)|similar|popular|recently viewed|goes well"
    r"|pairs? well|complete (?:the|your)|(?:frequently )?bought together|people also|more from|shop the|add-?ons"
    r"|accessor|other (?:products|items)|ähnliche|passend|zuletzt angesehen|kunden kauften|zubehör|produits? similaires"
    r"|vous aimerez|également|consultés récemment|relacionados|también|vistos recientemente"
    r"|^(?:free )?(?:shipping|delivery|returns?|refunds?|payment|size (?:guide|chart)|need help|contact|privacy)"
    r"\b|^(?:versand|lieferung|rückgabe|zahlung|livraison|retours?|paiement|envíos?|devoluci)",
    re.IGNORECASE,
)
"""Heads of sections on other products, or on the terms of the shop."""


def without_surroundings(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """Return `kept` without sections on other products and on the shop's terms, and without repeated words.

    A section reaches to the next heading of its rank in the element that its heading names. Words with digits may be
    repeated, for they may be the price of something else. So may those in tables and in lists of terms. Where next to
    nothing is left, all stays.
    """
    found = list(kept)
    for head in headings(blocks):
        title = " ".join(block.text for block in blocks[head.first : head.end])
        if len(title) <= _LONGEST_HEAD and _APART.search(title):
            stop = _next_heading(blocks, head)
            found[head.first : stop] = [False] * (stop - head.first)
    above: set[str] = set()
    for at, block in enumerate(blocks):
        frame = block.frame
        if found[at] and frame.cell is None and (frame.item is None or frame.item.tag == "li"):
            words = _key(block.text)
            if len(words) >= _REPEATED and not any(map(str.isdigit, words)):
                found[at] = words not in above
                above.add(words)
    return found if _size(blocks, found) >= LITTLE else list(kept)


def _next_heading(blocks: Sequence[Block], head: Head) -> int:
    """Return the place of the next heading of the same or a higher rank, at most the end of what the heading names."""
    rank = blocks[head.first].frame.heading
    return next((at for at in range(head.end, head.stop) if 0 < blocks[at].frame.heading <= rank), head.stop)


def _size(blocks: Sequence[Block], kept: Sequence[bool]) -> int:
    return sum(block.chars for block, is_kept in zip(blocks, kept, strict=True) if is_kept)


def stand_in(found: Sequence[Block], scores: Sequence[float], described: str) -> str | None:
    """Return what a shop's page holds if scripts write its product; None if the page holds its text itself.

    `found` are the blocks that would be the main text, `scores` theirs, and `described` is what the page tells machines
    of the product. It stands in where it is longer than all of the page's own words outside links, and where these are
    few and most words are links: menus. What looks like main text stays below it. The answer is "" if nothing does.
    """
    own = sum(block.chars - block.linked for block in found)
    is_menu = own < LITTLE and 2 * own < sum(block.chars for block in found)
    if own >= len(described) and not is_menu:
        return None
    stays = (block for block, score in zip(found, scores, strict=True) if score >= _LIKELY and _is_text(block))
    text = "\n\n".join(block.text for block in stays)
    said = _key(described)[:_BEGIN]
    return None if said and said in _key(text) else f"{described}\n\n{text}".strip()


def _is_text(block: Block) -> bool:
    return not block.frame.heading and 2 * block.linked < block.chars


def _key(text: str) -> str:
    return "".join(_WORD.findall(text.lower()))
