"""Running text with its marks: facts have one, our own judgements none but what they rest on beside these facts."""

from collections.abc import Iterable, Sequence

from deepresearch_mcp.pipeline.numbering import LETTERS, STOPS, Numbering
from deepresearch_mcp.records.report import Block, Sentence

_ENDS = (*STOPS, "。", "！", "？", "।")
_PAGES = 3
"""The most pages behind facts that share a mark."""
_QUOTES = 3
"""The most quotes behind facts of a section that share a mark; those of the opening name pages alone."""
_LISTED = 3
"""The most pages that a line below a list names for all of its items."""


def prose(
    sentences: Iterable[Sentence],
    numbering: Numbering,
    *,
    opening: bool = False,
    around: frozenset[str] = frozenset(),
    own: bool = True,
) -> str:
    """Running text with its marks: neighbouring facts that rest on few pages have one behind the last of them.

    A judgement has no mark of its own. Behind the last one of the text stands, once, what they rest on beside the
    pages of its facts and those `around`, the other parts of its list; not `own`: it stands elsewhere. In an `opening`
    marks name pages alone: the sections name the quotes.
    """
    row = list(sentences)
    known = around | numbering.pages(*_facts(row))
    judged = [one for one in row if one.kind == "judgement"]
    more = numbering.judged(judged, known) if own else ""
    shown: list[str] = []
    for group in _groups(row, numbering, opening=opening):
        last = bool(judged) and group[-1] is judged[-1]
        shown.append(_shown(group, numbering, more if last else "", alone=len(judged) == 1, opening=opening))
    return " ".join(shown)


def pages_of_facts(block: Block, numbering: Numbering) -> frozenset[str]:
    """The pages that the marks of a block name for its facts."""
    return numbering.pages(*_facts(block.sentences))


def list_mark(block: Block, numbering: Numbering) -> str:
    """What the judgements of a list or of steps rest on beside the pages of its facts, for a line below it.

    "" where that is nothing, or too much for one line: then each item has its own.
    """
    judged = [one for one in block.sentences if one.kind == "judgement"]
    known = pages_of_facts(block, numbering)
    if len(block.rows) < 2 or len(numbering.pages(*judged) - known) > _LISTED:
        return ""
    return numbering.judged(judged, known)


def _facts(sentences: Iterable[Sentence]) -> list[Sentence]:
    return [one for one in sentences if one.kind != "judgement"]


def _groups(sentences: Iterable[Sentence], numbering: Numbering, *, opening: bool) -> list[list[Sentence]]:
    groups: list[list[Sentence]] = []
    # A mark behind a group is read as the mark of every sentence before it that has none.
    bare = False
    for one in sentences:
        if groups and not bare and _joins(groups[-1], one, numbering, opening=opening):
            groups[-1].append(one)
        else:
            bare = bool(groups) and not _is_marked(groups[-1][-1], numbering)
            groups.append([one])
    return groups


def _joins(group: Sequence[Sentence], one: Sentence, numbering: Numbering, *, opening: bool) -> bool:
    """Whether a fact may share the mark of those before it."""
    together = [*group, one]
    if not all(_is_marked(each, numbering) and each.text.strip().endswith(_ENDS) for each in together):
        return False
    return len(numbering.pages(*together)) <= _PAGES and (opening or numbering.quotes(together) <= _QUOTES)


def _is_marked(sentence: Sentence, numbering: Numbering) -> bool:
    return sentence.kind != "judgement" and bool(numbering.pages(sentence))


def _shown(group: Sequence[Sentence], numbering: Numbering, more: str, *, alone: bool, opening: bool) -> str:
    [*_, last] = group
    if last.kind == "judgement":
        # In front of its full stop a mark is for its own sentence, behind it for others too.
        return numbering.marked(last, more) if alone else f"{numbering.unmarked(last)} {more}".rstrip()
    letters = 0 if opening else LETTERS
    if len(group) == 1:
        return numbering.sentence(last, letters=letters)
    return f"{' '.join(map(numbering.unmarked, group))} {numbering.mark(group, letters=letters)}"
