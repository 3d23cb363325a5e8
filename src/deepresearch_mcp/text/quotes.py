"""Locates a quote in a text, so that it can be checked."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from deepresearch_mcp.text.boundaries import is_whole
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.normalise import Normalised, normalise
from deepresearch_mcp.text.sentences import Span
from deepresearch_mcp.text.skeletons import Skeleton, agree, folded, skeleton

How = Literal["exact", "normalised", "fuzzy"]

_GAP = 600
"""The most characters that an ellipsis may stand for."""
_PART_WORDS = 3
"""The fewest words of a part around an ellipsis, and of a damaged quote."""
_SHORT = 12
"""A quote of fewer characters, or of fewer than three words, is too short to recognise when damaged."""
_TRIES = 200
"""Occurrences that are examined: only hostile text has more that are not whole words."""
_OCR_LONGEST = 2000
"""The longest normalised quote, in characters, that is searched in spite of recognition errors."""
_OCR_CUTOFF = 85.0
"""Below this partial ratio (0 to 100), a window differs by more than recognition errors."""
_OCR_MARGIN = 24
"""Characters that the window has beyond the best match, before and after it."""


@dataclass(frozen=True, slots=True)
class Located:
    """A quote found in a text."""

    spans: tuple[Span, ...]
    """One span for each part of the quote, in order; several only if the quote has an ellipsis."""
    how: How
    """The weakest match of any part: exact, equal except for typography, or equal except for extraction damage."""
    score: float
    """The similarity of the words as written, 0 to 1; 1.0 unless `how` is "fuzzy"."""

    @property
    def start(self) -> int:
        """The start of the first part."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """The end of the last part, exclusive."""
        return self.spans[-1].end


def locate(quote: str, text: str, normalised: Normalised | None = None) -> Located | None:
    """Find the words of a quote in a text; None if the text does not hold exactly these words.

    Typography, spacing, punctuation, hyphenation, Markdown and (in long words) errors of optical recognition may
    differ; a word, number, unit or negation may not. A match begins and ends with whole words and numbers. An ellipsis
    in the quote stands for at most 600 characters; the parts around it have three words or more each. A quote of fewer
    than three words or twelve characters is found only exactly or normalised.

    Args:
        quote: The words to find; quotation marks around them are ignored.
        text: The text to search.
        normalised: `normalise(text)`, if the caller searches one text for several quotes.
    """
    quote = quote.strip()
    if not _has_words(quote):
        return None
    if (at := _first_whole(quote, text)) is not None:
        return Located((Span(at, at + len(quote)),), "exact", 1.0)
    page = _Page(text, normalised or normalise(text))
    parts = _parts(quote)
    quote = quote if len(parts) > 1 else parts[0]
    if found := page.find(quote):
        return found
    return page.find_parts(parts) if len(parts) > 1 else page.find_damaged(quote)


_ELLIPSIS = re.compile(r"\s*(?:[\[(]\s?(?:\.\.\.+|…)\s?[\])]|\.\.\.+|…|\. \. \.)\s*")


def _parts(quote: str) -> list[str]:
    return [part for part in _ELLIPSIS.split(quote) if _has_words(part)]


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _is_short(quote: str) -> bool:
    return len(quote) < _SHORT or len(words(quote)) < _PART_WORDS


def _first_whole(wanted: str, text: str) -> int | None:
    return next(_wholes(wanted, text), None)


def _wholes(wanted: str, text: str) -> Iterator[int]:
    """Yield the offsets of `wanted` in `text` as whole words."""
    at = text.find(wanted)
    for _ in range(_TRIES):
        if at < 0:
            return
        if is_whole(text, at, at + len(wanted)):
            yield at
        at = text.find(wanted, at + 1)


_EDGES = " \"'"
_TAIL = " \"'.,;:!?"


class _Page:
    """A text and its normalised form, searched for quotes."""

    def __init__(self, text: str, plain: Normalised) -> None:
        self._text = text
        self.plain = plain

    def find(self, quote: str) -> Located | None:
        return next(self._all(quote), None)

    def _all(self, quote: str) -> Iterator[Located]:
        """Yield the occurrences: normalised matches first, then fuzzy ones, each kind in order."""
        for wanted in dict.fromkeys(self._forms(quote)):
            for at in _wholes(wanted, self.plain.text):
                if found := self._located(quote, Span(at, at + len(wanted)), "normalised"):
                    yield found
        if not _is_short(quote):
            for span in _same_letters(quote, skeleton(self.plain.text)):
                if found := self._located(quote, span, "fuzzy"):
                    yield found

    def _forms(self, quote: str) -> Iterator[str]:
        wanted = normalise(quote).text.strip()
        yield wanted
        # Quotation marks around a quote, and its last full stop, often belong to the quoting text.
        bare = wanted.strip(_EDGES).rstrip(_TAIL)
        if _has_words(bare):
            yield bare

    def _located(self, quote: str, span: Span, how: How) -> Located | None:
        original = Span(*self.plain.original(*span))
        if not is_whole(self._text, *original):
            return None
        if how == "fuzzy":
            # Imported only here and below: few quotes need it, and it takes 5 MB in every parser process.
            from rapidfuzz.fuzz import ratio

            score = ratio(normalise(quote).text.strip(), self.plain.text[span.start : span.end]) / 100
            return Located((original,), "fuzzy", round(score, 4))
        same = self._text[original.start : original.end] == quote
        return Located((original,), "exact" if same else "normalised", 1.0)

    def find_parts(self, parts: list[str]) -> Located | None:
        """Find the parts in order, each at most `_GAP` characters after the one before."""
        if any(len(words(part)) < _PART_WORDS for part in parts):
            return None
        following = [sorted(self._all(part), key=_start) for part in parts[1:]]
        for first in self._all(parts[0]):
            chain = [first]
            for options in following:
                end = chain[-1].end
                at = bisect_left(options, end, key=_start)
                if at == len(options) or options[at].start > end + _GAP:
                    break
                chain.append(options[at])
            else:
                return _joined(chain)
        return None

    def find_damaged(self, quote: str) -> Located | None:
        """Find a quote if optical recognition damaged long words in the quote or in the text."""
        wanted = normalise(quote).text.strip()
        if _is_short(quote) or not _SHORT <= len(wanted) <= min(_OCR_LONGEST, 2 * len(self.plain.text)):
            return None
        from rapidfuzz.fuzz import partial_ratio_alignment

        text = self.plain.text
        best = partial_ratio_alignment(wanted, text, score_cutoff=_OCR_CUTOFF)
        if best is None:
            return None
        start = text.rfind(" ", 0, max(0, best.dest_start - _OCR_MARGIN)) + 1
        end = text.find(" ", best.dest_end + _OCR_MARGIN)
        window = text[start : end if end >= 0 else len(text)]
        for ligature in ("f", ""):
            for span in _same_letters(quote, folded(window, ligature), ligature):
                return self._located(quote, Span(start + span.start, start + span.end), "fuzzy")
        return None


def _same_letters(quote: str, page: Skeleton, ligature: str | None = None) -> Iterator[Span]:
    """Yield the spans where the quote's skeleton occurs in a page's skeleton and the words agree."""
    plain = normalise(quote).text
    wanted = skeleton(plain) if ligature is None else folded(plain, ligature)
    at = page.letters.find(wanted.letters) if wanted.letters else -1
    for _ in range(_TRIES):
        if at < 0:
            return
        end = at + len(wanted.letters)
        span = Span(*page.span(at, end))
        if is_whole(page.text, *span) and agree(wanted, page.part(at, end)):
            yield span
        at = page.letters.find(wanted.letters, at + 1)


def _start(found: Located) -> int:
    return found.start


def _joined(chain: list[Located]) -> Located:
    weakest: How = "exact"
    for how in ("normalised", "fuzzy"):
        if any(found.how == how for found in chain):
            weakest = how
    spans = tuple(span for found in chain for span in found.spans)
    return Located(spans, weakest, min(found.score for found in chain))
