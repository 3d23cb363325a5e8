"""Matrices of printed pages: where points come to lie, and in which direction letters run."""

from collections.abc import Iterable
from typing import Any, cast

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def turn_of(a: float, b: float) -> int:
    """Return the direction of reading in quarter turns, anticlockwise; -1 for any other direction."""
    if abs(b) <= abs(a) * 0.05:
        return 0 if a >= 0 else 2
    if abs(a) <= abs(b) * 0.05:
        return 1 if b > 0 else 3
    return -1


def matrix_of(values: Iterable[Any]) -> Matrix:
    """Return the first six numbers as a matrix.

    Raises:
        ValueError: There are fewer, or they are no numbers.
    """
    numbers = [float(one) for one in list(values)[:6]]
    if len(numbers) != 6:
        raise ValueError(numbers)
    return cast(Matrix, tuple(numbers))


def times(one: Matrix, other: Matrix) -> Matrix:
    """Return the matrix that does `one` first and `other` then."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Return where a point comes to lie."""
    a, b, c, d, e, f = matrix
    return x * a + y * c + e, x * b + y * d + f


def upright(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return where a point of text lies that runs in the direction `turn`, once the page is turned upright."""
    return {1: (y, -x), 2: (-x, -y), 3: (-y, x)}.get(turn, (x, y))
