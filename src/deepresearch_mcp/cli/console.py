"""Writes results to standard output and everything else to standard error."""

import io
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, quoted

if TYPE_CHECKING:
    from rich.console import Console

NAME = DISTRIBUTION
"""The program's name in messages; `as_called` replaces it with what the user can type."""

_SUBCOMMANDS = (
    "config", "demo", "doctor", "eval", "install", "library", "report", "research", "runs", "serve", "store", "token",
    "ui", "verify", "worker",
)  # fmt: skip
_CALL = re.compile(rf"(?<![\w./\\-])(?:{'|'.join(COMMANDS)})(?= (?:--help|(?:{'|'.join(_SUBCOMMANDS)})\b))")

WIDEST = 100
"""Most columns of prose, however wide the terminal: longer lines are hard to read."""


def prepare_streams() -> None:
    """Replace characters and bytes that the streams cannot encode or decode, instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # An input that was already read from cannot change its decoder.
            with suppress(io.UnsupportedOperation):
                reconfigure(errors="replace")


def piped_text(errors: str = "replace") -> str:
    """Return all of standard input, read as UTF-8 whatever the locale, without a byte-order mark."""
    buffer = getattr(sys.stdin, "buffer", None)
    return buffer.read().decode("utf-8-sig", errors) if buffer else sys.stdin.read()


@cache
def _theme() -> Any:  # noqa: ANN401 - rich is loaded only when something is shown

    return lazy.rich_theme.Theme(
        {
            "ok": "green",
            "bad": "red",
            "note": "yellow",
            "dim": "bright_black",
            "head": "bold",
            "markdown.h1": "bold",
            "markdown.h2": "bold cyan",
            "markdown.link": "cyan",
            "markdown.item.bullet": "bright_black",
        }
    )


def err() -> "Console":
    """Return a new console on the current standard error: tests and pipes replace the streams."""
    # No emoji: rich would replace `:m:` in the name `openai:m:x`.
    return lazy.rich_console.Console(stderr=True, theme=_theme(), highlight=False, soft_wrap=False, emoji=False)


def out() -> "Console":
    """Return a new console on the current standard output."""
    return lazy.rich_console.Console(theme=_theme(), highlight=False, emoji=False)


def say(*lines: str, style: str = "", whole: bool = False) -> None:
    """Write plain lines for the user to standard error, without interpreting markup.

    With `whole`, lines are not wrapped, so that the user can copy paths and commands.
    """
    console = err()
    for line in lines:
        # Without a terminal, a program reads the lines: do not wrap them.
        said = as_called(line)
        # A command that `as_called` replaced is copied whole.
        unbroken = whole or said != line or not console.is_terminal
        console.print(said, style=style or None, markup=False, soft_wrap=unbroken)


def row(name: str, text: str, *, style: str = "", column: int = 10) -> None:
    """Write a name and its text to standard output; on a terminal, further lines are indented like the first."""
    console, text = out(), as_called(text)
    console.print(f"{name:<{column}}", style=style or None, markup=False, end="")
    if console.is_terminal:
        # Break only at spaces: the user copies paths and commands.
        lines = wrap(text, max(console.width - column, 20), break_long_words=False, break_on_hyphens=False)
        text = f"\n{'':<{column}}".join(lines)
    console.print(text, markup=False, soft_wrap=True)


def called_as() -> str:
    """Return which of our commands was called."""
    called = Path(sys.argv[0]).stem
    return called if called in COMMANDS else NAME


def command() -> str:
    """Return the command that starts this program: a bare name only if the PATH resolves it to us.

    Another party's program has one of our names, and the user may have installed it.
    """
    called = sys.argv[0]
    for one in (called_as(), *COMMANDS):
        found = shutil.which(one)
        if found and is_this_program(Path(found)):
            return one
    if Path(called).stem in COMMANDS:
        return quoted(called)
    return f"{quoted(sys.executable)} -m deepresearch_mcp"


def as_called(text: str) -> str:
    """Return a message with commands that the user can type; unchanged if another program shows it."""
    called = Path(sys.argv[0])
    if called.stem in COMMANDS or called.parts[-2:] == ("deepresearch_mcp", "__main__.py"):
        return _CALL.sub(lambda _: command(), text)
    return text


def is_this_program(found: Path) -> bool:
    """Return whether a program is the running one, or is in the same environment."""
    called = Path(sys.argv[0])
    if called.stem in COMMANDS and called.exists() and found.samefile(called):
        return True
    return found.resolve().parent == Path(sys.executable).parent.resolve()


def complain(message: str, action: str) -> None:
    """Show an error message in red, followed by its remedy."""
    say(message, style="bad")
    if action:
        say(action)


def emit(value: Mapping[str, Any] | Sequence[Any] | str) -> None:
    """Write one JSON object to standard output. A string must be JSON already."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        # Escape non-ASCII characters: that is valid JSON and loses nothing.
        text = json.dumps(json.loads(text))
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Write text to standard output unchanged, with a line end."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    sys.stdout.flush()


def print_bytes(made: bytes) -> None:
    """Write a file to standard output."""
    sys.stdout.buffer.write(made)
    sys.stdout.buffer.flush()


def show_markdown(text: str) -> None:
    """Show a report: rendered on a terminal, otherwise unchanged."""
    console = out()
    if not console.is_terminal:
        print_text(text)
        return

    console.print(lazy.drawing.drawn(text), width=min(console.width, WIDEST))
