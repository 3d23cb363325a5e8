"""Finds text of a PDF page that is drawn invisibly, from the page's operators."""

import re
from typing import Any, NamedTuple, cast

_SUSPECT = re.compile(
    rb"\b[37]\s+Tr\b|\b1(?:\.0*)?\s+g\b|\b(?:1(?:\.0*)?\s+){3}rg\b|\b(?:0(?:\.0*)?\s+){4}k\b"
    rb"|\b(?:1(?:\.0*)?\s+){1,3}scn?\b|\s0?\.\d+\s+Tf\b|\s[01]\s+Tf\b"
)
_SHOWS = frozenset({b"Tj", b"TJ", b"'", b'"'})
_FILLS = frozenset({b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh", b"Do"})
_COLOURS = {b"g": 1.0, b"rg": 1.0, b"sc": 1.0, b"scn": 1.0, b"k": 0.0}
"""Operators that set the fill colour, and the value that makes it white if all components have it."""
_SMALLEST = 1.0
"""Font size in points, after scaling, up to which text counts as invisible."""


class _State(NamedTuple):
    mode: float = 0
    """Text rendering mode: 3 draws nothing, 7 only clips."""
    white: bool = False
    tiny: bool = False


def may_hide(content: bytes) -> bool:
    """Return whether a page's operators can hide text at all. Only then is `Ink` used, which doubles the time."""
    return bool(_SUSPECT.search(content))


class Ink:
    """Follows the operators of one page and removes the text that they draw invisibly.

    Invisible text is in rendering mode 3 or 7, of at most one point, or white where nothing was painted before it.
    """

    def __init__(self) -> None:
        self.hidden = 0
        """Bytes or characters of text that were removed."""
        self._state = _State()
        self._stack: list[_State] = []
        self._painted = False

    def visit(self, operator: bytes, operands: Any, cm: Any, tm: Any) -> None:  # noqa: ANN401 - as pypdf calls it
        """Process one operator before pypdf does."""
        numbers = [float(one) for one in operands if isinstance(one, (int, float))] if operands else []
        if operator == b"q":
            self._stack.append(self._state)
        elif operator == b"Q":
            self._state = self._stack.pop() if self._stack else _State()
        elif operator == b"Tr" and numbers:
            self._state = self._state._replace(mode=numbers[0])
        elif operator in _COLOURS:
            white = bool(numbers) and all(one == _COLOURS[operator] for one in numbers)
            self._state = self._state._replace(white=white)
        elif operator == b"Tf" and numbers:
            self._state = self._state._replace(tiny=abs(numbers[-1]) <= _SMALLEST)
        elif operator in _FILLS and not (self._state.white and operator not in {b"sh", b"Do"}):
            self._painted = True
        elif operator in _SHOWS and self._is_hidden(cm, tm):
            self._empty(operands)

    def _is_hidden(self, cm: list[float], tm: list[float]) -> bool:
        state = self._state
        if state.mode in {3, 7} or (state.white and not self._painted):
            return True
        # Many PDF writers set a size of one point and scale it by the matrix.
        return state.tiny and max(abs(tm[0]), abs(tm[1])) * max(abs(cm[0]), abs(cm[1])) <= _SMALLEST

    def _empty(self, operands: list[Any]) -> None:
        shown = operands[-1]
        if isinstance(shown, list):
            pieces = cast("list[Any]", shown)
            self.hidden += sum(len(piece) for piece in pieces if isinstance(piece, (str, bytes)))
            pieces.clear()
        elif isinstance(shown, (str, bytes)):
            self.hidden += len(shown)
            operands[-1] = cast(Any, type(shown))(shown[:0])
