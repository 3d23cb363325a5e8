"""Text in a page that addresses a machine reader: where it stands, why it is taken for that, and how surely."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from deepresearch_mcp.injection.lookalikes import FULL_WIDTH, LOOKALIKES
from deepresearch_mcp.injection.marks import LIKELY, SURE, Mark, all_marks
from deepresearch_mcp.injection.orders import is_code
from deepresearch_mcp.injection.rules import alternatives

__all__ = ["LIKELY", "SURE", "Planted", "is_planted", "merged_stretches", "planted"]


class Planted(NamedTuple):
    """A stretch of a text that is no reader's: character offsets, `end` exclusive."""

    start: int
    end: int
    reason: str
    """What it does, in a few words; of several reasons the surest."""
    confidence: float
    """`LIKELY` to 1; from `SURE` on the page is worth a warning."""


REACH = 2_000
"""Characters that a mark can take with it, so that one line cannot silence a whole page without paragraphs."""
_ENVELOPE = 6_000
"""Characters in which a message that announced itself has to end."""

_BLANK = re.compile(r"\n[ \t>]*\n")
_STOP = re.compile(r"[.!?。！？…][\"”’')\]]*(?:\s|$)|\n")
_CLOSING = re.compile(rf"(?=({alternatives('detect.closing')}))", re.IGNORECASE | re.MULTILINE)
_OPENS = re.compile(r"takes over|to a machine|system message")
_ANNOUNCES = re.compile(r"[:：][\s*_>\"”]*$")
_ABOUT = re.compile(rf"(?=({alternatives('detect.about')}))", re.IGNORECASE)
_PIECES = 60
"""Paragraphs that one mark can take with it."""
_NEAR = 400
"""Characters around a mark in which a page that is about such text says so."""
_PLAIN = LOOKALIKES | FULL_WIDTH
_MIXED = re.compile(r"[a-z][\u0370-\u052f\u0261]|[\u0370-\u052f\u0261][a-z]|[\uff21-\uff5a]{3}", re.IGNORECASE)


def planted(text: str) -> list[Planted]:
    """Find the stretches that address a machine, in order, none touching another.

    A stretch begins with the sentence of the words that give it away. It takes the rest of their paragraph with it,
    and the listing or the message that it announces, but no more than `REACH` characters of running text: what was
    planted with a template stands within it. Words that are quoted where a page speaks *about* such text are left
    alone; quoted elsewhere, or not quoted there, they are no longer sure. Linear in the length of the text.
    """
    seen = text.translate(_PLAIN) if _MIXED.search(text) else text
    folded = seen.lower()
    if len(folded) != len(seen):
        folded = seen  # A letter whose small form is longer: offsets count for more than its case.
    page = _Page(seen)
    found = [one for mark in all_marks() if any(needle in folded for needle in mark.needles) for one in _of(mark, page)]
    return merged_stretches(found)


def is_planted(text: str) -> bool:
    """Whether any part of a short text, as a title or a query, addresses a machine."""
    return bool(planted(text))


class _Page:
    """A text, with what is asked of it for one match after another: found once, then looked up."""

    def __init__(self, text: str) -> None:
        self.text = text

    def is_about_such(self, low: int, high: int) -> bool:
        """Whether a stretch speaks about text that addresses machines."""
        starts, ends = self._about
        at = bisect_left(starts, low)
        return at < len(starts) and ends[at] <= high

    def closing(self, low: int, high: int) -> int:
        """Where the last words that close a message end, of those that begin in a stretch; -1 where there are none."""
        starts, ends = self._closings
        at = bisect_left(starts, high) - 1
        return min(ends[at], high) if at >= 0 and starts[at] >= low else -1

    @cached_property
    def _about(self) -> tuple[list[int], list[int]]:
        return _places(_ABOUT, self.text)

    @cached_property
    def _closings(self) -> tuple[list[int], list[int]]:
        return _places(_CLOSING, self.text)


def _places(pattern: re.Pattern[str], text: str) -> tuple[list[int], list[int]]:
    """Where the matches begin and end; also of one that begins inside another, as a search from there would find it."""
    found = [match.span(1) for match in pattern.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]


class _Match(NamedTuple):
    begin: int
    end: int
    confidence: float
    whole: bool
    """Whether it takes the rest of its block with it, or only its sentence."""


def _of(mark: Mark, page: _Page) -> Iterator[Planted]:
    """Yield the stretches of one mark.

    Of the matches inside a stretch that is as sure, only the last of each kind is followed to its end: the others end
    no later. Else every match of a long paragraph would be followed through the same text.
    """
    last: Planted | None = None
    inside: dict[bool, _Match] = {}
    for match in _matches(mark, page):
        if last and inside and match.begin >= last.end:
            for one in inside.values():
                yield (further := _stretch(mark, page, one))
                last = last._replace(end=max(last.end, further.end))
            inside.clear()
        if last and match.begin < last.end and match.confidence <= last.confidence:
            inside[match.whole] = match
            continue
        yield (last := _stretch(mark, page, match))
    for one in inside.values():
        yield _stretch(mark, page, one)


