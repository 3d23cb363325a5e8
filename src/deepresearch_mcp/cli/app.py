"""Defines the table of commands and the main function of the command line."""

import logging
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from deepresearch_mcp.cli import (
    config,
    consent,
    costs,
    keys,
    library,
    ratings,
    run_copies,
    run_events,
    runs,
    sharing,
    store,
    token,
)
from deepresearch_mcp.cli.clients.install import install
from deepresearch_mcp.cli.console import NAME, called_as, prepare_streams, say
from deepresearch_mcp.cli.demo.demo import demo
from deepresearch_mcp.cli.doctor import doctor
from deepresearch_mcp.cli.errors import exit_codes
from deepresearch_mcp.cli.eval import evaluate
from deepresearch_mcp.cli.report import report
from deepresearch_mcp.cli.research import research
from deepresearch_mcp.cli.serve import serve
from deepresearch_mcp.cli.ui import ui
from deepresearch_mcp.cli.verify import verify
from deepresearch_mcp.cli.worker import worker
from deepresearch_mcp.version import __version__

COMMANDS: Mapping[str, Callable[..., None]] = {
    "research": research,
    "ui": ui,
    "report": report,
    "verify": verify,
    "demo": demo,
    "install": install,
    "doctor": doctor,
    "eval": evaluate,
    "serve": serve,
    "worker": worker,
}
"""Commands by name, in the order of the help."""

GROUPS: Mapping[str, tuple[str, Mapping[str, Callable[..., None]]]] = {
    "runs": (
        "Runs: what was researched, and what is being researched.",
        {
            "list": runs.list_,
            "show": runs.show,
            "cancel": runs.cancel,
            "resume": runs.resume,
            "fork": run_copies.fork,
            "verify": run_copies.verify,
            "delete": run_copies.delete,
            "cost": costs.cost,
            "events": run_events.events,
            "answer": consent.answer,
            "rate": ratings.rate,
            "share": sharing.share,
        },
    ),
    "library": (
        "Local documents: folders of HTML, Markdown, text, PDF, Office and e-book files, mails and notebooks.",
        {"add": library.add, "list": library.list_, "search": library.search, "remove": library.remove},
    ),
    "token": (
        "Tokens of callers over HTTP: what each allows, and until when.",
        {"create": token.create, "list": token.list_, "revoke": token.revoke},
    ),
    "config": ("Settings: what is set, and where from.", {"show": config.show, "init": keys.init}),
    "store": (
        "The PostgreSQL database that several machines share.",
        {"migrate": store.migrate, "copy": store.copy},
    ),
}
"""Groups of commands by name: the help text and the commands of each."""


class _ReportsErrors(TyperGroup):
    """Reports Ctrl-C and errors of every command as text or, with --json, as JSON."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own words
        with exit_codes(as_json=bool(ctx.obj)):
            return super().invoke(ctx)


_HELP = ["--help", "-h"]

commands = typer.Typer(
    name=NAME,
    cls=_ReportsErrors,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": _HELP},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@commands.callback()
def start(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Deep research in which every sentence can be checked against words really on the page."""
    del version


for _name, _command in COMMANDS.items():
    commands.command(_name)(_command)
for _name, (_about, _members) in GROUPS.items():
    _group = typer.Typer(no_args_is_help=True, help=_about)
    for _member, _command in _members.items():
        _group.command(_member)(_command)
    commands.add_typer(_group, name=_name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in given[: given.index("--") if "--" in given else None]
    prepare_streams()
    try:
        with quiet_log(), exit_codes(as_json=as_json):
            code = _plain_help(typer.main.get_command(commands)).main(
                given, called_as(), standalone_mode=False, obj=as_json
            )
    except typer.Exit as left:
        code = left.exit_code
    return code if isinstance(code, int) else 0


def _plain_help(command: Any) -> Any:  # noqa: ANN401 - typer's own words
    """Return the command with readable help: unwrapped paragraphs, and no `<bool>` after flags."""
    if command.help:
        command.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in command.help.split("\n\n"))
    for option in command.get_params(typer.Context(command, help_option_names=_HELP)):
        if getattr(option, "is_flag", False):
            option.metavar = ""
    for below in getattr(command, "commands", {}).values():
        _plain_help(below)
    return command


class _Sentences(logging.Handler):
    """Shows a log record as one sentence, without a stack trace."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage(), style="note")


@contextmanager
def quiet_log() -> Generator[None]:
    """Send our own warnings to standard error and drop those of other packages."""
    ours, others = logging.getLogger("deepresearch_mcp"), logging.getLogger()
    sentences, nowhere = _Sentences(logging.WARNING), logging.NullHandler()
    ours.addHandler(sentences)
    others.addHandler(nowhere)
    try:
        yield
    finally:
        ours.removeHandler(sentences)
        others.removeHandler(nowhere)
