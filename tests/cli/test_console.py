import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from deepresearch_mcp.cli import console


class Terminal(io.StringIO):
    """A stream behind which somebody sits."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_what_is_said_goes_to_standard_error_and_holds_no_markup():
    out, err = io.StringIO(), io.StringIO()

    with redirect_stdout(out), redirect_stderr(err):
        console.say("[bold]a path/with [brackets][/bold]", "second", style="note")

    assert out.getvalue() == ""
    assert err.getvalue() == "[bold]a path/with [brackets][/bold]\nsecond\n"


def test_a_name_between_colons_is_no_sign():
    err = Terminal()

    with redirect_stderr(err):
        console.say("model openai:m: it cannot be reached")

    assert "openai:m:" in err.getvalue()


def test_a_long_line_is_broken_for_a_reader_but_not_where_it_is_copied(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    line = "word " * 20

    def lines(**how: bool) -> int:
        err = Terminal()
        with redirect_stderr(err):
            console.say(line, **how)
        return err.getvalue().strip().count("\n")

    assert lines() == 2
    assert lines(whole=True) == 0


def test_a_row_is_broken_between_words_below_its_text_and_never_inside_of_a_path(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "dumb")
    terminal, plain = Terminal(), io.StringIO()
    path = "/a/path/that-is-longer/than-the-whole-terminal/is.json"

    with redirect_stdout(terminal):
        console.row("Data", f"is kept in the folder of the user at {path}")
    with redirect_stdout(plain):
        console.row("Data", "word " * 20)

    lines = terminal.getvalue().splitlines()
    assert lines[0] == "Data      is kept in the folder of the"
    assert all(line.startswith(" " * 10) for line in lines[1:])
    assert path in terminal.getvalue()
    assert plain.getvalue().count("\n") == 1


def test_an_object_is_one_line_in_any_encoding():
    def emitted(encoding: str) -> str:
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding=encoding)
        with redirect_stdout(stream):
            console.emit({"a": "é→"})
        return raw.getvalue().decode(encoding)

    assert emitted("utf-8") == '{"a": "é→"}\n'
    assert json.loads(emitted("ascii")) == {"a": "é→"}


def test_a_stream_that_cannot_show_a_character_is_no_end():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    with redirect_stdout(stream), redirect_stderr(io.StringIO()):
        console.prepare_streams()
        console.write("a → b")

    assert raw.getvalue() == b"a ? b\n"


def test_a_report_is_drawn_for_a_reader_and_left_as_it_is_for_a_program(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    plain, terminal = io.StringIO(), Terminal()

    with redirect_stdout(plain):
        console.show_markdown("# Title\n\nWords *here*.")
    with redirect_stdout(terminal):
        console.show_markdown("# Title\n\nWords *here*.")

    assert plain.getvalue() == "# Title\n\nWords *here*.\n"
    assert "Title" in terminal.getvalue()
    assert "*here*" not in terminal.getvalue()


def test_a_complaint_without_advice_is_one_line(capsys):
    console.complain("Wrong.", "")

    assert capsys.readouterr().err == "Wrong.\n"


def test_the_program_is_called_again_as_it_was_called(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [".venv/bin/deepresearch-mcp"])
    assert console.command() == ".venv/bin/deepresearch-mcp"

    monkeypatch.setattr(sys, "argv", ["/somewhere/__main__.py"])
    assert console.command() == f"{sys.executable} -m deepresearch_mcp"

    (tmp_path / "deepresearch-mcp").touch(mode=0o755)
    assert console.command() == "deepresearch-mcp"
