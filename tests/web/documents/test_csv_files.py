import pytest

from deepresearch_mcp.web.documents.csv_files import parse_csv, separator_of


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("a,b\n1,2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ('a;b\n"x|y";3,5', "| a | b |\n| --- | --- |\n| x\\|y | 3,5 |"),
        ("a\tb\n\n1\t2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("a\n1", "| a |\n| --- |\n| 1 |"),
    ],
)
def test_rows_become_a_table(text: str, table: str) -> None:
    assert parse_csv(text, 1_000) == {"kind": "csv", "text": table, "flags": []}


def test_a_long_file_is_cut_between_rows() -> None:
    page = parse_csv("a,b\n" + "1,2\n" * 99, 60)

    assert page.get("text", "").endswith("| 1 | 2 |")
    assert page.get("flags") == ["truncated"]


def test_an_empty_file_has_no_rows() -> None:
    assert parse_csv("\n \n", 100).get("reason") == "empty"


def test_the_separator_stands_equally_often_in_each_line() -> None:
    assert separator_of("a;b,c;d\n1;2;3\n4;5,6;7") == ";"
    assert separator_of("words alone") == ","
