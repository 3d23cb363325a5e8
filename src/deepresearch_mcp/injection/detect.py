"""Finds text in a page that addresses a model: its position, the reason and the confidence."""

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
    """A span of a text that is not meant for readers: character offsets, `end` exclusive."""

    start: int
    end: int
    reason: str
    """What the text does, in a few words; the reason with the highest confidence."""
    confidence: float
    """`LIKELY` to 1; at `SURE` and above the page gets a warning."""


REACH = 2_000
"""Most characters that one mark covers, so that one line cannot remove a whole page without paragraphs."""
_ENVELOPE = 6_000
"""Most characters between the opening of a message and the words that close it."""

_BLANK = re.compile(r"\n[ \t>]*\n")
_STOP = re.compile(r"[.!?。！？…][\"”’')\]]*(?:\s|$)|\n")
_CLOSING = re.compile(rf"(?=({alternatives('detect.closing')}))", re.IGNORECASE | re.MULTILINE)
_OPENS = re.compile(r"takes over|to a machine|system message")
_ANNOUNCES = re.compile(r"[:：][\s*_>\"”]*$")
_ABOUT = re.compile(rf"(?=({alternatives('detect.about')}))", re.IGNORECASE)
_PIECES = 60
"""Most paragraphs that one mark covers."""
_NEAR = 400
"""Characters before and after a mark that are searched for words showing that the page is about such text."""
_PLAIN = LOOKALIKES | FULL_WIDTH
_MIXED = re.compile(r"[a-z][\u0370-\u052f\u0261]|[\u0370-\u052f\u0261][a-z]|[\uff21-\uff5a]{3}", re.IGNORECASE)


def planted(text: str) -> list[Planted]:
    """Find the spans that address a model, in order and without overlap.

    A span begins with the sentence that matches a mark. It includes the rest of the paragraph and the listing or
    message that it announces, but at most `REACH` characters of running text; text planted with a template fits in
    that. A match is ignored if it is quoted and the page talks *about* such text. If only one of the two holds, its
    confidence drops to `LIKELY`. Takes time linear in the length of the text.
    """
    seen = text.translate(_PLAIN) if not text.isascii() and _MIXED.search(text) else text
    folded = seen.lower()
    if len(folded) != len(seen):
        folded = seen  # Lower case changed the length, and correct offsets matter more than case.
    page = _Page(seen)
    found = [one for mark in all_marks() if any(needle in folded for needle in mark.needles) for one in _of(mark, page)]
    return merged_stretches(found)


def is_planted(text: str) -> bool:
    """Whether any part of a short text, such as a title or query, addresses a model."""
    return bool(planted(text))


class _Page:
    """A text with the positions that every match needs, found once."""

    def __init__(self, text: str) -> None:
        self.text = text

    def is_about_such(self, low: int, high: int) -> bool:
        """Whether the text from `low` to `high` talks about text that addresses models."""
        starts, ends = self._about
        at = bisect_left(starts, low)
        return at < len(starts) and ends[at] <= high

    def closing(self, low: int, high: int) -> int:
        """The end of the last message-closing words that begin between `low` and `high`; -1 if there are none."""
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
    """Starts and ends of all matches, including those that begin inside another match."""
    found = [match.span(1) for match in pattern.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]


class _Match(NamedTuple):
    begin: int
    end: int
    confidence: float
    whole: bool
    """Whether the span covers the rest of the block, or only the sentence."""


def _of(mark: Mark, page: _Page) -> Iterator[Planted]:
    """Yield the spans of one mark.

    Of the matches inside an equally sure span, only the last of each kind (`whole` or not) is followed to its end,
    since the others end no later. Otherwise every match of a long paragraph would be followed through the same text.
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
    """The confidence, lowered if the words are quoted or the text around them is about such messages."""
    quoted = _is_quoted(page.text, start, end)
    about = page.is_about_such(max(0, start - _NEAR), end + _NEAR)
    if quoted and about:
        return 0.0
    return min(confidence, LIKELY) if quoted or about else confidence


_QUOTES = {"“": "”", '"': '"', "‘": "’", "`": "`", "«": "»", "„": "“", "「": "」", "'": "'"}
_BEFORE, _BEHIND = 120, 160
"""Characters before and after words that are searched for quotation marks around them."""


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the words are inside quotation marks or backticks that close on the same line."""
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
    """The start of the sentence around `at`, without leading white space."""
    low = max(0, at - 300)
    # A line break ends a sentence, so nothing before the last one needs to be read.
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
        # Counted piece by piece: counting from the start each time would take quadratic time.
        fences += text.count("```", read, end)
        words += len(text[read:end].split())
        read = further = end
        if fences % 2:
            close = text.find("```", end, end + _ENVELOPE + 2)
            further = close + 3 if close >= 0 else _next_block(text, end, REACH)
        elif _ANNOUNCES.search(text, max(start, end - 20), end) or (words < _BARE and not closes):
            further, announced = _next_block(text, end, REACH), True
        elif announced and is_code(text[end : _next_block(text, end, REACH)].strip()):
            # A listing whose lines were turned into paragraphs.
            further = _next_block(text, end, REACH)
        if further == end:
            break
        end = further
    return end


_BARE = 3
"""A span with fewer words only opens a message, such as `<INFORMATION>`, so the next block belongs to it."""


def _block_end(text: str, at: int, most: int) -> int:
    match = _BLANK.search(text, at, most + _BEFORE)
    if match and match.start() <= most:
        return match.start()
    if len(text) <= most:
        return len(text)
    cut = text.rfind("\n", at, most)
    return cut if cut > at else _sentence_end(text, most - 1)


def _next_block(text: str, end: int, most: int) -> int:
    """The end of the block after the one that ends at `end`."""
    begin = end + len(text[end : end + 20]) - len(text[end : end + 20].lstrip())
    if begin >= len(text):
        return end
    return _block_end(text, begin + 1, begin + most)


def merged_stretches(found: Iterable[Planted]) -> list[Planted]:
    """Sort the spans and merge those that touch or overlap, with the reason of the highest confidence."""
    apart: list[Planted] = []
    for one in sorted(found):
        if apart and one.start <= apart[-1].end:
            last = apart[-1]
            best = one if one.confidence > last.confidence else last
            apart[-1] = Planted(last.start, max(last.end, one.end), best.reason, best.confidence)
        else:
            apart.append(one)
    return apart
