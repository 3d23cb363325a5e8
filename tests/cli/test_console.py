import ast
import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from deepresearch_mcp.cli import app, console
from deepresearch_mcp.settings.project import FOREIGN


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
    monkeypatch.setenv("LINES", "25")
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
        console.print_text("a → b")

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


def installed_in(folder: Path, *names: str) -> None:
    """A program on the PATH, of some other environment."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).touch(mode=0o755)


def test_the_program_is_called_again_as_it_was_called(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [".venv/bin/deepresearch-mcp"])
    assert console.command() == ".venv/bin/deepresearch-mcp"

    monkeypatch.setattr(sys, "argv", ["/somewhere/__main__.py"])
    assert console.command() == f"{sys.executable} -m deepresearch_mcp"


@pytest.mark.parametrize("name", ["deepresearch-server", "deepresearch-mcp"])
def test_a_link_on_the_path_to_this_program_is_called_by_its_name(name, tmp_path, monkeypatch):
    installed_in(tmp_path / "environment", name)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / name).symlink_to(tmp_path / "environment" / name)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "environment" / name)])

    assert console.command() == name


def test_another_partys_program_of_our_name_is_never_what_we_tell_to_call(tmp_path, monkeypatch):
    installed_in(tmp_path / "theirs", "deepresearch-mcp")
    installed_in(tmp_path / "ours", "deepresearch-mcp")
    monkeypatch.setenv("PATH", str(tmp_path / "theirs"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "ours" / "deepresearch-mcp")])

    assert console.command() == str(tmp_path / "ours" / "deepresearch-mcp")
    assert console.as_called("Run: deepresearch-mcp store migrate") == f"Run: {console.command()} store migrate"


def test_what_is_said_names_the_command_as_it_was_called(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["./deepresearch-server"])

    console.complain("`deepresearch-mcp failed`: upgrade deepresearch-mcp.", "Run: `deepresearch-mcp config init`.")
    console.row("client", "Run: deepresearch-mcp install codex")

    said = capsys.readouterr()
    assert (
        said.err == "`deepresearch-mcp failed`: upgrade deepresearch-mcp.\nRun: `./deepresearch-server config init`.\n"
    )
    assert said.out == "client    Run: ./deepresearch-server install codex\n"
    assert console.called_as() == "deepresearch-server"


def test_in_a_program_that_is_not_the_command_line_messages_keep_the_plain_name(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["agent.py"])

    assert console.as_called("Run: deepresearch-server store migrate") == "Run: deepresearch-server store migrate"
    assert console.called_as() == "deepresearch-server"


def test_no_message_names_a_command_by_the_name_that_another_party_has_too():
    words = "|".join((*app.COMMANDS, *app.GROUPS, "--help", "failed"))
    wrong = re.compile(rf"{FOREIGN} (?:{words})")
    texts = [
        (file.name, node.lineno)
        for file in Path(console.__file__).parents[1].rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and wrong.search(node.value)
    ]

    assert texts == []


def test_every_command_is_told_by_the_name_that_the_user_called(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["./deepresearch-mcp"])

    for name in (*app.COMMANDS, *app.GROUPS):
        assert console.as_called(f"`deepresearch-server {name}`") == f"`./deepresearch-mcp {name}`"
