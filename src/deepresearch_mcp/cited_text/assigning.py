"""Assigns citation marks to statements: to the sentence around a mark, and to the sentences that it closes."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.cited_text.masked_text import CitationMark
from deepresearch_mcp.text.blocks import Block
from deepresearch_mcp.text.sentences import Span, sentences
from deepresearch_mcp.text.wrapping import Line, is_full


@dataclass(slots=True)
class SentenceOrRow:
    """A sentence or a table row: `text[start:end]`, without the marks after it."""

    start: int
    end: int
    cells: tuple[Span, ...] = ()
    """The cells of a row; empty for a sentence."""
    marks: list[CitationMark] = field(default_factory=list[CitationMark])
    closed_by: tuple[CitationMark, ...] = ()
    """Later marks that also cite it."""
    apart: bool = False
    """Its marks follow it, separated from its full stop by a blank."""


@dataclass(slots=True)
class Group:
    """A paragraph, list item or row: the unit that a closing mark covers."""

    block: int
    """Offset of its block; the items of a list share a block."""
    pieces: list[SentenceOrRow]


_RULE = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+(?:\|[ \t]*+)?\Z")
_CELL = re.compile(r"(?:[^|\\]++|\\.)++")
_WRAPPED = 120
"""A line of more characters is a paragraph of its own, unless it is a full line of wrapped text."""
_WIDEST = 250
"""A line of more characters is always a paragraph of its own."""
_SHORTEST = 40
"""A line of fewer characters is always a paragraph of its own, since wrapped text has longer lines."""


def table_rows(plain: str, block: Block) -> Iterator[Group]:
    """Yield the rows of a table, without its header and the rule below it."""
    lines = [
        Span(block.start + m.start(), block.start + m.end())
        for m in re.finditer(r"[^\n]+", plain[block.start : block.end])
    ]
    rules = {i for i, line in enumerate(lines) if _RULE.match(plain, line.start, line.end)}
    for index, line in enumerate(lines):
        if index in rules or index + 1 in rules:
            continue
        found = (Span(*m.span()) for m in _CELL.finditer(plain, line.start, line.end))
        cells = tuple(cell for cell in found if plain[cell.start : cell.end].strip() or cell.end < line.end)
        yield Group(block.start, [SentenceOrRow(line.start, line.end, cells)])


_BEHIND_STOP = re.compile(r"(?:(?P<word>[^\W\d_])|[\d`)”\"])[.!?][\"”’)*_]{0,4}[ \t]\Z")
_NEW = re.compile(r"[ \t]+(?:(?P<code>`)|[^\W_a-z])")
"""A new sentence: it begins with code, or with a capital or a digit."""


_BEFORE_CODE = re.compile(r"[^\W\d_]{2}[.!?][\"”’)]{0,4}(?=[ \t]+`)")


def sentence_ends(text: str, plain: str, marks: Sequence[CitationMark], *, unmarked: bool = False) -> list[int]:
    """Where marks stand between two sentences that do not look like two without them.

    One ends with a figure or with code (`… in 3.1. [2] It …`), or the next begins with code. Where `unmarked` sentences
    say something else than those with marks, one that begins with code begins without a mark before it too.
    """
    found: list[int] = []
    if unmarked:
        found += (match.end() for match in _BEFORE_CODE.finditer(plain) if _is_end(plain, match.end()))
    for mark in marks:
        before = _BEHIND_STOP.search(text, max(0, mark.start - 12), mark.start)
        after = _NEW.match(plain, mark.end) if before else None
        if before and after and (not before["word"] or (after["code"] and _is_end(plain, mark.start))):
            found.append(mark.start)
    return sorted(found)


def _is_end(plain: str, at: int) -> bool:
    """Whether the words before an offset end a sentence, and not with an abbreviation."""
    *_, last = sentences(f"{plain[max(0, at - _TAIL) : at].rstrip()} {_NEXT}")
    return last.end - last.start == len(_NEXT)


_TAIL = 40
_NEXT = "They do so."


def _cut(span: Span, ends: Sequence[int]) -> Iterator[Span]:
    start = span.start
    for end in ends[bisect_right(ends, span.start) : bisect_left(ends, span.end)]:
        if start < end:
            yield Span(start, end)
        start = end
    yield Span(start, span.end)


def paragraphs(plain: str, block: Block, ends: Sequence[int] = ()) -> Iterator[Group]:
    """Yield the paragraphs and list items of a prose block, each as its sentences.

    `ends`: offsets at which a sentence ends too, see `sentence_ends`.
    """
    group = Group(block.start, [])
    body = plain[block.start : block.end]
    breaks = [match.start() for match in re.finditer("\n", body)]
    lines = [Line(line.strip(), len(line.rstrip())) for line in body.split("\n")]
    for start, end in (
        _trimmed(plain, one)
        for span in sentences(body)
        for one in _cut(Span(block.start + span.start, block.start + span.end), ends)
    ):
        span = Span(start - block.start, end - block.start)
        if group.pieces and _parts(body, group.pieces[-1].end - block.start, span.start, lines, breaks):
            yield group
            group = Group(block.start, [])
        group.pieces.append(SentenceOrRow(start, end))
    if group.pieces:
        yield group


def _trimmed(plain: str, span: Span) -> Span:
    """The span without the blanks at its ends."""
    said = plain[span.start : span.end]
    return Span(span.end - len(said.lstrip()), span.start + len(said.rstrip()))


def _parts(body: str, end: int, start: int, lines: Sequence[Line], breaks: Sequence[int]) -> bool:
    """Whether a new paragraph or item begins between two sentences."""
    between = body[end:start]
    if "\n" not in between:
        return False
    at = bisect_left(breaks, end)
    width = lines[at].width
    if between.strip() or between.count("\n") > 1 or not _SHORTEST <= width <= _WIDEST:
        return True
    more = len(lines[at + 1].text.partition(" ")[0])
    return width > _WRAPPED and not is_full(lines, at, more, witnessed=True)


class Assigning:
    """Assigns every mark to the statements that it cites."""

    def __init__(self, text: str, plain: str, groups: Sequence[Group], headings: Sequence[Span]) -> None:
        self._text = text
        self._plain = plain
        self._groups = groups
        self._pieces = [(piece, number) for number, group in enumerate(groups) for piece in group.pieces]
        self._starts = [piece.start for piece, _ in self._pieces]
        self._breaks = [match.start() for match in re.finditer("\n", plain)]
        self._headings = headings
        self._heading_starts = [heading.start for heading in headings]

    def assign(self, marks: Sequence[CitationMark]) -> None:
        """Add each mark to its piece, then add closing marks to the earlier pieces that they cite."""
        lines: dict[int, list[CitationMark]] = {}
        for mark in marks:
            at = bisect_right(self._heading_starts, mark.start) - 1
            if at >= 0 and mark.start < self._headings[at].end:
                continue
            alone = self._place(mark)
            if alone is not None:
                lines.setdefault(alone, []).append(mark)
        for number, group in enumerate(self._groups):
            if self._is_label(group):
                lines.setdefault(number - 1, []).extend(group.pieces[0].marks)
                group.pieces.clear()
        for group in self._groups:
            self._close(group)
        filled = self._filled()
        for number, closing in lines.items():
            self._reach_back(number, tuple(closing), filled)

    def _place(self, mark: CitationMark) -> int | None:
        """Add the mark to its piece; if it is on a line of only marks, return the number of the group before it."""
        at = bisect_right(self._starts, mark.start) - 1
        if at >= 0 and mark.start < self._pieces[at][0].end:
            self._pieces[at][0].marks.append(mark)
            return None
        # It is before the first sentence of its line, directly after a sentence, or on a line of only marks.
        following = self._pieces[at + 1][0] if at + 1 < len(self._pieces) else None
        before = self._pieces[at][0] if at >= 0 else None
        if following and mark.start <= following.start < mark.end:
            # A link that opens a sentence: its words belong to the sentence.
            following.marks.append(mark)
            return None
        if before and self._in_one_line(before.end, mark.start):
            if not before.marks or before.marks[-1].start < before.end:
                before.apart = self._text[before.end : before.end + 1] in {" ", "\u00a0", "\t"}
            before.marks.append(mark)
            return None
        if following and self._in_one_line(mark.end, following.start):
            following.marks.append(mark)
            return None
        return self._pieces[at][1] if at >= 0 else None

    def _in_one_line(self, start: int, end: int) -> bool:
        """Whether no line ends between two offsets; uses the index of breaks, since a line may have many marks."""
        at = bisect_left(self._breaks, start)
        return at == len(self._breaks) or self._breaks[at] >= end

    def _is_label(self, group: Group) -> bool:
        """Whether a paragraph is a label such as "Source: [a page](…)": it states nothing and closes earlier text."""
        if len(group.pieces) != 1 or not group.pieces[0].marks or group.pieces[0].cells:
            return False
        [piece] = group.pieces
        line = self._text.rfind("\n", 0, piece.start) + 1
        if self._text[line : piece.start].strip(" \t*_[(<>"):
            return False
        rest: list[str] = []
        at = piece.start
        for mark in piece.marks:
            rest.append(self._text[at : max(at, mark.start)])
            at = max(at, mark.end)
        own = re.findall(r"\w+", "".join([*rest, self._text[at : piece.end]]))
        links = all(mark.kind in {"link", "address", "number", "note"} for mark in piece.marks)
        label = "".join(rest[:1]).rstrip(" *_[(<")[-1:] in {":", "："}
        return links and (not own or (len(own) <= _LABEL and label))

    def _close(self, group: Group) -> None:
        """Add marks that close a paragraph, or a part of it, to its earlier sentences without marks."""
        cited = [index for index, piece in enumerate(group.pieces) if piece.marks]
        for index in cited:
            piece = group.pieces[index]
            last = index == len(group.pieces) - 1
            if not (piece.apart or (cited == [index] and last and self._ends(piece))):
                continue
            closing = tuple(mark for mark in piece.marks if piece.apart is False or mark.start >= piece.end)
            for at in range(index - 1, -1, -1):
                earlier = group.pieces[at]
                if earlier.marks or earlier.closed_by:
                    break
                earlier.closed_by = closing

    def _ends(self, piece: SentenceOrRow) -> bool:
        first = min(mark.start for mark in piece.marks)
        return not any(char.isalnum() for char in self._plain[first : piece.end])

    def _filled(self) -> list[int]:
        """For each group, the number of the last non-empty group up to it in its block; -1 if there is none.

        Groups of labels are empty; without this index each line of marks would step over all of them again.
        """
        found: list[int] = []
        for number, group in enumerate(self._groups):
            same = number > 0 and self._groups[number - 1].block == group.block
            found.append(number if group.pieces else found[-1] if same else -1)
        return found

    def _reach_back(self, number: int, closing: tuple[CitationMark, ...], filled: Sequence[int]) -> None:
        """Let a line of marks close the statements before it, back to a cited one or to the start of the block."""
        if number < 0:
            return
        block = self._groups[number].block
        at = filled[number]
        while at >= 0 and self._groups[at].block == block:
            for piece in reversed(self._groups[at].pieces):
                if piece.marks or piece.closed_by:
                    return
                piece.closed_by = closing
            at = filled[at - 1] if at else -1


_LABEL = 3
"""Longest label before the links of a line of sources, in words."""
