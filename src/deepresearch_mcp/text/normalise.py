"""Normalises a text so that typography, spacing and Markdown marks no longer matter, and maps back to the original."""

import re
import unicodedata
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field


def _no_ends() -> dict[int, int]:
    return {}


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normalised text with the original offset of each character."""

    text: str
    index: "array[int]"
    """For each character of `text`, the offset in the original at which it starts; then the original's length."""
    ends: Mapping[int, int] = field(default_factory=_no_ends, repr=False)
    """The original end of each character after which something was dropped."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of `text` to offsets in the original; `end` is exclusive in both.

        Text dropped before the first or after the last character is not included. So the span may hold half a link,
        such as "[words", which is not a link by itself.
        """
        first = self.index[start]
        if end <= start:
            return first, first
        return first, self.ends.get(end - 1, self.index[end])


def normalise(text: str) -> Normalised:
    """Normalise a text to the form in which quotes are compared.

    The text is NFKC-normalised and casefolded. Every run of white space becomes one space, every quotation mark ' or ",
    every dash a hyphen-minus. Soft hyphens, zero-width characters and byte order marks are dropped. A word hyphenated
    across a line break is joined. Markdown marks are dropped where they are only marks (emphasis, code, links, escapes,
    and headings, list and quotation marks at the start of a line). Superscript digits after a digit become "^2" and a
    fraction after a digit " 1/2", so that no number turns into another. The time is linear in the length of the text.
    """
    writer = _Writer(text)
    drops = link_marks(text) if "](" in text else {}
    at = _line_marks(text, 0)
    search = _SPECIAL.search
    while match := search(text, at):
        writer.copy(at, match.start())
        at = _special(writer, match, drops)
    writer.copy(at, len(text))
    return writer.done()


_DROPPED = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_SINGLE = "‘’‚‛′‹›´ʼ＇"
_DOUBLE = "“”„‟″«»〝〞〟＂"
_DASHES = "‐‑‒–—―−⁃﹘﹣－⸺⸻"
_RAISED = "⁰¹²³⁴-⁹"
_FRACTIONS = "¼-¾⅐-⅞"
_SPECIAL = re.compile(
    rf"(?P<break>[-\u00ad‐][ \t]*\r?\n[ \t]*)"
    rf"|(?P<space>\s\s+|[^\S ])"
    rf"|(?P<emphasis>[*_`]+(?:~~[*_`]*)?|~~[*_`~]*)"
    rf"|(?P<escape>\\(?=[\\`*_{{}}\[\]()#+\-.!|<>~]))"
    rf"|(?P<bracket>!?\[|\])"
    rf"|(?P<dropped>[{_DROPPED}]+)"
    rf"|(?P<other>[{_SINGLE}{_DOUBLE}{_DASHES}{_RAISED}{_FRACTIONS}！-～])"
)
_OTHER = {
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_DASHES, "-"),
}
_LINE_MARKS = re.compile(r"(?:(?:>|\#{1,6}|[-*+•‣◦▪])[ \t]++|>)++")


def _line_marks(text: str, at: int) -> int:
    """Return the offset after the marks that open a line (of a heading, a list item or a quotation)."""
    match = _LINE_MARKS.match(text, at)
    return match.end() if match else at


def _special(writer: "_Writer", match: re.Match[str], drops: Mapping[int, int]) -> int:
    """Write the normalised form of a special match; return the offset where reading continues."""
    text, start, end = match.string, match.start(), match.end()
    match match.lastgroup:
        case "break":
            if start and text[start - 1].isalpha() and text[end : end + 1].islower():
                return end
            writer.put("" if text[start] == "\u00ad" else "-", start, start + 1)
            return start + 1
        case "space":
            writer.put(" ", start, end)
            return _line_marks(text, end) if "\n" in match.group() else end
        case "emphasis":
            _put_emphasis(writer, match)
        case "escape":
            writer.copy(end, end + 1)
            return end + 1
        case "bracket":
            if start in drops:
                return drops[start]
            writer.put(match.group(), start, end)
        case "other":
            writer.put(_plain_other(text, start), start, end)
        case _:
            pass
    return end


def _put_emphasis(writer: "_Writer", match: re.Match[str]) -> None:
    """Keep a run of * _ ` ~ only if it is no mark: free-standing, or inside a word or formula."""
    text, start, end, run = match.string, match.start(), match.end(), match.group()
    before, after = text[start - 1 : start], text[end : end + 1]
    inside_word = before.isalnum() and after.isalnum()
    free = (not before or before.isspace()) and (not after or after.isspace())
    if inside_word and run == "`":
        writer.put("'", start, end)
    elif free or (inside_word and not _splits_word(run, before, after)):
        writer.put(run, start, end)


