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