def _matches(mark: Mark, page: _Page) -> Iterator[_Match]:
    for match in mark.pattern.finditer(page.text):
        begin = match.end() - len(match.group().lstrip(' \t\r\n.!?:;"“”'))
        confidence = _weighed(mark.confidence, page, begin, match.end())
        if confidence >= LIKELY:
            yield _Match(begin, match.end(), confidence, mark.whole and confidence == mark.confidence)


def _stretch(mark: Mark, page: _Page, match: _Match) -> Planted:
    start = _opening(page.text, match.begin)
    if match.whole:
        end = _end(page, start, match.end, _OPENS.search(mark.reason) is not None)
    else:
        end = _sentence_end(page.text, match.end)
    return Planted(start, end, mark.reason, match.confidence)


def _weighed(confidence: float, page: _Page, start: int, end: int) -> float:
    """The confidence that is left where words are quoted, or stand among words about such text."""
    quoted = _is_quoted(page.text, start, end)
    about = page.is_about_such(max(0, start - _NEAR), end + _NEAR)
    if quoted and about:
        return 0.0
    return min(confidence, LIKELY) if quoted or about else confidence


_QUOTES = {"“": "”", '"': '"', "‘": "’", "`": "`", "«": "»", "„": "“", "「": "」", "'": "'"}
_BEFORE, _BEHIND = 120, 160
"""Characters around words in which the quotation marks around them are looked for."""


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the words stand in quotation marks, or between backticks, that close in the same line."""
    before = text[max(0, start - _BEFORE) : start]
    before = before[before.rfind("\n") + 1 :]
    behind = text[max(0, end - 1) : end + _BEHIND]
    if (line_end := behind.find("\n", 1)) >= 0:
        behind = behind[:line_end]
    for opening, closing in _QUOTES.items():
        at = before.rfind(opening)
        if at < 0 or closing in before[at + 1 :] or (opening == "'" and at and before[at - 1].isalnum()):
            continue
        if closing in behind:
            return True
    return False


def _opening(text: str, at: int) -> int:
    """Where the sentence of the words begins, without the marks of lists and headings before it."""
    low = max(0, at - 300)
    # A line break is a stop: what stands before the last one need not be read.
    line = text.rfind("\n", low, at)
    starts = [match.end() for match in _STOP.finditer(text, line if line >= 0 else low, at)]
    start = starts[-1] if starts else low
    return start + len(text[start:at]) - len(text[start:at].lstrip())


def _sentence_end(text: str, at: int) -> int:
    match = _STOP.search(text, max(0, at - 1), min(len(text), at + REACH))
    return match.start() + len(match.group().rstrip()) if match else min(len(text), at + REACH)


def _end(page: _Page, start: int, at: int, opens: bool) -> int:
    text = page.text
    end = _block_end(text, at, at + REACH)
    if opens and (closing := page.closing(start, min(len(text), start + _ENVELOPE))) > end:
        end = _block_end(text, closing, closing + 200)
        if text[start:end].rstrip().endswith(("Signed,", "signed,")):
            end = _next_block(text, end, 100)
    announced = False
    fences = words = 0
    read = start
    closes = text[start:end].lstrip().startswith("</")
    for _ in range(_PIECES):
        # Counted piece by piece: to count from the start each time is to read all pieces as often as there are any.
        fences += text.count("```", read, end)
        words += len(text[read:end].split())
        read = further = end
        if fences % 2:
            close = text.find("```", end, end + _ENVELOPE + 2)
            further = close + 3 if close >= 0 else _next_block(text, end, REACH)
        elif _ANNOUNCES.search(text, max(start, end - 20), end) or (words < _BARE and not closes):
            further, announced = _next_block(text, end, REACH), True
        elif announced and is_code(text[end : _next_block(text, end, REACH)].strip()):
            # A listing whose lines have become paragraphs.
            further = _next_block(text, end, REACH)
        if further == end:
            break
        end = further
    return end


_BARE = 3
"""With fewer words there are only those that open a message, as `<INFORMATION>`, and what they open comes behind."""


def _block_end(text: str, at: int, most: int) -> int:
    match = _BLANK.search(text, at, most + _BEFORE)
    if match and match.start() <= most:
        return match.start()
    if len(text) <= most:
        return len(text)
    cut = text.rfind("\n", at, most)
    return cut if cut > at else _sentence_end(text, most - 1)


def _next_block(text: str, end: int, most: int) -> int:
    """The end of the block behind one that ends at `end`."""
    begin = end + len(text[end : end + 20]) - len(text[end : end + 20].lstrip())
    if begin >= len(text):
        return end
    return _block_end(text, begin + 1, begin + most)


def merged_stretches(found: Iterable[Planted]) -> list[Planted]:
    """The stretches in order, those that touch made one, with the surest reason."""
    apart: list[Planted] = []
    for one in sorted(found):
        if apart and one.start <= apart[-1].end:
            last = apart[-1]
            best = one if one.confidence > last.confidence else last
            apart[-1] = Planted(last.start, max(last.end, one.end), best.reason, best.confidence)
        else:
            apart.append(one)
    return apart
