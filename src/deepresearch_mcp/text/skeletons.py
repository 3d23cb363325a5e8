"""Reduces texts to what extraction damage does not change: letters, numbers and signs."""

import re
import unicodedata
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from deepresearch_mcp.text.stopwords import word_set


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The letters of a text in one string, with the words they came from."""

    text: str
    """The text that it was made from."""
    letters: str
    begins: "array[int]"
    """For each word, the offset in `letters` at which it begins."""
    starts: "array[int]"
    """For each word, the offset in `text` at which it begins."""
    ends: "array[int]"
    """For each word, the offset in `text` at which it ends."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map a non-empty range of `letters` to a range of `text`."""
        first, last = self._word(start), self._word(end - 1)
        return self._offset(first, start), self._offset(last, end - 1, after=True)

    def part(self, start: int, end: int) -> "Skeleton":
        """Return the skeleton of a range of `letters`."""
        a, b = self.span(start, end)
        first, last = self._word(start), self._word(end - 1) + 1
        begins = array("I", (max(begin, start) - start for begin in self.begins[first:last]))
        starts, ends = self.starts[first:last], self.ends[first:last]
        starts[0], ends[-1] = a, b
        return Skeleton(self.text, self.letters[start:end], begins, starts, ends)

    def words(self) -> list[tuple[int, str]]:
        """Return, for each word, its end in `letters` and its form in `text`."""
        stops = [*self.begins[1:], len(self.letters)]
        return [(stops[i], self.text[self.starts[i] : self.ends[i]]) for i in range(len(stops))]

    def _word(self, at: int) -> int:
        return bisect_right(self.begins, at) - 1

    def _offset(self, word: int, at: int, *, after: bool = False) -> int:
        """Map one character; a word whose letters were changed is indivisible."""
        begin, start, end = self.begins[word], self.starts[word], self.ends[word]
        stop = self.begins[word + 1] if word + 1 < len(self.begins) else len(self.letters)
        if stop - begin != end - start:
            return end if after else start
        return start + at - begin + after


_ATOM = re.compile(
    r"\d{1,3}(?: \d{3})+(?![\d.,]*\d)|\d+(?:[.,:/]\d+)*|[^\W\d_]+|[%$<>=+^]|(?<![^\s(])-(?=\d)|[^\x00-\x7f]"
)
_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)+|[^\W_]+|[%$<>=+^]|(?<![^\s(])-(?=\d)|[^\x00-\x7f]")
_THOUSANDS = re.compile(r"\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?")
_FENCE = "\x1f"
"""Surrounds each number, so that 5 12 does not equal 512."""


@lru_cache(maxsize=4)
def skeleton(text: str) -> Skeleton:
    """Reduce a normalised text. The last four results are cached: a page is searched for many quotes in a row."""
    return _reduced(text, _ATOM, None)


def folded(text: str, ligature: str) -> Skeleton:
    """Reduce a normalised text so that characters that optical recognition confuses become one letter.

    `ligature` replaces fi, fl, ff, ffi and ffl inside a word: "f" if a part of it may be lost, "" if all of it may.
    """
    return _reduced(text, _TOKEN, ligature)


def _reduced(text: str, pattern: re.Pattern[str], ligature: str | None) -> Skeleton:
    pieces: list[str] = []
    begins, starts, ends = array("I"), array("I"), array("I")
    size = 0
    for match in pattern.finditer(text):
        piece = match.group()
        if piece[0].isdigit() and not any(char.isalpha() for char in piece):
            piece = _FENCE + _canonical(piece) + _FENCE
        elif ligature is not None and piece[0].isalnum():
            piece = _fold(piece, ligature)
        elif not piece.isascii() and len(piece) == 1 and not _counts(piece):
            continue
        pieces.append(piece)
        begins.append(size)
        starts.append(match.start())
        ends.append(match.end())
        size += len(piece)
    return Skeleton(text, "".join(pieces), begins, starts, ends)


def _canonical(number: str) -> str:
    return number.replace(",", "").replace(" ", "") if _THOUSANDS.fullmatch(number) else number


def _counts(char: str) -> bool:
    """Tell characters that change the meaning (combining marks, currency and mathematical signs) from punctuation."""
    return char.isalnum() or unicodedata.category(char) in {"Mn", "Mc", "Sc", "Sm"} or char in "°‰"


_CONFUSED = str.maketrans({"1": "l", "i": "l", "|": "l", "0": "o", "5": "s"})
_LIGATURE = re.compile(r"(?<=\w)(?:ffi|ffl|fi|fl|ff)")


def _fold(word: str, ligature: str) -> str:
    word = _LIGATURE.sub(ligature, word).replace("rn", "m").replace("vv", "w").replace("cl", "d")
    return word.translate(_CONFUSED)


_NEGATIONS = word_set(
    "no not nor never none nothing nowhere nobody cannot without neither kein keine nicht nie ne pas sin"
)
_OTHERWISE = word_set("were well ill hell shell wed shed id")
"""Words that result if an apostrophe is lost: we're → were."""
_LONG = 6


def agree(quote: Skeleton, found: Skeleton) -> bool:
    """Return whether two skeletons have the same letters and the same words.

    Words may be joined or split differently, but no negation may appear or vanish. Words spelt differently must be
    long; numbers must be equal.
    """
    if quote.letters != found.letters:
        return False
    one, two = quote.words(), found.words()
    i = j = 0
    while i < len(one) and j < len(two):
        left, right = [one[i]], [two[j]]
        while left[-1][0] != right[-1][0]:
            if left[-1][0] < right[-1][0]:
                i += 1
                left.append(one[i])
            else:
                j += 1
                right.append(two[j])
        i, j = i + 1, j + 1
        if not _same([word for _, word in left], [word for _, word in right]):
            return False
    return True


def _same(left: list[str], right: list[str]) -> bool:
    if left == right:
        return True
    a, b = "".join(left), "".join(right)
    if _denies(left) != _denies(right) or (a == b and len(left) != len(right) and a in _OTHERWISE):
        return False
    if a == b:
        return True
    if a[0].isdigit() or b[0].isdigit():
        return _canonical(a) == _canonical(b)
    return min(len(a), len(b)) >= _LONG and not (_has_digit(a) and _has_digit(b))


def _denies(found: list[str]) -> bool:
    return not _NEGATIONS.isdisjoint(found)


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)
