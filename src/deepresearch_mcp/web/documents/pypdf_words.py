"""Reads the words of PDF pages with pypdf: follows the operators of a page, with the widths of its fonts."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, cast

from deepresearch_mcp.web.documents.ink import Ink
from deepresearch_mcp.web.documents.matrices import SAME, Matrix, matrix_of, point, times, turn_of, upright
from deepresearch_mcp.web.documents.pdfium_words import is_bold
from deepresearch_mcp.web.documents.words import MOST_WORDS, PageWords, Word

_DEEPEST = 6
"""How deep forms may hold forms."""
_MOST_STEPS = 400_000
"""Operators of one page that are followed."""
_MOST_BYTES = 8_000_000
"""Bytes of one page's operators; pypdf needs about forty times as much memory for them."""
_SPACE = 0.18
"""Width of the gap, in font sizes, that separates two words, where the file draws no space."""


class Opened(NamedTuple):
    """A file that pypdf can read."""

    reader: Any
    length: int
    facts: Mapping[str, Any]

    def pages(self, most: int) -> Iterator[PageWords]:
        """Yield the words of at most `most` pages; a broken page has none."""
        for number in range(min(self.length, most)):
            try:
                yield page_words(self.reader.pages[number], self.reader)
            except Exception:  # noqa: BLE001 - pypdf raises a dozen classes; one broken page must not cost the others
                yield PageWords([], [])


def opened(body: bytes) -> Opened | Literal["encrypted", "unparsable"]:
    """Open a file, or tell why it cannot be read."""
    import pypdf
    from pypdf.errors import DependencyError, FileNotDecryptedError

    try:
        reader = pypdf.PdfReader(io.BytesIO(body), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return "encrypted"
        return Opened(reader, len(reader.pages), cast(Mapping[str, Any], reader.metadata or {}))
    except Exception as error:  # noqa: BLE001 - as above, for broken files
        return "encrypted" if isinstance(error, (DependencyError, FileNotDecryptedError)) else "unparsable"


def page_words(page: Any, reader: Any) -> PageWords:  # noqa: ANN401 - objects of pypdf, which is imported late
    """Return the words of a page; invisible text is left out, unless the page has more of it than of other text."""
    from pypdf.generic import ContentStream

    contents = page.get_contents()
    if contents is None or len(contents.get_data()) > _MOST_BYTES:
        return PageWords([], [])
    drawing = _Drawing(reader)
    # Strings are codes of a font, and must stay bytes.
    stream = ContentStream(_object(page["/Contents"]), reader, "bytes")
    drawing.follow(stream.operations, page.get("/Resources"), _State(), 0)
    if not drawing.shown and drawing.failed:
        return PageWords([], page.extract_text().splitlines(), pictures=drawing.pictures)
    seen = sum(len(one.text) for one in drawing.shown if not one.hidden)
    unseen = sum(len(one.text) for one in drawing.shown if one.hidden)
    kept = [one for one in drawing.shown if not one.hidden] if unseen <= seen else drawing.shown
    turn = _upright(kept)
    words = list(_words([_turned(one, turn) for one in kept if one.turn == turn]))
    aside = " ".join(one.text for one in kept if one.turn != turn).strip()
    return PageWords(words, [aside] if aside else [], 0 < unseen <= seen, drawing.pictures)


class _Shown(NamedTuple):
    """A string as one operator shows it."""

    text: str
    x: float
    y: float
    far_x: float
    far_y: float
    size: float
    bold: bool
    turn: int
    hidden: bool


@dataclass(frozen=True, slots=True)
class _State:
    matrix: Matrix = SAME
    font: Any = None
    bold: bool = False
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0


@dataclass(slots=True)
class _Drawing:
    """Follows operators and collects what they show."""

    reader: Any
    shown: list[_Shown] = field(default_factory=list[_Shown])
    pictures: bool = False
    failed: bool = False
    _steps: int = 0
    _ink: Ink = field(default_factory=Ink)
    _fonts: dict[int, Any] = field(default_factory=dict[int, Any])
    _line: Matrix = SAME
    _text: Matrix = SAME

    def follow(self, operations: Sequence[tuple[Any, bytes]], resources: Any, state: _State, depth: int) -> None:  # noqa: ANN401, C901, PLR0912 - an object of a library that is imported late
        """Follow the operators of a page or of a form."""
        resources = _mapping(resources)
        fonts = _mapping(resources.get("/Font"))
        stack: list[_State] = []
        for operands, operator in operations:
            self._steps += 1
            if self._steps > _MOST_STEPS or len(self.shown) > MOST_WORDS * 4:
                return
            try:
                self._ink.follow(operator, operands)
                if operator == b"q":
                    if len(stack) < 500:
                        stack.append(state)
                elif operator == b"Q":
                    state = stack.pop() if stack else state
                elif operator == b"cm":
                    state = replace(state, matrix=times(matrix_of(operands), state.matrix))
                elif operator == b"BT":
                    self._line = self._text = SAME
                elif operator == b"Tf":
                    font, bold = self._font(fonts, operands[0])
                    state = replace(state, font=font, bold=bold, size=float(operands[1]))
                elif operator in _SETTERS:
                    name, scale = _SETTERS[operator]
                    state = replace(state, **{name: float(operands[0]) * scale})
                elif operator in {b"Td", b"TD"}:
                    x, y = float(operands[0]), float(operands[1])
                    if operator == b"TD":
                        state = replace(state, leading=-y)
                    self._move(x, y)
                elif operator == b"Tm":
                    self._line = self._text = matrix_of(operands)
                elif operator == b"T*":
                    self._move(0.0, -state.leading)
                elif operator in {b"Tj", b"'", b'"', b"TJ"}:
                    state = self._show(operator, operands, state)
                elif operator == b"Do":
                    self._draw(_mapping(resources.get("/XObject")), operands[0], resources, state, depth)
                elif operator == b"INLINE IMAGE":
                    self.pictures = True
            except (TypeError, ValueError, IndexError, KeyError, AttributeError, ZeroDivisionError, OverflowError):
                self.failed = True

    def _show(self, operator: bytes, operands: Any, state: _State) -> _State:  # noqa: ANN401 - an object of a library that is imported late
        if operator == b'"':
            state = replace(state, word_spacing=float(operands[0]), spacing=float(operands[1]))
        if operator in {b"'", b'"'}:
            self._move(0.0, -state.leading)
        pieces: Sequence[Any] = operands[0] if operator == b"TJ" else [operands[-1]]
        for piece in pieces:
            if isinstance(piece, (int, float)):
                self._advance(-float(piece) / 1000 * state.size * state.stretch)
            elif isinstance(piece, (bytes, str)):
                self._string(piece, state)
        return state

    def _string(self, value: bytes | str, state: _State) -> None:
        font = state.font
        if font is None or not font.interpretable:
            self.failed = True
            return
        for text, codes in _chunks(value, font):
            wide = sum(font.space_width if code == font.space_char else font.get_text_width(code) for code in codes)
            blanks = sum(code == font.space_char for code in codes)
            width = (
                wide / 1000 * state.size + len(codes) * state.spacing + blanks * state.word_spacing
            ) * state.stretch
            if text.strip():
                self._place(text, width, state)
            self._advance(width)

    def _place(self, text: str, width: float, state: _State) -> None:
        whole = times(self._text, state.matrix)
        size = abs(state.size) * ((whole[2] ** 2 + whole[3] ** 2) ** 0.5)
        x, y = point(whole, 0.0, state.rise)
        # The space between letters is no part of the last one.
        far_x, far_y = point(whole, width - state.spacing * state.stretch, state.rise)
        hidden = self._ink.hides(size)
        turn = turn_of(whole[0], whole[1])
        self.shown.append(_Shown(text, x, y, far_x, far_y, size, state.bold, turn, hidden))

    def _move(self, x: float, y: float) -> None:
        self._line = self._text = times((1.0, 0.0, 0.0, 1.0, x, y), self._line)

    def _advance(self, width: float) -> None:
        a, b, c, d, e, f = self._text
        self._text = (a, b, c, d, e + width * a, f + width * b)

    def _font(self, fonts: Any, name: Any) -> tuple[Any, bool]:  # noqa: ANN401 - an object of a library that is imported late
        from pypdf.generic._font import Font

        found = _object(fonts[name])
        key = id(found)
        if key not in self._fonts:
            # The object is kept with its font: ids are reused.
            self._fonts[key] = (found, Font.from_font_resource(found), is_bold(str(found.get("/BaseFont")).encode()))
        return self._fonts[key][1:]

    def _draw(self, forms: Any, name: Any, resources: Any, state: _State, depth: int) -> None:  # noqa: ANN401 - an object of a library that is imported late
        from pypdf.generic import ContentStream

        form = _object(forms.get(name))
        if form is None or form.get("/Subtype") != "/Form":
            self.pictures = self.pictures or form is not None
            return
        if depth >= _DEEPEST or len(form.get_data()) > _MOST_BYTES:
            return
        matrix = form.get("/Matrix")
        inner = replace(state, matrix=times(matrix_of(matrix), state.matrix)) if matrix else state
        kept = self._line, self._text
        stream = ContentStream(form, self.reader, "bytes")
        self.follow(stream.operations, form.get("/Resources") or resources, inner, depth + 1)
        self._line, self._text = kept


_SETTERS = {
    b"Tc": ("spacing", 1.0),
    b"Tw": ("word_spacing", 1.0),
    b"Tz": ("stretch", 0.01),
    b"TL": ("leading", 1.0),
    b"Ts": ("rise", 1.0),
}


def _chunks(value: bytes | str, font: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - an object of a library that is imported late
    """Yield the words of a string and the spaces between them: their text, and the codes that give their width."""
    if isinstance(value, str):
        codes = value
        texts = list(value)
    elif isinstance(font.encoding, str):
        codes = value.decode(font.encoding, "replace")
        texts = [font.character_map.get(code, code) for code in codes]
    else:
        codes = "".join(map(chr, value))
        signs = (font.encoding.get(byte, chr(byte)) for byte in value)
        texts = [font.character_map.get(sign, sign) for sign in signs]
    start = 0
    for at in range(1, len(texts) + 1):
        if at == len(texts) or texts[at].isspace() != texts[start].isspace():
            yield "".join(texts[start:at]), codes[start:at]
            start = at


def _words(shown: Sequence[_Shown]) -> Iterator[Word]:
    """Yield words: strings that touch on one line are one word."""
    current: Word | None = None
    for one in shown:
        text = one.text.strip()
        if (
            current is not None
            and abs(one.y - current.base) < 0.1 * one.size
            and -0.5 * one.size < one.x - current.right < _SPACE * one.size
            and abs(one.size - current.size) < 0.15 * one.size
            and one.text[:1] == text[:1]
        ):
            current = current._replace(text=current.text + text, right=max(current.right, one.far_x))
            continue
        if current is not None:
            yield current
        current = Word(text, one.x, max(one.far_x, one.x + 0.1), one.y, one.size, one.bold)
    if current is not None:
        yield current


def _upright(shown: Sequence[_Shown]) -> int:
    """Return the direction in which most letters of a page run."""
    turns: dict[int, int] = {}
    for one in shown:
        turns[one.turn] = turns.get(one.turn, 0) + len(one.text)
    return max(turns, key=lambda turn: turns[turn], default=0)


def _turned(one: _Shown, turn: int) -> _Shown:
    (x, y), (far_x, far_y) = upright(one.x, one.y, turn), upright(one.far_x, one.far_y, turn)
    return one._replace(x=x, y=y, far_x=far_x, far_y=far_y)


def _object(value: Any) -> Any:  # noqa: ANN401 - an object of a library that is imported late
    return value.get_object() if value is not None and hasattr(value, "get_object") else value


def _mapping(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - an object of a library that is imported late
    found = _object(value)
    return cast(Mapping[str, Any], found) if isinstance(found, Mapping) else {}
