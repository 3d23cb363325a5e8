"""Reads the words of a PDF page with pypdfium2."""

import ctypes
import math
import re
from contextlib import closing
from types import ModuleType
from typing import Any, NamedTuple

from deepresearch_mcp.web.documents.matrices import turn_of
from deepresearch_mcp.web.documents.words import MOST_WORDS, PageWords, Word

_TOKEN = re.compile("[^\\s\x00\ufffe\x02]+[\ufffe\x02]?")
"""A word, or the part of it before a hyphen at the end of a line, which pdfium gives as one of two signs."""
_INVISIBLE_MODES = frozenset({3, 7})
_SMALLEST = 1.0
"""Font size in points up to which text counts as invisible."""
_WHITE = (255, 255, 255)
_PAINTED = frozenset({2, 3, 4, 5})
"""Kinds of page objects that may lie under white letters: path, picture, shading, form."""
_IMAGE = 3
_MOST_OBJECTS = 5_000
"""Page objects that are looked at for paint and pictures."""


class _Style(NamedTuple):
    size: float
    bold: bool
    turn: int
    """Direction of reading in quarter turns, anticlockwise; -1 for any other direction."""
    invisible: bool
    white: bool


def page_words(pdfium: ModuleType, page: Any) -> PageWords:  # noqa: ANN401 - pypdfium2 is imported only if installed
    """Return the words of a page. `pdfium` is the module `pypdfium2`.

    Left out is text in an invisible mode, of at most one point, and white text on a page that paints nothing. If the
    page has more such text than other, it is a scan with recognised text, which is kept.
    """
    raw = pdfium.raw
    with closing(page.get_textpage()) as text:
        return _Reader(raw, text, page).words()


class _Reader:
    def __init__(self, raw: Any, text: Any, page: Any) -> None:  # noqa: ANN401 - an object of a library that is imported late
        self._raw, self._text = raw, text
        self._styles: dict[int, _Style] = {}
        self._turn = int(page.get_rotation()) // 90 % 4
        self._width, self._height = page.get_size()
        self._kinds = self._kinds_of(page)

    def words(self) -> PageWords:
        # A page and its text may disagree about where letters are turned; most of the letters decide.
        content = self._content()
        found: list[tuple[str, float, float, float, _Style]] = []
        turns: dict[int, int] = {}
        for match in _TOKEN.finditer(content):
            if len(found) >= MOST_WORDS:
                break
            one = self._word(match)
            if one is not None:
                found.append(one)
                turns[one[-1].turn] = turns.get(one[-1].turn, 0) + len(one[0])
        unseen = sum(len(one[0]) for one in found if self._hides(one[-1]))
        seen = sum(len(one[0]) for one in found) - unseen
        scanned = unseen > seen
        upright = max(turns, key=lambda turn: turns[turn], default=0)
        words: list[Word] = []
        aside: list[str] = []
        for word, x, y, right, style in found:
            if not scanned and self._hides(style):
                continue
            if style.turn == upright:
                words.append(self._placed(word, x, y, right, style, upright))
            else:
                aside.append(word)
        return PageWords(words, [" ".join(aside)] if aside else [], bool(unseen) and not scanned, _IMAGE in self._kinds)

    def _hides(self, style: _Style) -> bool:
        return style.invisible or (style.white and not self._kinds & _PAINTED)

    def _content(self) -> str:
        content: str = self._text.get_text_range()
        count = self._text.count_chars()
        if len(content) == count:
            return content
        unicode = self._raw.FPDFText_GetUnicode
        return "".join(_letter(unicode(self._text, at)) for at in range(min(count, MOST_WORDS * 10)))

    def _word(self, match: re.Match[str]) -> tuple[str, float, float, float, _Style] | None:
        raw, text = self._raw, self._text
        first, last = match.start(), match.end() - 1
        word = match[0].replace("\ufffe", "-").replace("\x02", "-")
        x, y = ctypes.c_double(), ctypes.c_double()
        if not raw.FPDFText_GetCharOrigin(text, first, x, y):
            return None
        sides = [ctypes.c_double() for _ in range(4)]
        if not raw.FPDFText_GetCharBox(text, last, *sides):
            return None
        style = self._style(first)
        if style.turn in {1, 3}:
            far = sides[3].value if style.turn == 1 else sides[2].value
        else:
            far = sides[1].value if style.turn != 2 else sides[0].value
        return word, x.value, y.value, far, style

    def _placed(self, word: str, x: float, y: float, far: float, style: _Style, turn: int) -> Word:
        if turn == 1:  # the letters run upwards
            left, right, base = y, far, -x
        elif turn == 3:
            left, right, base = -y, -far, x
        elif turn == 2:
            left, right, base = -x, -far, -y
        else:
            left, right, base = x, far, y
        return Word(word, left, max(right, left + 0.1), base, style.size, style.bold)

    def _style(self, at: int) -> _Style:
        raw, text = self._raw, self._text
        drawn = raw.FPDFText_GetTextObject(text, at)
        key = ctypes.cast(drawn, ctypes.c_void_p).value or 0
        if key and key in self._styles:
            return self._styles[key]
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, at, matrix)
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        size = abs(raw.FPDFText_GetFontSize(text, at)) * scale
        style = _Style(
            size=size,
            bold=self._is_bold(at),
            turn=turn_of(matrix.a, matrix.b),
            invisible=size <= _SMALLEST
            or (bool(drawn) and raw.FPDFTextObj_GetTextRenderMode(drawn) in _INVISIBLE_MODES),
            white=self._is_white(at),
        )
        if key:
            self._styles[key] = style
        return style

    def _is_bold(self, at: int) -> bool:
        name = ctypes.create_string_buffer(80)
        self._raw.FPDFText_GetFontInfo(self._text, at, name, 80, None)
        return is_bold(name.value)

    def _is_white(self, at: int) -> bool:
        parts = [ctypes.c_uint() for _ in range(4)]
        if not self._raw.FPDFText_GetFillColor(self._text, at, *parts):
            return False
        return tuple(one.value for one in parts[:3]) == _WHITE

    def _kinds_of(self, page: Any) -> frozenset[int]:  # noqa: ANN401 - an object of a library that is imported late
        raw = self._raw
        count = min(raw.FPDFPage_CountObjects(page), _MOST_OBJECTS)
        return frozenset(raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, at)) for at in range(max(count, 0)))


def is_bold(name: bytes) -> bool:
    """Return whether the name of a font says that its letters are bold."""
    low = name.lower()
    return b"bold" in low or b"black" in low or b"heavy" in low or low.endswith(b"-bd") or b"cmbx" in low


def _letter(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "
