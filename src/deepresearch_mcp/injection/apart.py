"""Finds letters separated by blanks, signs or invisible characters, and sentences written backwards."""

import re
import unicodedata
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]+")
_LONGEST_LINE = 5_000

_UNSEEN = "\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0"
_JOINERS = "\u00ad\u200c\u200d"
"""Soft hyphens and joiners: legitimate between some letters of a word, never between most of them."""
_HIDES = re.compile(f"[{_UNSEEN}{_JOINERS}]")
_LIKE_BLANKS = "\u0f0b\u0f0c\u1361"
"""Signs that separate words or syllables in Tibetan and Ethiopic."""
_PLAIN_SIGNS = ".,·*_~|/-"
_OF_FORMULAS = "+=<>^&$()[]{}\"'`\\:;−×÷→←↔⇒∈∂∇√±≤≥≠≈∞°’‘“”«»„♭♯"


class _Classes(dict[int, str]):
    """Code point → one letter for the character's kind, so that translation keeps the length of a text."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind(chr(code))
        return kind


def _kind(char: str) -> str:
    """The kind of a character, as one letter.

    l: Latin letter; t: Thai, Lao, Burmese, Khmer or Hangul letter; w: kana or Han; a: other letter; m: combining mark;
    v: virama, a mark that joins letters; z: invisible character; j: soft hyphen or joiner; s: blank; n: line end;
    d: digit; e: plain sign; x: sign of formulas and quotations; o: any other sign.
    """
    if char in "\n" + _LIKE_BLANKS or char.isspace():
        return "n" if char == "\n" else "s"
    if _HIDES.match(char):
        return "j" if char in _JOINERS else "z"
    category = unicodedata.category(char)
    if category[0] == "M" and not "\ufe00" <= char <= "\ufe0f":
        return "v" if unicodedata.combining(char) == 9 else "m"
    if category[0] == "L":
        if "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or char >= "\U00020000":
            return "w"
        unblanked = "\u0e00" <= char <= "\u0eff" or "\u1000" <= char <= "\u109f" or "\u1780" <= char <= "\u17ff"
        if unblanked or "\uac00" <= char <= "\ud7af":
            return "t"
        return "l" if char < "\u0250" or "\u1e00" <= char <= "\u1eff" else "a"
    if category[0] == "N":
        return "d"
    return "e" if char in _PLAIN_SIGNS else "x" if category == "Sm" or char in _OF_FORMULAS else "o"


_CLASSES = _Classes()

_ONE = r"[al](?:[mv]|(?<=v)[alj]){0,8}+"
"""A letter with its marks and the letters that a virama joins to it."""
_WIDE = r"[tw](?:[mv]|(?<=v)[tj]){0,8}+"
_WORD = r"[almvj]++(?:z++[almvj]++)++"
_PARTED = re.compile(
    # Invisible characters in three consecutive gaps between letters; real hyphens and joiners stand between syllables.
    rf"{_ONE}(?:[zj]++{_ONE}){{3,}}+"
    # Scripts without blanks may have invisible characters between words, and words of one letter, so eight in a row.
    rf"|{_WIDE}(?:[zj]++{_WIDE}){{8,}}+"
    # Invisible characters inside each of four words in a row.
    rf"|(?<![almvzj]){_WORD}(?:[sexo]{{1,3}}+{_WORD}){{3,}}+"
)
_SINGLE = r"[alt](?:[mv]|(?<=v)[alt]){0,8}+(?![alt])"
_SET_APART = re.compile(rf"(?<![altmv]){_SINGLE}(?:[senozj]{{1,6}}+{_SINGLE}){{7,}}+")
_LEADS = re.compile(r"(?:(?<=\s)|^)([.,;!?،؛؟।॥։])(?=[^\W\d_][^\s.,;!?])")
_TRAILS = re.compile(r"[^\s.,;!?،؛؟।॥։][.,;:!?،؛؟।॥։…]+[\"”’»)\]]*(?!\S)")
_STOPS = frozenset(".!?؟।॥։")
_LEAST_LEADS = 2
_LEAST_WORDS = 4
_UNBLANKED_LETTERS = 12
"""Single letters required in a script without blanks, where words of one letter are more common."""


def parted(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of lines with invisible characters between the letters of words."""
    if text.isascii() or not _HIDES.search(text):
        return
    for line in _LINE.finditer(text):
        if _HIDES.search(line.group()) and _PARTED.search(line.group().translate(_CLASSES)):
            yield line.span()


def set_apart(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans in which letters stand one by one, separated by blanks or signs of any kind."""
    for match in _SET_APART.finditer(text.translate(_CLASSES)):
        if "t" not in match.group() or match.group().count("t") >= _UNBLANKED_LETTERS:
            yield match.span()


def backwards(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield lines written backwards, with sentence-ending signs before words: start, end, and whether that is sure."""
    for line in _LINE.finditer(text):
        said = line.group()[:_LONGEST_LINE]
        found = list(_LEADS.finditer(said))
        if not found or len(said.split()) < _LEAST_WORDS or _TRAILS.search(said):
            continue
        kinds = said.translate(_CLASSES)
        latin = kinds.count("l") >= sum(map(kinds.count, "atw"))
        leads = [match[1] for match in found if (kinds[match.end()] == "l") is latin]
        sure = len(leads) >= _LEAST_LEADS
        # In Latin letters, names of files and settings begin with a full stop, but never with a comma.
        if _STOPS.isdisjoint(leads) or (latin and not (sure and "," in leads)):
            continue
        if sure or said.lstrip()[0] in _STOPS:
            yield line.start(), line.end(), sure
