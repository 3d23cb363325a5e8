from rich.console import Console

from deepresearch_mcp.cli.drawing import drawn


def test_headings_stand_at_the_left_and_marks_stay():
    console = Console(width=60, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115 - kept open while it draws

    console.print(drawn("# Title\n\nA fact [1][2].\n\n## Part\n\n- [1] “x” [↗](<http://a.example/#:~:text=x>)\n"))

    lines = [line.rstrip() for line in console.export_text().splitlines()]
    assert "Title" in lines
    assert "A fact [1][2]." in lines
    assert "Part" in lines
    assert any("“x” ↗" in line for line in lines)
    console.file.close()


def lines_of(text: str, width: int) -> list[str]:
    console = Console(width=width, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115 - kept open while it draws
    console.print(drawn(text))
    found = [line.rstrip() for line in console.export_text().splitlines()]
    console.file.close()
    return found


LONG = "prefix, phrase, near and boolean queries over a virtual table"


def test_a_table_with_more_columns_than_fit_is_listed_row_by_row_and_no_word_is_lost():
    heads = ["Database", "Search", "JSON", "Migrations", "Writers", "Django"]
    rows = [["SQLite", LONG, LONG, LONG, "–", "`select_for_update()`"], ["Other", LONG, LONG, LONG, LONG, "x [1]"]]
    text = "\n".join(f"| {' | '.join(one)} |" for one in (heads, ["---"] * 6, *rows))

    lines = lines_of(text, 80)

    assert "SQLite" in lines
    assert "  Writers: –" in lines
    assert "  Django: select_for_update()" in lines
    assert "  Django: x [1]" in lines
    assert sum("Search: prefix, phrase, near and boolean queries over a virtual table" in line for line in lines) == 2


def test_a_table_that_fits_is_a_table_whose_long_rows_stand_apart():
    small = lines_of("| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |", 60)
    large = lines_of(f"| A | B | C |\n| --- | --- | --- |\n| 1 | {LONG} | x |\n| 3 | {LONG} | y |", 70)

    assert any(line.split() == ["A", "B"] for line in small)
    assert [line.split() for line in small if line.strip()[:1] in {"1", "3"}] == [["1", "2"], ["3", "4"]]
    first, second = (next(at for at, line in enumerate(large) if line.strip().startswith(label)) for label in "13")
    assert "" in large[first:second]


def test_code_has_no_box_of_its_own_in_a_light_terminal():
    console = Console(width=60, force_terminal=True, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115 - kept open while it draws

    console.print(drawn("Use `x`."))

    assert "\x1b[36mx\x1b[0m" in console.export_text(styles=True)
    console.file.close()
