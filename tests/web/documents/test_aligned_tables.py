from deepresearch_mcp.web.documents.aligned_tables import aligned_tables
from deepresearch_mcp.web.documents.rows import Row, rows_of
from deepresearch_mcp.web.documents.words import Word


def page(*lines: str, step: float = 12.0) -> list[Row]:
    """Rows of cells such as "72 ADAS | 200 Driver assistance"; an empty line leaves a wider space."""
    words: list[Word] = []
    base = 700.0
    for line in lines:
        base -= step if line else step * 0.6
        for cell in line.split(" | ") if line else []:
            start, *parts = cell.split()
            left = float(start)
            for part in parts:
                words.append(Word(part, left, left + 5.0 * len(part), base, 10.0))
                left += 5.0 * len(part) + 3
    return rows_of(words)


def test_terms_and_their_meanings_are_a_table() -> None:
    rows = page("72 ADAS | 200 Driver assistance", "72 IFS | 200 Foundry services", "72 SSD | 200 Solid-state drive")

    [table] = aligned_tables(rows)

    assert table.markdown.split("\n")[2:] == [
        "| ADAS | Driver assistance |",
        "| IFS | Foundry services |",
        "| SSD | Solid-state drive |",
    ]


def test_a_cell_of_several_lines_is_one() -> None:
    rows = page(
        *("72 Share-based | 200 Charges for shares", "72 payments | 200 of employees", ""),
        *("72 Tax | 200 Of this year", "200 and others", "", "72 Rent | 200 Of offices"),
    )

    [table] = aligned_tables(rows)

    assert table.markdown.split("\n")[2:] == [
        "| Share-based payments | Charges for shares of employees |",
        "| Tax | Of this year and others |",
        "| Rent | Of offices |",
    ]


def test_a_sentence_behind_a_table_is_none_of_it() -> None:
    rows = page(
        *("72 a | 200 one", "72 b | 200 two", "72 c | 200 three"),
        "72 This sentence is set over the whole width of the page and belongs to no table.",
    )

    [table] = aligned_tables(rows)

    assert (table.start, table.end) == (0, 3)


def test_paragraphs_and_two_rows_are_no_table() -> None:
    assert aligned_tables(page("72 Ice floats", "72 on water", "72 all year")) == []
    assert aligned_tables(page("72 a | 200 b", "72 c | 200 d")) == []