def _splits_word(run: str, before: str, after: str) -> bool:
    """Return whether a run is emphasis that begins or ends inside a word, unlike a_name, 2*3 and 2**3."""
    return len(run) > 1 and "_" not in run and before.isalpha() and after.isalpha()


def _plain_other(text: str, at: int) -> str:
    char = text[at]
    if plain := _OTHER.get(char):
        return plain
    if "！" <= char <= "～":
        return chr(ord(char) - 0xFEE0).lower()
    plain = unicodedata.normalize("NFKC", char).replace("\u2044", "/")
    if at and text[at - 1].isnumeric():
        if "/" in plain:
            return " " + plain
        return plain if text[at - 1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" else "^" + plain
    return plain


_TARGET = re.compile(
    r"\]\(\s{0,8}(?:<[^<>\n]{0,2000}>|[^()\s]{0,2000}+(?:\([^()\s]{0,200}+\)[^()\s]{0,200}+){0,4})"
    r"(?:\s{1,8}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,8}\)"
)
_BRACKET = re.compile(r"!?\[|\]")


def link_marks(text: str) -> dict[int, int]:
    """Find the marks of links and images: the offset of each mark → the offset where the text continues after it."""
    marks: dict[int, int] = {}
    open_at: list[re.Match[str]] = []
    at = 0
    while match := _BRACKET.search(text, at):
        at = match.end()
        if match.group() != "]":
            open_at.append(match)
        elif open_at:
            opening = open_at.pop()
            if target := _TARGET.match(text, match.start()):
                marks[opening.start()] = opening.end()
                marks[match.start()] = at = target.end()
    return marks


_PIECE = 256
"""The most characters that are folded at once."""
_CLUSTER = 32
"""The longest run of combining marks that is composed with its base: longer ones would cost quadratic time."""


class _Writer:
    """Collects normalised text together with its index."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._every = array("I", range(len(text) + 1))
        self._parts: list[str] = []
        self._index = array("I")
        self._ends: dict[int, int] = {}
        self._reached = 0

    def put(self, plain: str, start: int, end: int) -> None:
        """Write `plain` in place of the original's [start, end)."""
        if not plain:
            return
        self._gap(start)
        self._parts.append(plain)
        size = len(self._index)
        self._index.extend([start] * len(plain))
        for offset in range(size, size + len(plain) - 1):
            self._ends[offset] = end
        self._reached = end

    def copy(self, start: int, end: int) -> None:
        """Write the original's [start, end), NFKC-normalised and casefolded."""
        if start >= end:
            return
        piece = self._text[start:end]
        if piece.isascii():
            self._same(piece.lower(), start, end)
            return
        while start < end:
            stop = min(end, start + _PIECE)
            while start + _PIECE - _CLUSTER < stop < end and unicodedata.combining(self._text[stop]):
                stop -= 1
            self._fold(start, stop)
            start = stop

    def done(self) -> Normalised:
        self._gap(len(self._text))
        self._index.append(len(self._text))
        return Normalised("".join(self._parts), self._index, self._ends)

    def _gap(self, start: int) -> None:
        """Record the end of the last character if something was dropped after it."""
        if start > self._reached and self._index:
            self._ends[len(self._index) - 1] = self._reached

    def _same(self, plain: str, start: int, end: int) -> None:
        self._gap(start)
        self._parts.append(plain)
        self._index.extend(self._every[start:end])
        self._reached = end

    def _fold(self, start: int, end: int) -> None:
        piece = self._text[start:end]
        if unicodedata.is_normalized("NFKC", piece):
            plain = piece.casefold()
            if len(plain) == len(piece) and unicodedata.is_normalized("NFKC", plain):
                self._same(plain, start, end)
                return
        at = start
        while at < end:
            stop = at + 1
            while stop < end and stop - at < _CLUSTER and _joins(self._text[stop]):
                stop += 1
            folded = unicodedata.normalize("NFKC", self._text[at:stop]).casefold()
            plain = unicodedata.normalize("NFKC", folded)
            self.put(plain, at, stop)
            at = stop


def _joins(char: str) -> bool:
    """Return whether a character composes with the one before it (combining marks, Hangul vowels and finals)."""
    return bool(unicodedata.combining(char)) or "\u1160" <= char <= "\u11ff" or char in "\uff9e\uff9f"
