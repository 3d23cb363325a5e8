from deepresearch_mcp.web.documents.markdown_tables import markdown_table


def test_the_first_row_is_the_head_and_cells_cannot_break_out() -> None:
    rows = [["a", "b"], ["1\n2"], ["x|y", "z", "more"]]

    assert list(markdown_table(rows)) == ["| a | b |", "| --- | --- |", "| 1 2 |  |", "| x\\|y | z | more |"]


def test_no_rows_are_no_table() -> None:
    assert list(markdown_table([])) == []
