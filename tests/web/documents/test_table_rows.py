import pytest

from deepresearch_mcp.web.documents.rows import rows_of
from deepresearch_mcp.web.documents.table_rows import Line, has_figures, read_row
from deepresearch_mcp.web.documents.words import Word


def line(text: str) -> Line:
    """A row of cells such as "72 Sales | 300 $ 4,067", each behind its left edge."""
    words: list[Word] = []
    for cell in text.split(" | "):
        start, *parts = cell.split()
        left = float(start)
        for part in parts:
            words.append(Word(part, left, left + 5.0 * len(part), 700.0, 10.0))
            left += 5.0 * len(part) + 3
    [row] = rows_of(words)
    return read_row(row)


@pytest.mark.parametrize(
    ("row", "label", "cells"),
    [
        ("72 Net sales | 300 $ | 320 82,959 | 400 $ | 420 81,434", "Net sales", ["$82,959", "$81,434"]),
        ("72 Growth | 300 12 | 330 % | 400 (10) | 430 %", "Growth", ["12%", "(10)%"]),
        ("300 1,200 1,300", "", ["1,200", "1,300"]),
        ("72 Term of lease | 300 11.6 years", "Term of lease", ["11.6 years"]),
    ],
)
def test_a_row_is_its_label_and_its_figures_with_their_signs(row: str, label: str, cells: list[str]) -> None:
    found = line(row)

    assert (found.label, [cell.text for cell in found.cells]) == (label, cells)
    assert has_figures(found)


@pytest.mark.parametrize(
    "row", ["300 2022 | 360 2021 | 420 Change", "72 Ice. . . . . . | 300 7", "72 Ice | 300 floats"]
)
def test_heads_and_lists_of_contents_hold_no_figures(row: str) -> None:
    assert not has_figures(line(row))
