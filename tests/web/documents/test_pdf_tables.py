from deepresearch_mcp.web.documents.pdf_tables import tables
from deepresearch_mcp.web.documents.rows import Row, rows_of
from deepresearch_mcp.web.documents.words import Word


def page(*lines: str) -> list[Row]:
    """Rows of cells such as "72 Sales | 300 4,067", each behind its left edge; letters are five points wide."""
    words: list[Word] = []
    for at, line in enumerate(lines):
        for cell in line.split(" | ") if line else []:
            start, *parts = cell.split()
            left = float(start)
            for part in parts:
                words.append(Word(part, left, left + 5.0 * len(part), 700 - 12.0 * at, 10.0))
                left += 5.0 * len(part) + 3
    return rows_of(words)


def only(rows: list[Row]) -> list[str]:
    [table] = tables(rows)
    return table.markdown.split("\n")


def test_a_head_over_several_columns_stands_in_each() -> None:
    rows = page(
        "320 Three Months Ended | 520 Nine Months Ended",
        "300 2022 | 360 2021 | 420 Change | 500 2022 | 560 2021 | 620 Change",
        "72 iPhone | 300 4,067 | 360 3,957 | 430 3 % | 500 6,286 | 560 5,310 | 630 6 %",
        "72 Mac | 300 7,382 | 360 8,235 | 425 (10)% | 500 8,669 | 560 9,582 | 630 10 %",
    )

    head, rule, first, second = only(rows)

    assert head.split(" | ")[1:3] == ["Three Months Ended 2022", "Three Months Ended 2021"]
    assert head.endswith("Nine Months Ended 2021 | Nine Months Ended Change |")
    assert rule.count("---") == 7
    assert first == "| iPhone | 4,067 | 3,957 | 3% | 6,286 | 5,310 | 6% |"
    assert second == "| Mac | 7,382 | 8,235 | (10)% | 8,669 | 9,582 | 10% |"


def test_a_label_of_two_lines_is_one() -> None:
    rows = page(
        "300 2022",
        "72 Sales | 300 4,067",
        "72 Income before provision for",
        "72 income taxes | 300 3,067",
    )

    assert only(rows)[2:] == ["| Sales | 4,067 |", "| Income before provision for income taxes | 3,067 |"]


def test_a_label_of_a_group_has_a_row_of_its_own() -> None:
    rows = page("300 2022", "72 Assets:", "72 Cash | 300 40", "72 Land | 300 90")

    assert only(rows) == ["|  | 2022 |", "| --- | --- |", "| Assets: |  |", "| Cash | 40 |", "| Land | 90 |"]


def test_heads_stand_over_their_columns_across_several_labels_and_a_long_note() -> None:
    rows = page(
        "72 for each period as follows:",
        "330 Three Months Ended | 510 Nine Months Ended",
        "72 (In Millions, Except Per Share Amounts; Unaudited) | 320 Sep 30, 2023 | 410 Oct 1, 2022 | 510 Sep 30, 2023",
        "72 Net revenue:",
        "72 Client Computing",
        "72 Desktop | 315 2,753 | 400 3,222 | 500 7,002",
        "72 Notebook | 315 4,503 | 400 4,408 | 500 11,806",
    )

    head, _, *body = only(rows)

    assert head.startswith("| (In Millions, Except Per Share Amounts; Unaudited) | Three Months Ended Sep 30, 2023 | ")
    assert head.endswith(" | Nine Months Ended Sep 30, 2023 |")
    assert body[:3] == [
        "| Net revenue: |  |  |  |",
        "| Client Computing |  |  |  |",
        "| Desktop | 2,753 | 3,222 | 7,002 |",
    ]


def test_heads_may_stand_a_little_farther_above_than_rows_stand_apart() -> None:
    rows = page(
        "300 Sep 30, 2023 | 400 Dec 31, 2022", "", "72 Cash | 300 7,621 | 400 11,144", "72 Land | 300 9 | 400 8"
    )
    far = page("300 Sep 30, 2023 | 400 Dec 31, 2022", "", "", "72 Cash | 300 7,621 | 400 9", "72 Land | 300 9 | 400 8")

    assert only(rows)[0] == "|  | Sep 30, 2023 | Dec 31, 2022 |"
    assert only(far)[0] == "|  |  |  |"


def test_a_sentence_with_a_figure_at_its_end_is_no_table() -> None:
    assert tables(page("72 The dues rose to 100 in | 300 2022,", "72 and fell again to | 300 90.")) == []


def test_a_range_of_figures_is_one_cell() -> None:
    rows = page(
        "72 Notes of 2014 | 300 2024 - 2044 | 450 4,000",
        "72 Notes of 2017 | 300 2024 - 2057 | 450 9,000",
    )

    assert only(rows)[-1] == "| Notes of 2017 | 2024 - 2057 | 9,000 |"


def test_a_table_goes_on_behind_a_wider_space() -> None:
    rows = page(
        "300 2022",
        "72 Sales | 300 4,067",
        "72 Cost | 300 1,067",
        [],
        [],
        "72 Tax | 300 267",
    )

    assert only(rows)[-1] == "| Tax | 267 |"
