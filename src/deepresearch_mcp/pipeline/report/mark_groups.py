"""Running text with its marks: facts have one, our own judgements none but what they rest on beside these facts."""

from collections.abc import Iterable, Sequence

from deepresearch_mcp.pipeline.numbering import LETTERS, STOPS, Numbering
from deepresearch_mcp.records.report import Sentence

_ENDS = (*STOPS, "。", "！", "？", "।")
_PAGES = 3
"""The most pages behind sentences that share a mark: of more a reader cannot tell which carries what."""
_QUOTES = 3
"""The most quotes behind facts of a section that share a mark; those of the opening name pages alone."""


def prose(sentences: Iterable[Sentence], numbering: Numbering, *, opening: bool = False) -> str:
    """Running text with its marks: neighbouring facts that rest on few pages have one behind the last of them.

    A judgement has none where it rests on pages that facts of the text name. Judgements that rest on others share marks
    that name these. In an `opening` marks name pages alone: the sections name the quotes.
    """
    row = list(sentences)
    own = _own(row, numbering)
    shown: list[str] = []
    for group in _groups(row, numbering, opening=opening):
        [*_, last] = group
        one = row[last]
        if one.kind == "judgement":
            shown.append(own.get(last) or numbering.unmarked(one))
        elif len(group) == 1:
            shown.append(numbering.sentence(one, letters=0 if opening else LETTERS))
        else:
            together = [row[at] for at in group]
            mark = numbering.mark(together, letters=0 if opening else LETTERS)
            shown.append(f"{' '.join(map(numbering.unmarked, together))} {mark}")
    return " ".join(shown)


def _own(row: Sequence[Sentence], numbering: Numbering) -> dict[int, str]:
    """The judgements that a mark stands behind, by their place in the row, with that mark."""
    known = numbering.pages(*(one for one in row if one.kind != "judgement"))
    left = [at for at, one in enumerate(row) if one.kind == "judgement"]
    marks: dict[int, str] = {}
    while left:
        size = 1
        while size < len(left) and len(numbering.pages(*(row[at] for at in left[: size + 1])) - known) <= _PAGES:
            size += 1
        judged, last = [row[at] for at in left[:size]], left[size - 1]
        # In front of its full stop a mark is for its own sentence, behind it for others too.
        if mark := numbering.judged(judged, known):
            alone = size == 1
            marks[last] = numbering.marked(row[last], mark) if alone else f"{numbering.unmarked(row[last])} {mark}"
        known |= numbering.pages(*judged)
        left = left[size:]
    return marks


def _groups(row: Sequence[Sentence], numbering: Numbering, *, opening: bool) -> list[list[int]]:
    """The places of the sentences that share a mark."""
    groups: list[list[int]] = []
    # A mark behind a group is read as the mark of every sentence before it that has none.
    bare = False
    for at in range(len(row)):
        if groups and not bare and _joins([row[each] for each in (*groups[-1], at)], numbering, opening=opening):
            groups[-1].append(at)
        else:
            bare = bool(groups) and not _is_marked(row[groups[-1][-1]], numbering)
            groups.append([at])
    return groups


def _joins(together: Sequence[Sentence], numbering: Numbering, *, opening: bool) -> bool:
    """Whether facts may share a mark."""
    if not all(_is_marked(each, numbering) and each.text.strip().endswith(_ENDS) for each in together):
        return False
    return len(numbering.pages(*together)) <= _PAGES and (opening or numbering.quotes(together) <= _QUOTES)


def _is_marked(sentence: Sentence, numbering: Numbering) -> bool:
    return sentence.kind != "judgement" and bool(numbering.pages(sentence))
