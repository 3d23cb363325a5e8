"""Where one of our own reports says that it judges: no page has to say that, so it is not held to its citations."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate

from deepresearch_mcp.cited_text.assigning import SentenceOrRow
from deepresearch_mcp.text.citations import NOTE, OWN_SIGN, THEREFORE
from deepresearch_mcp.text.sentences import Span

_LABEL = re.compile(r"\*Our assessment(?P<named>, from (?:\[[^\[\]\n]{1,60}\] ?){1,60})?:\*")
_NOTE = re.compile(
    r"^\*(?:In italics: our assessment, from the sources named|Our assessment is set in italics)\.\*$", re.MULTILINE
)
"""Reports of earlier versions say so; the second form spoke of the table above it."""
_EXPLAINED = re.compile(
    rf"^(?P<all>{re.escape(NOTE)})$"
    rf"|^\*(?:{THEREFORE} marks our own assessment, from the sources it names|–: not found on the pages that were read)"
    r"\.\*$",
    re.MULTILINE,
)
"""The line on what is ours, that of earlier versions, and the one on empty cells."""
_OURS = re.compile(rf"(?<!\\)\[{OWN_SIGN}(?: [^\[\]\n]{{1,200}})?\]")
_THEREFORE = re.compile(rf"(?<!\\)\[{THEREFORE}(?: [^\[\]\n]{{1,200}})?\]")
"""The bracket of a judgement: `[cf. 3, 4]` where a report says so, `[∴ 3a, 4a]`, or `[∴]` for one without a source."""
_BEHIND = re.compile(r"[ \t]{0,3}(?=\[)")
_CLOSED = re.compile(r"(?:[.!?…。！？।][\"”’)*_]{0,4}[ \t]|\n[ \t]*)\Z")
"""What ends before a bracket that closes more than its own sentence."""
_BEFORE = 12
_ITALIC = r"\*(?=[^\s*])(?:[^*\\\n]|\\.)+\*"
_MARKS = r"(?:\[[^\[\]\n]{1,60}\]\s*)*"
_CELL = re.compile(rf"\s*{_ITALIC}\s*{_MARKS}")
_OWN = re.compile(rf"(?<![\w*\\]){_ITALIC}(?![\w*])")
_BESIDE = re.compile(rf"(?:(?:[-*+]|\d{{1,9}}[.)])\s+)?(?:\*\*[^*\n]{{1,60}}:\*\*)?|{_MARKS}[.!?]?")
"""What stands beside the italics of a judgement: a label before them, the marks and the full stop behind."""
_END = re.compile(r"\n(?=[ \t]*\n)")
_ITEMS = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]")
_SPACE = re.compile(r"\s*")


def tells_unmarked(text: str) -> bool:
    """Whether a line of a report says that its sentences without a mark are its own assessment."""
    return any(match["all"] for match in _EXPLAINED.finditer(text))


class OwnJudgement:
    """Finds what a report in our own form tells as its assessment.

    A sentence or cell is one if its brackets begin with `∴`, or with `cf.` if a line says that such ones are: then a
    sentence without a bracket is one too. In a report of an earlier version it is one if it is all in italics and a
    line says that our assessment is. In still earlier ones a label covers its paragraph, or the list below it where it
    stands alone; where it names the premises itself, a sentence with marks of its own is a fact.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _spans(self) -> list[tuple[Span, int, bool]]:
        """What each label covers, where the label ends, and whether it names the premises.

        Both the starts and the ends of the spans ascend.
        """
        found: list[tuple[Span, int, bool]] = []
        for match in _LABEL.finditer(self._text):
            end = self._end(match.end())
            after = self._after_space(match.end())
            if after >= end and _ITEMS.match(self._text, end):
                end = self._end(self._after_space(end))
            found.append((Span(match.start(), end), match.end(), bool(match["named"])))
        return found

    def _after_space(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _end(self, at: int) -> int:
        place = bisect_left(self._ends, at)
        return self._ends[place] if place < len(self._ends) else len(self._text)

    @cached_property
    def _ends(self) -> list[int]:
        """Where paragraphs end."""
        return [match.start() for match in _END.finditer(self._text)]

    def covers(self, piece: SentenceOrRow) -> bool:
        """Whether a sentence is told as an assessment."""
        if self._is_note(piece.start, piece.end) or self._is_marked(piece) or self._is_closed(piece):
            return True
        if self._is_italic(piece) or self._is_unmarked(piece):
            return True
        spans = self._spans
        first = bisect_right(spans, piece.start, key=lambda found: found[0].end)
        last = bisect_left(spans, piece.end, key=lambda found: found[0].start)
        if first >= last:
            return False
        # A sentence is covered by the nearest label before its marks; one without premises covers marked ones too.
        return self._bare[last] > self._bare[first] or all(mark.start < spans[last - 1][1] for mark in piece.marks)

    @cached_property
    def _bare(self) -> list[int]:
        """How many of the labels before each place in the list name no premises."""
        return [0, *accumulate(not named for _, _, named in self._spans)]

    def is_cell(self, cell: Span) -> bool:
        """Whether a cell of a table is told as an assessment."""
        if self._ours.search(self._text, cell.start, cell.end):
            return True
        return bool(self._notes) and bool(_CELL.fullmatch(self._text, cell.start, cell.end))

    def _is_marked(self, piece: SentenceOrRow) -> bool:
        """Whether all brackets of a sentence are of a judgement; a source that it names beside them is to carry it."""
        if not all(self._ours.match(self._text, mark.start) for mark in piece.marks):
            return False
        end = max([piece.end, *(mark.end for mark in piece.marks)])
        behind = _BEHIND.match(self._text, end)
        end = behind.end() if behind else end
        return bool(self._ours.search(self._text, piece.start, end) or self._ours.match(self._text, end))

    def _is_closed(self, piece: SentenceOrRow) -> bool:
        """Whether a bracket of a judgement behind a later full stop, or on a line below, is for the sentence too.

        In front of its full stop such a bracket is for its own sentence alone.
        """
        closing = piece.closed_by if not piece.marks else ()
        return bool(closing) and all(
            self._ours.match(self._text, mark.start) and self._closes(mark.start) for mark in closing
        )

    def _is_unmarked(self, piece: SentenceOrRow) -> bool:
        """Whether no bracket cites a sentence of a report that tells its assessments without any."""
        if not self._tells_unmarked or piece.marks:
            return False
        return not any(self._closes(mark.start) for mark in piece.closed_by)

    def _closes(self, at: int) -> bool:
        """Whether a bracket stands behind a full stop or on a line of its own, not in front of one."""
        return bool(_CLOSED.search(self._text, max(0, at - _BEFORE), at))

    @cached_property
    def _ours(self) -> re.Pattern[str]:
        """Other texts write `[cf. 3]` where they only point to a source."""
        return _OURS if self._tells_unmarked else _THEREFORE

    @cached_property
    def _tells_unmarked(self) -> bool:
        return tells_unmarked(self._text)

    @cached_property
    def _notes(self) -> list[Span]:
        return [Span(*match.span()) for match in _NOTE.finditer(self._text)]

    def _is_italic(self, piece: SentenceOrRow) -> bool:
        """Whether all words of a sentence are in italics that the report's note explains."""
        if not self._notes:
            return False
        at = bisect_right(self._italics, piece.start, key=lambda span: span.end)
        if at == len(self._italics) or self._italics[at].start >= piece.end:
            return False
        own = self._italics[at]
        end = max([piece.end, *(mark.end for mark in piece.marks)])
        before, behind = self._text[piece.start : max(own.start, piece.start)], self._text[min(own.end, end) : end]
        return bool(_BESIDE.fullmatch(before.strip())) and bool(_BESIDE.fullmatch(behind.strip()))

    @cached_property
    def _told(self) -> list[Span]:
        explained = (Span(*match.span()) for match in _EXPLAINED.finditer(self._text))
        return sorted([*self._notes, *explained])

    @cached_property
    def _italics(self) -> list[Span]:
        return [Span(*match.span()) for match in _OWN.finditer(self._text)]

    def _is_note(self, start: int, end: int) -> bool:
        at = bisect_right(self._told, start, key=lambda note: note.start) - 1
        return at >= 0 and end <= self._told[at].end


def without_judgements(text: str, pieces: Iterable[SentenceOrRow]) -> Iterable[SentenceOrRow]:
    """The pieces that state a fact; in the row of a table the cells that judge are empty, without their marks."""
    own = OwnJudgement(text)
    for piece in pieces:
        if piece.cells:
            judged = [cell for cell in piece.cells if own.is_cell(cell)]
            piece.marks = [
                mark for mark in piece.marks if not any(cell.start <= mark.start < cell.end for cell in judged)
            ]
            piece.cells = tuple(Span(cell.start, cell.start) if cell in judged else cell for cell in piece.cells)
            yield piece
        elif not own.covers(piece):
            yield piece
