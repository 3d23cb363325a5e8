"""Topic sentences: one without a claim that heads or sums up its paragraph rests on the claims of that paragraph."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from deepresearch_mcp.pipeline.report.paragraphs import paragraphs
from deepresearch_mcp.pipeline.report.pieces import is_lead_in, pieces_of
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection

_MOST = 5
"""Claims that such a sentence rests on at most: each is shown to a reader, and gives a mark."""


def with_topics(draft: Draft) -> tuple[Draft, frozenset[Sentence]]:
    """The draft with claims beneath its topic sentences, and these sentences, each by itself.

    A writer who says first what a paragraph shows names no claim there. What carries it are the sentences behind it,
    or, at the end of a paragraph, those before it; for a paragraph of one such sentence, what stands next to it.
    """
    topics: set[Sentence] = set()
    opening = [_grounded(one, (), topics) for one in paragraphs(draft.in_short)]
    sections = tuple(_section(one, topics) for one in draft.sections)
    told = tuple(sentence for paragraph in opening for sentence in paragraph)
    return draft.model_copy(update={"in_short": told, "sections": sections}), frozenset(topics)


def _section(section: WrittenSection, topics: set[Sentence]) -> WrittenSection:
    blocks: list[Block] = []
    for at, block in enumerate(section.blocks):
        if block.kind not in {"prose", "list", "steps"}:
            blocks.append(block)
            continue
        around: Sequence[Sentence] = ()
        if block.kind == "prose":
            around = _around(section.blocks, at)
        blocks.append(block.model_copy(update={"rows": tuple(_grounded(row, around, topics) for row in block.rows)}))
    return section.model_copy(update={"blocks": tuple(blocks)})


def _around(blocks: Sequence[Block], at: int) -> Sequence[Sentence]:
    """What a paragraph without any claim speaks of: the list or table behind it, else the text before it, else behind.

    A heading between two blocks parts them. What opens a section speaks of the first of each of its paragraphs.
    """
    if not at and blocks[1:2] and blocks[1].kind == "prose":
        firsts = (next((one for one in block.sentences if one.rests_on), None) for block in blocks[1:])
        return [one for one in firsts if one]
    before, behind = blocks[at - 1 : at] if at else (), blocks[at + 1 : at + 2]
    before = () if blocks[at].title else before
    behind = [one for one in behind if not one.title]
    ordered = [*behind, *before] if behind and behind[0].kind != "prose" else [*before, *behind]
    return next((one.sentences for one in ordered if _named(one.sentences)), ())


def _grounded(paragraph: Sequence[Sentence], around: Sequence[Sentence], topics: set[Sentence]) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    for at, one in enumerate(paragraph):
        if one.rests_on or one.absence or is_lead_in(one) or not any(char.isalpha() for char in one.text):
            found.append(one)
            continue
        # What stands behind the next topic sentence belongs to that one.
        behind = list[Sentence]()
        for other in paragraph[at + 1 :]:
            if behind and not other.rests_on:
                break
            if other.rests_on:
                behind.append(other)
        names = _named(behind) or _named(reversed(paragraph[:at])) or _named(around)
        named = _resting(one, names)
        found.append(named)
        if named is not one:
            topics.update(pieces_of(named))
    return tuple(found)


def _resting(sentence: Sentence, names: tuple[str, ...]) -> Sentence:
    if not names:
        return sentence
    if sentence.kind == "judgement":
        return sentence.model_copy(update={"premises": names})
    return sentence.model_copy(update={"claim_ids": names, "kind": "synthesis" if len(names) > 1 else "fact"})


def _named(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """The claims beneath the sentences, the first of each before the second of any."""
    ranks = zip_longest(*(one.rests_on for one in sentences))
    found = dict.fromkeys(name for rank in ranks for name in rank if name is not None)
    return tuple(found)[:_MOST]
