"""Running text with its marks: neighbouring sentences that rest on few pages have one mark behind the last."""

from collections.abc import Iterable, Sequence

from deepresearch_mcp.pipeline.numbering import LETTERS, STOPS, Numbering
from deepresearch_mcp.records.report import Block, Sentence

_ENDS = (*STOPS, "。", "！", "？", "।")
_PAGES = 2
"""The most pages behind facts of a section that share a mark."""
_QUOTES = 3
"""The most quotes behind them."""
_IN_OPENING = 3
"""The same in the opening, whose marks name pages alone."""
_PREMISES = 3
"""The most pages behind judgements that share a mark."""
_LISTED = 3
"""The most pages behind a list whose items share one mark."""


def prose(sentences: Iterable[Sentence], numbering: Numbering, *, opening: bool = False) -> str:
    """Running text with its marks.

    In an `opening` marks name pages alone: the sections name the quotes.
    """
    return " ".join(_shown(one, numbering, opening=opening) for one in _groups(sentences, numbering, opening=opening))


def list_mark(block: Block, numbering: Numbering) -> str:
    """The one mark of a list or of steps that only judge, for a line below it; "" where each item has its own."""
    sentences = block.sentences
    judged = all(one.kind == "judgement" and numbering.pages(one) for one in sentences)
    if len(block.rows) < 2 or not judged or len(_pages(sentences, numbering)) > _LISTED:
        return ""
    return numbering.judged(sentences)


def _groups(sentences: Iterable[Sentence], numbering: Numbering, *, opening: bool) -> list[list[Sentence]]:
    groups: list[list[Sentence]] = []
    # A mark behind a group is read as the mark of every sentence before it that has none.
    bare = False
    for one in sentences:
        if groups and not bare and _joins(groups[-1], one, numbering, opening=opening):
            groups[-1].append(one)
        else:
            bare = bool(groups) and not numbering.marks(groups[-1][-1])
            groups.append([one])
    return groups


def _joins(group: Sequence[Sentence], one: Sentence, numbering: Numbering, *, opening: bool) -> bool:
    """Whether a sentence may share the mark of those before it: fact with fact, or judgement with judgement."""
    ours = one.kind == "judgement"
    together = [*group, one]
    if ours != (group[-1].kind == "judgement") or not all(_is_whole(one, numbering) for one in together):
        return False
    pages = len(_pages(together, numbering))
    if ours or opening:
        return pages <= (_PREMISES if ours else _IN_OPENING)
    return pages <= _PAGES and numbering.quotes(together) <= _QUOTES


def _is_whole(sentence: Sentence, numbering: Numbering) -> bool:
    return bool(numbering.pages(sentence)) and sentence.text.strip().endswith(_ENDS)


def _pages(sentences: Iterable[Sentence], numbering: Numbering) -> frozenset[str]:
    return frozenset[str]().union(*(numbering.pages(one) for one in sentences))


def _shown(group: Sequence[Sentence], numbering: Numbering, *, opening: bool) -> str:
    letters = 0 if opening else LETTERS
    if len(group) == 1:
        return numbering.sentence(group[0], letters=letters)
    said = " ".join(numbering.unmarked(one) for one in group)
    ours = group[0].kind == "judgement"
    return f"{said} {numbering.judged(group) if ours else numbering.mark(group, letters=letters)}"
