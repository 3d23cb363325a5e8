"""Writes rows of cells as a Markdown table."""

from collections.abc import Iterable, Iterator, Sequence

MOST_COLUMNS = 100


def markdown_table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; the first row holds the heads of the columns.

    Short rows are filled up to the length of the first one; cells behind it are kept.
    """
    width = 0
    for number, row in enumerate(rows):
        cells = [" ".join(cell.replace("|", "\\|").split()) for cell in row[:MOST_COLUMNS]]
        width = width or len(cells)
        cells += [""] * (width - len(cells))
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"|{' --- |' * len(cells)}"
