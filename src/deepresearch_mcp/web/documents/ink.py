"""Finds text of a PDF page that is drawn invisibly, from the page's operators."""

from typing import Any, NamedTuple

_FILLS = frozenset({b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh", b"Do"})
_COLOURS = {b"g": 1.0, b"rg": 1.0, b"sc": 1.0, b"scn": 1.0, b"k": 0.0}
"""Operators that set the fill colour, and the value that makes it white if all components have it."""
_SMALLEST = 1.0
"""Font size in points, after scaling, up to which text counts as invisible."""


class _State(NamedTuple):
    mode: float = 0
    """Text rendering mode: 3 draws nothing, 7 only clips."""
    white: bool = False


class Ink:
    """Follows the operators of one page, and tells whether text that is shown now can be seen.

    Invisible text is in rendering mode 3 or 7, of at most one point, or white where nothing was painted before it.
    """

    def __init__(self) -> None:
        self._state = _State()
        self._stack: list[_State] = []
        self._painted = False

    def follow(self, operator: bytes, operands: Any) -> None:  # noqa: ANN401 - as pypdf gives them
        """Take note of one operator."""
        if operator == b"q":
            self._stack.append(self._state)
        elif operator == b"Q":
            self._state = self._stack.pop() if self._stack else _State()
        elif operator == b"Tr" and (numbers := _numbers(operands)):
            self._state = self._state._replace(mode=numbers[0])
        elif operator in _COLOURS:
            numbers = _numbers(operands)
            white = bool(numbers) and all(one == _COLOURS[operator] for one in numbers)
            self._state = self._state._replace(white=white)
        elif operator in _FILLS and not (self._state.white and operator not in {b"sh", b"Do"}):
            self._painted = True

    def hides(self, size: float) -> bool:
        """Return whether text of this size, in points on the page, cannot be seen."""
        return self._state.mode in {3, 7} or size <= _SMALLEST or (self._state.white and not self._painted)


def _numbers(operands: Any) -> list[float]:  # noqa: ANN401 - an object of a library that is imported late
    return [float(one) for one in operands if isinstance(one, (int, float))] if operands else []
