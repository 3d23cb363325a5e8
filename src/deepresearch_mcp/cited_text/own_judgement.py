"""Where one of our own reports says that it judges: no page has to say that, so it is not held to its citations."""

import re
from collections.abc import Iterable
from functools import cached_property

from deepresearch_mcp.cited_text.assigning import SentenceOrRow
from deepresearch_mcp.text.sentences import Span

_LABEL = re.compile(r"\*Our assessment(?P<named>, from (?:\[[^\[\]\n]{1,60}\] ?){1,60})?:\*")
_NOTE = re.compile(r"^\*Our assessment is set in italics\.\*$", re.MULTILINE)
_CELL = re.compile(r"\s*\*[^*\n]+\*\s*(?:\[[^\[\]\n]{1,60}\]\s*)*")
_END = re.compile(r"\n[ \t]*\n|\Z")
_ITEMS = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]")


class OwnJudgement:
    """Finds what a report in our own form tells as its assessment.

    A label covers its paragraph, or the list below it where it stands alone. Where it names the premises itself, a
    sentence with marks of its own is a fact again. In a table with a note below it, a cell in italics is a judgement.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _spans(self) -> list[tuple[Span, int, bool]]:
        """What each label covers, where the label ends, and whether it names the premises."""
        found: list[tuple[Span, int, bool]] = []
        for match in _LABEL.finditer(self._text):
            end = self._end(match.end())
            if not self._text[match.end() : end].strip() and _ITEMS.match(self._text, end):
                end = self._end(end + len(self._text[end:]) - len(self._text[end:].lstrip()))
            found.append((Span(match.start(), end), match.end(), bool(match["named"])))
        return found

    def _end(self, at: int) -> int:
        found = _END.search(self._text, at)
        return found.start() if found else len(self._text)

    def covers(self, piece: SentenceOrRow) -> bool:
        """Whether a sentence is told as an assessment."""
        if self._is_note(piece.start, piece.end):
            return True
        for span, label, named in self._spans:
            if span.start <= piece.start < span.end or piece.start <= span.start < piece.end:
                return not named or all(mark.start < label for mark in piece.marks)
        return False

    def is_cell(self, cell: Span) -> bool:
        """Whether a cell of a table is told as an assessment."""
        return bool(self._notes) and bool(_CELL.fullmatch(self._text, cell.start, cell.end))

    @cached_property
    def _notes(self) -> list[Span]:
        return [Span(*match.span()) for match in _NOTE.finditer(self._text)]

    def _is_note(self, start: int, end: int) -> bool:
        return any(note.start <= start and end <= note.end for note in self._notes)


def without_judgements(text: str, pieces: Iterable[SentenceOrRow]) -> Iterable[SentenceOrRow]:
    """The pieces that state a fact; of a row of a table all is kept but the marks of cells in italics."""
    own = OwnJudgement(text)
    for piece in pieces:
        if piece.cells:
            judged = [cell for cell in piece.cells if own.is_cell(cell)]
            piece.marks = [
                mark for mark in piece.marks if not any(cell.start <= mark.start < cell.end for cell in judged)
            ]
            yield piece
        elif not own.covers(piece):
            yield piece
