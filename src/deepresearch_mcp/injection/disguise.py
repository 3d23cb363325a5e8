"""Finds disguised words: unusual letter forms, separated letters, mixed alphabets, ciphers and codes."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from deepresearch_mcp.injection.apart import backwards, parted, set_apart
from deepresearch_mcp.injection.ciphers import codes, is_cipher
from deepresearch_mcp.injection.detect import Planted, merged_stretches
from deepresearch_mcp.injection.lookalikes import LOOKALIKES
from deepresearch_mcp.injection.marks import LIKELY, SURE
from deepresearch_mcp.injection.rules import alternatives
from deepresearch_mcp.text.common_words import common_words
from deepresearch_mcp.text.language import guess

REASON = "is written so that a machine reads it and a person hardly does"
"""Completes the sentence "it …" in messages."""

_LEAST_WORDS = 3
"""Words in odd letters required in a line; one or two may be a brand, a symbol or a phonetic sound."""
_MOSTLY = 0.5
"""Least share of odd letters in such a word; phonetic writing has fewer."""
_MIXED_LETTERS = 3
"""Least letters of a word that mixes two alphabets; shorter ones are units and formulas."""
_DIFFERENT = 6
"""Different letters required among separated ones; a DNA sequence has four."""
_ASCENDING = 0.5
"""With this share of separated letters in alphabetical order, they are an index and not words."""
_SEVERAL, _FEW = 4, 2
"""Different common words required in separated letters: in Latin capitals, as headings have, and otherwise."""
_MARK = re.compile("[\u0300-\u036f\u0590-\u0dff\u0e31-\u0e4e\u1000-\u109f\u1780-\u17ff]")
_COVERED = 0.35
"""Least share of separated letters that common words must cover."""
_LEAST_LETTERS, _MOST_LETTERS = 3, 12
"""Length of these common words, in letters."""
_LONG_RUN = 40
"""Separated lower-case Latin letters without known words that are too many for a heading."""
_LONG_ABROAD = 16
"""Separated letters of another script that are too many for a heading."""
_VOWELS = (0.3, 0.6)
"""Usual share of vowels in words of any language in Latin letters."""
_FLAGS = {0x1F1E6 + at: chr(ord("a") + at) for at in range(26)}
"""Regional indicator symbols → letters."""
_PILED = 6
"""Letters with stacked marks, or words with an asterisk for a letter, required in one line."""
_LONGEST_LINE = 5_000
"""Longest window of a line that is searched at once, in characters."""
_OVERLAP = 500
"""Overlap of two windows, in characters."""
_SENTENCE = 300
"""Most characters added on each side to reach the ends of the sentence."""

_ODD = re.compile(
    "[\u018e\u01dd\u0250-\u02b8\u1d00-\u1d25\u1d2c-\u1dbf\u2071\u207f\u2090-\u209c\u2184\u249c-\u24e9\u2800-\u28ff"
    "\ua730\ua731\ua76d-\ua7ff\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\U0001f110-\U0001f189]"
)
"""Odd letters: small capitals; turned, phonetic, superscript and subscript letters; mathematical, circled, boxed and
full-width letters; Braille."""
_PHONETIC = "\u0250-\u02b8"
_ODD_NOT_PHONETIC = re.compile(_ODD.pattern.replace(_PHONETIC, ""))
_NEVER_PHONETIC = re.compile("[\u018e\u01dd\u0183\u0287\u029e\u1d00-\u1d25\ua730\ua731]")
"""Turned letters and small capitals that phonetic writing does not use; with several of them, the phonetic letters of a
line count as odd too."""
_ODD_WORD = re.compile(r"[^\W\d_]{2,}|[\u2800-\u28ff]{2,}|[\u249c-\u24e9\U0001f110-\U0001f189]{2,}")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LIKE_LATIN = "".join(map(chr, LOOKALIKES))
_MIXED = re.compile(rf"(?:[a-z][{_LIKE_LATIN}]|[{_LIKE_LATIN}][a-z])", re.IGNORECASE)
_LETTER_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_SINGLE = (
    r"[^\W\d_\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[\U0001f1e6-\U0001f1ff\U0001f150-\U0001f189\u24b6-\u24e9]"
)
_STARRED = re.compile(r"[a-zA-Z]\*{1,3}[a-zA-Z]")
"""Asterisks inside a word, in place of letters; Markdown emphasis stands at the ends of words."""
_APART = re.compile(
    rf"(?<![^\W_])(?:(?:{_SINGLE})(?![^\W_])[\s.,·*_~|/-]{{1,4}}){{8,2000}}+(?:(?:{_SINGLE})(?![^\W_]))?"
)
_PILE = re.compile(
    r"\w(?:[\u0300-\u036f\u1dc0-\u1dff\u20d0-\u20ff]{3,}|[\u0332-\u0335\u0337\u0338\u035f\u20d2\u20dd-\u20e0])"
)
_STOP = re.compile(r"[.!?。！？…]\s")
_LINE = re.compile(r"[^\n]+")


def disguised(text: str) -> list[Planted]:
    """Find the sentences or lines with disguised words, in order and regardless of their content.

    Formulas, phonetic writing, sequences, serial numbers and alphabetical indexes are ignored.
    """
    common = common_words("en") | common_words(guess(text))
    found = [one for line in _LINE.finditer(text) for one in _of_line(text, line, common)]
    found += [_stretch(text, *span) for span in codes(text)]
    for match in _APART.finditer(text):
        if _are_words(match.group(), common):
            found.append(_stretch(text, match.start(), match.start() + len(match.group().rstrip()), LIKELY))
    for start, end in set_apart(text):
        if _are_words(text[start:end], common):
            found.append(_stretch(text, start, end, LIKELY))
    found += [Planted(start, end, REASON, SURE) for start, end in parted(text)]
    found += [Planted(start, end, REASON, SURE if sure else LIKELY) for start, end, sure in backwards(text)]
    return merged_stretches(one._replace(confidence=min(one.confidence, _as_named(text, one))) for one in found)


_NAMES_CODES = re.compile(alternatives("disguise.codes"), re.IGNORECASE)
_NEARBY = 600
"""Characters before and after a span that are searched for the name of a code, which a page about codes has."""


def _as_named(text: str, one: Planted) -> float:
    """The highest confidence allowed for a span; it is lower near the name of a code, where examples may stand."""
    around = (text[max(0, one.start - _NEARBY) : one.start], text[one.end : one.end + _NEARBY])
    return LIKELY if any(map(_NAMES_CODES.search, around)) else SURE


def plainly(text: str) -> str:
    """Replace lookalike letters by ordinary ones, to compare the words with lists. Offsets may change."""
    return unicodedata.normalize("NFKC", text).translate(_PLAIN)


_SMALL = str.maketrans(
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abcdefghijklmnoprstuvwyz",
)
_PLAIN = LOOKALIKES | _SMALL


def _of_line(text: str, line: re.Match[str], common: frozenset[str]) -> Iterator[Planted]:
    # A paragraph of HTML is one long line, so search it in overlapping windows.
    for start in range(line.start(), max(line.end() - _OVERLAP, line.start() + 1), _LONGEST_LINE - _OVERLAP):
        yield from _of_window(text, start, min(line.end(), start + _LONGEST_LINE), common)


def _of_window(text: str, start: int, end: int, common: frozenset[str]) -> Iterator[Planted]:
    said = text[start:end]
    if not said.isascii():
        if odd := _in_odd_letters(said):
            yield _stretch(text, start + odd[0], start + odd[1])
        if len(piles := list(_PILE.finditer(said))) >= _PILED:
            yield _stretch(text, start + piles[0].start(), start + piles[-1].end())
        for match in _MIXED.finditer(said):
            if _is_mixed(said, match.start()):
                # Only LIKELY, because a typing error looks the same.
                yield _stretch(text, start + match.start(), start + match.end(), LIKELY)
    if len(stars := list(_STARRED.finditer(said))) >= _PILED:
        yield _stretch(text, start + stars[0].start(), start + stars[-1].end(), LIKELY)
    at = start
    for stop in (*(match.end() for match in _STOP.finditer(said)), len(said)):
        if is_cipher(text[at : start + stop], common):
            yield Planted(at, start + stop, REASON, SURE)
        at = start + stop


def _in_odd_letters(line: str) -> tuple[int, int] | None:
    """The span from the first to the last word in odd letters; None if there are too few."""
    letters = _ODD if len(_NEVER_PHONETIC.findall(line)) >= _LEAST_WORDS else _ODD_NOT_PHONETIC
    if len(letters.findall(line)) < 2 * _LEAST_WORDS:
        return None
    wide = bool(_WIDE.search(line))  # Full-width letters are ordinary among full-width characters.
    odd = [
        match
        for match in _ODD_WORD.finditer(line)
        if len(letters.findall(match.group())) >= _MOSTLY * len(match.group())
        and not (wide and "\uff21" <= match.group()[0] <= "\uff5a")
    ]
    return (odd[0].start(), odd[-1].end()) if len(odd) >= _LEAST_WORDS else None


def _is_mixed(line: str, at: int) -> bool:
    """Whether the word at a position mixes Latin with lookalike letters, and is longer than a unit."""
    low = max(0, at - 30)
    word = next((m.group() for m in _LETTER_WORD.finditer(line, low, at + 30) if m.start() <= at < m.end()), "")
    others = [char for char in word if not _LATIN.match(char)]
    # With letters that resemble no Latin one, it is two words of two languages that ran together.
    return len(word) >= _MIXED_LETTERS and set(others) <= set(_LIKE_LATIN)


def _are_words(letters: str, common: frozenset[str]) -> bool:
    """Whether separated letters spell several words; a heading, a table of months or a peptide does not."""
    plain = unicodedata.normalize("NFKC", letters.translate(_FLAGS)).casefold()
    only = "".join(char for char in plain if char.isalpha() or _MARK.match(char))
    rising = sum(0 < ord(after) - ord(before) <= 2 for before, after in pairwise(only))
    if len(set(only)) < _DIFFERENT or rising >= _ASCENDING * len(only):
        return False
    latin, capitals = bool(_LATIN.match(only)), letters.upper() == letters
    own = common if latin else common_words(guess(only))
    if _holds_words(only, own, _SEVERAL if capitals and latin else _FEW):
        return True
    # Most languages have no word list that works without blanks, so length decides: an order is longer than a heading.
    if latin:
        return not capitals and len(only) >= _LONG_RUN and _VOWELS[0] <= _vowels(only) <= _VOWELS[1]
    return len(only) >= _LONG_ABROAD


def _vowels(letters: str) -> float:
    bare = [char for char in unicodedata.normalize("NFD", letters) if char.isalpha()]
    return sum(char in "aeiouyəıøæœ" for char in bare) / len(bare)


def _holds_words(joined: str, common: frozenset[str], several: int) -> bool:
    """Whether several different common words cover much of a string without blanks."""
    covered, begins = [0] * (len(joined) + 1), [0] * (len(joined) + 1)
    for end in range(1, len(joined) + 1):
        covered[end], begins[end] = covered[end - 1], end - 1
        for size in range(_LEAST_LETTERS, min(end, _MOST_LETTERS) + 1):
            if covered[end - size] + size > covered[end] and joined[end - size : end] in common:
                covered[end], begins[end] = covered[end - size] + size, end - size
    at, words = len(joined), set[str]()
    while at:
        if begins[at] < at - 1:
            words.add(joined[begins[at] : at])
        at = begins[at]
    return len(words) >= several and covered[-1] >= _COVERED * len(joined)


def _stretch(text: str, start: int, end: int, confidence: float = SURE) -> Planted:
    """The sentence or line around a span, as a `Planted`."""
    low = max(0, start - _SENTENCE, text.rfind("\n", 0, start) + 1)
    first = max((match.end() for match in _STOP.finditer(text, low, start)), default=low)
    high = text.find("\n", end)
    high = min(len(text) if high < 0 else high, end + _SENTENCE)
    stop = _STOP.search(text, max(start, end - 1), high)
    return Planted(first, stop.end() if stop else max(end, high), REASON, confidence)
