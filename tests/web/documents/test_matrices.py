import pytest

from deepresearch_mcp.web.documents.matrices import SAME, Matrix, matrix_of, point, times, turn_of

MOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 3.0, 4.0)
DOUBLED: Matrix = (2.0, 0.0, 0.0, 2.0, 0.0, 0.0)


def test_matrices_work_in_the_order_in_which_they_are_named() -> None:
    assert point(times(MOVED, DOUBLED), 1, 1) == (8, 10)
    assert point(times(DOUBLED, MOVED), 1, 1) == (5, 6)
    assert times(MOVED, SAME) == MOVED


@pytest.mark.parametrize(("a", "b", "turn"), [(1, 0, 0), (0, 1, 1), (-1, 0, 2), (0, -1, 3), (1, 1, -1), (1, 0.01, 0)])
def test_the_direction_of_letters_is_a_quarter_turn_or_none(a: float, b: float, turn: int) -> None:
    assert turn_of(a, b) == turn


@pytest.mark.parametrize("values", [[1, 0, 0, 1, 0], [], ["a"] * 6])
def test_what_is_no_matrix_is_an_error(values: list[object]) -> None:
    with pytest.raises(ValueError, match=r".*"):
        matrix_of(values)
