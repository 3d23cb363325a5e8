"""Words in disguise: odd letters in the place of ordinary ones, letters set apart, ciphers and codes."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from deepresearch_mcp.injection.apart import backwards, parted, set_apart
from deepresearch_mcp.injection.ciphers import codes, is_cipher
from deepresearch_mcp.injection.detect import Planted
from deepresearch_mcp.injection.marks import LIKELY, SURE
from deepresearch_mcp.text.common_words import common_words
from deepresearch_mcp.text.language import guess

REASON = "is written so that a machine reads it and a person hardly does"
"""For a person: "it …"."""

_LEAST_WORDS = 3
"""Words in odd letters within a line: one or two may be a brand, a sign or a sound."""
_MOSTLY = 0.5
"""Share of odd letters in such a word; in phonetic writing it is smaller."""
_MIXED_LETTERS = 3
"""Letters of a word that mixes two alphabets; shorter ones are units and formulas."""
_DIFFERENT = 6
"""Different letters in a row of single ones: a sequence of bases has four."""
_ASCENDING = 0.5
"""Share of single letters in alphabetical order that tells an index from words."""
_PILED = 6
"""Letters with marks piled on them."""
_LONGEST_LINE = 5_000
_SENTENCE = 300

_ODD = re.compile(
    "[\u018e\u01dd\u0250-\u02b8\u1d00-\u1d25\u1d2c-\u1dbf\u2071\u207f\u2090-\u209c\u2184\u249c-\u24e9\u2800-\u28ff"
    "\ua730\ua731\ua76d-\ua7ff\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\U0001f110-\U0001f189]"
)
"""Small capitals, turned, phonetic, raised and lowered letters; letters of mathematics, in circles and boxes, of full
width; Braille."""
_ODD_WORD = re.compile(r"[^\W\d_]{2,}|[\u2800-\u28ff]{2,}|[\u249c-\u24e9\U0001f110-\U0001f189]{2,}")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LIKE_LATIN = "АВЕКМНОРСТУХаеорсухіїјѕІЈЅԁԛԝһӏѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧοΥϹϲϳᏚᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏙᎳᏃօսհոցզ"
_MIXED = re.compile(rf"(?:[a-z][{_LIKE_LATIN}]|[{_LIKE_LATIN}][a-z])", re.IGNORECASE)
_LETTER_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_SINGLE = (
    r"[^\W\d_\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"|[\U0001f1e6-\U0001f1ff\U0001f150-\U0001f189\u24b6-\u24e9]"
)
_STARRED = re.compile(r"[a-zA-Z]\*{1,3}[a-zA-Z]")
"""A sign within a word in the place of a letter; signs of emphasis stand at its ends."""
_APART = re.compile(
    rf"(?<![^\W_])(?:(?:{_SINGLE})(?![^\W_])[\s.,·*_~|/-]{{1,4}}){{8,2000}}+(?:(?:{_SINGLE})(?![^\W_]))?"
)
_PILE = re.compile(r"\w(?:[\u0300-\u036f\u1dc0-\u1dff\u20d0-\u20ff]{3,}|[\u0332-\u0338\u035f\u20d2\u20dd-\u20e0])")
_STOP = re.compile(r"[.!?。！？…]\s")
_LINE = re.compile(r"[^\n]+")


def disguised(text: str) -> list[Planted]:
    """Find the sentences, or lines, in which words are disguised, in order; whatever they say.

    Formulas, phonetic writing, sequences, serial numbers and indexes of letters are left alone.
    """
    common = common_words("en") | common_words(guess(text))
    found = [one for line in _LINE.finditer(text) for one in _of_line(text, line, common)]
    found += [_stretch(text, *span) for span in codes(text)]
    for match in _APART.finditer(text):
        if _are_words(match.group()):
            found.append(_stretch(text, match.start(), match.start() + len(match.group().rstrip())))
    for start, end in set_apart(text):
        if _are_words(text[start:end]):
            found.append(_stretch(text, start, end))
    found += [Planted(start, end, REASON, SURE) for start, end in parted(text)]
    found += [Planted(start, end, REASON, SURE if sure else LIKELY) for start, end, sure in backwards(text)]
    merged: list[Planted] = []
    for one in sorted(found):
        if merged and one.start <= merged[-1].end:
            last = merged[-1]
            merged[-1] = Planted(last.start, max(one.end, last.end), REASON, max(last.confidence, one.confidence))
        else:
            merged.append(one)
    return merged


def plainly(text: str) -> str:
    """The text in ordinary letters, as far as letters look like others: for comparing its words with lists."""
    return unicodedata.normalize("NFKC", text).translate(_PLAIN)


_LOOKS = str.maketrans(
    "АВЕКМНОРСТУХаеорсухіјѕІЈЅԁΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABEKMHOPCTYXaeopcyxijsIJSdABEZHIKMNOPTYXo",
)
_SMALL = str.maketrans(
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡɩ",
    "abcdefghijklmnoprstuvwyzagi",
)
_PLAIN = {**_LOOKS, **_SMALL}


def _of_line(text: str, line: re.Match[str], common: frozenset[str]) -> Iterator[Planted]:
    start, end = line.start(), min(line.end(), line.start() + _LONGEST_LINE)
    said = text[start:end]
    if not said.isascii():
        if _in_odd_letters(said) or len(_PILE.findall(said)) >= _PILED:
            yield Planted(start, line.end(), REASON, SURE)
        for match in _MIXED.finditer(said):
            if _is_mixed(said, match.start()):
                # A slip of the keyboard does it too.
                yield _stretch(text, start + match.start(), start + match.end(), LIKELY)
    if len(_STARRED.findall(said)) >= _PILED:
        yield Planted(start, line.end(), REASON, LIKELY)
    at = start
    for stop in (*(match.end() for match in _STOP.finditer(said)), len(said)):
        if is_cipher(text[at : start + stop], common):
            yield Planted(at, start + stop, REASON, SURE)
        at = start + stop


def _in_odd_letters(line: str) -> bool:
    if len(_ODD.findall(line)) < 2 * _LEAST_WORDS:
        return False
    wide = bool(_WIDE.search(line))  # Letters of full width are ordinary among characters as wide.
    odd = [
        word
        for word in _ODD_WORD.findall(line)
        if len(_ODD.findall(word)) >= _MOSTLY * len(word) and not (wide and "\uff21" <= word[0] <= "\uff5a")
    ]
    return len(odd) >= _LEAST_WORDS


def _is_mixed(line: str, at: int) -> bool:
    """Whether the word at a place holds letters of two alphabets that look alike, and is longer than a unit."""
    low = max(0, at - 30)
    word = next((m.group() for m in _LETTER_WORD.finditer(line, low, at + 30) if m.start() <= at < m.end()), "")
    others = [char for char in word if not _LATIN.match(char)]
    # Other letters that look like nothing in Latin: two words of two languages that ran together.
    return len(word) >= _MIXED_LETTERS and set(others) <= set(_LIKE_LATIN)


def _are_words(letters: str) -> bool:
    only = [char for char in unicodedata.normalize("NFKC", letters).casefold() if char.isalpha()]
    if not only:  # Letters that are flags.
        return len(set(letters)) >= _DIFFERENT
    rising = sum(0 < ord(after) - ord(before) <= 2 for before, after in pairwise(only))
    return len(set(only)) >= _DIFFERENT and rising < _ASCENDING * len(only)


def _stretch(text: str, start: int, end: int, confidence: float = SURE) -> Planted:
    """The sentence, or the line, around some words."""
    low = max(0, start - _SENTENCE, text.rfind("\n", 0, start) + 1)
    first = max((match.end() for match in _STOP.finditer(text, low, start)), default=low)
    high = text.find("\n", end)
    high = min(len(text) if high < 0 else high, end + _SENTENCE)
    stop = _STOP.search(text, max(start, end - 1), high)
    return Planted(first, stop.end() if stop else max(end, high), REASON, confidence)
