"""Results go to standard output, everything else to standard error."""

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
from deepresearch_mcp.settings.project import COMMANDS, quoted

if TYPE_CHECKING:
    from rich.console import Console

NAME = "deepresearch-mcp"
"""The program in messages; `as_called` replaces it by what the user can type."""

_SUBCOMMANDS = (
    "config", "demo", "doctor", "eval", "install", "library", "report", "research", "runs", "serve", "store", "verify",
    "worker",
)  # fmt: skip
_CALL = re.compile(rf"(?<![\w./\\-])(?:{'|'.join(COMMANDS)})(?= (?:--help|(?:{'|'.join(_SUBCOMMANDS)})\b))")

WIDEST = 100
"""Columns of prose, however wide the terminal is: longer lines are hard to read."""


def prepare_streams() -> None:
    """Let no character that a terminal cannot show, and no byte that is not text, end the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # Of an input that was read from, the decoder stays as it is.
            with suppress(io.UnsupportedOperation):
                reconfigure(errors="replace")


def piped_text(errors: str = "replace") -> str:
    """All of standard input as UTF-8, whatever the locale says, without a byte order mark."""
    buffer = getattr(sys.stdin, "buffer", None)
    return buffer.read().decode("utf-8-sig", errors) if buffer else sys.stdin.read()


@cache
def _theme() -> Any:  # noqa: ANN401 - rich is loaded only where something is shown

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
    """The console on standard error, as it is now: tests and pipes replace the streams."""
    # Without emoji: the name `openai:m:x` is not to become a sign.
    return lazy.rich_console.Console(stderr=True, theme=_theme(), highlight=False, soft_wrap=False, emoji=False)


def out() -> "Console":
    """The console on standard output."""
    return lazy.rich_console.Console(theme=_theme(), highlight=False, emoji=False)


def say(*lines: str, style: str = "", whole: bool = False) -> None:
    """Plain lines for the person, on standard error; nothing in them is markup.

    With `whole` no line is broken by us: paths and commands are copied from them.
    """
    console = err()
    for line in lines:
        # Without a terminal, a line is what a program reads.
        said = as_called(line)
        # A command that had to be written out is copied whole.
        unbroken = whole or said != line or not console.is_terminal
        console.print(said, style=style or None, markup=False, soft_wrap=unbroken)


def row(name: str, text: str, *, style: str = "", column: int = 10) -> None:
    """A name and what it stands for, on standard output: on a terminal further lines begin where the first one does."""
    console, text = out(), as_called(text)
    console.print(f"{name:<{column}}", style=style or None, markup=False, end="")
    if console.is_terminal:
        # Between words alone: paths and commands are copied from it.
        lines = wrap(text, max(console.width - column, 20), break_long_words=False, break_on_hyphens=False)
        text = f"\n{'':<{column}}".join(lines)
    console.print(text, markup=False, soft_wrap=True)


def called_as() -> str:
    """The one of our commands that was called."""
    called = Path(sys.argv[0]).stem
    return called if called in COMMANDS else NAME


def command() -> str:
    """What starts this program from here: a bare name only where the PATH leads to us.

    Another party's program has one of our names, and the user may have it.
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
    """A message with its commands as the user can type them; unchanged where another program shows it."""
    called = Path(sys.argv[0])
    if called.stem in COMMANDS or called.parts[-2:] == ("deepresearch_mcp", "__main__.py"):
        return _CALL.sub(lambda _: command(), text)
    return text


def is_this_program(found: Path) -> bool:
    """Whether a program on the PATH is the one that runs, or stands beside it in the same environment."""
    called = Path(sys.argv[0])
    if called.stem in COMMANDS and called.exists() and found.samefile(called):
        return True
    return found.resolve().parent == Path(sys.executable).parent.resolve()


def complain(message: str, action: str) -> None:
    """One red sentence, and what to do."""
    say(message, style="bad")
    if action:
        say(action)


def emit(value: Mapping[str, Any] | Sequence[Any] | str) -> None:
    """One JSON object on standard output; text is JSON already."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        # Escapes are JSON as well, and lose nothing.
        text = json.dumps(json.loads(text))
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Text to standard output as it is, with a line's end."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    sys.stdout.flush()


def show_markdown(text: str) -> None:
    """A report: drawn on a terminal, unchanged where a program reads it."""
    console = out()
    if not console.is_terminal:
        print_text(text)
        return

    console.print(lazy.drawing.drawn(text), width=min(console.width, WIDEST))
