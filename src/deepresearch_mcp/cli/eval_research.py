"""`deepresearch-server eval research`: reports on questions, of two configurations or beside another system's."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, say
from deepresearch_mcp.cli.options import at_terminal, flags_of, settings_of
from deepresearch_mcp.exceptions import InvalidRequest

if TYPE_CHECKING:
    from deepresearch_mcp.evals.reports import Configuration
    from deepresearch_mcp.evals.research import Asked

NAME = "research"
"""The evaluation that is carried out here; all others measure a public set."""
_PANEL = "Of eval research: reports on your own questions"
_FAILED = 1
_NOT_TO_CHANGE = frozenset({"question", "asks", "fresh", "clarify", "approve_plan", "follow_up_of"})

Questions = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Questions: one a line, a JSON file, or a folder with a keys.json for each.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Judge = Annotated[
    str,
    typer.Option(
        metavar="MODEL",
        help="Who judges: auto (the model that reviews, if one is configured), extractive (no judge) or PROVIDER:NAME.",
        rich_help_panel=_PANEL,
    ),
]
Against = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A second configuration that differs in this setting (search.engines=brave) or argument (effort=deep,"
        " model=PROVIDER:NAME); repeat for more.",
        rich_help_panel=_PANEL,
    ),
]
Reports = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Compare with another system's reports: the file of this name beside each keys.json.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Collections = Annotated[
    list[str] | None,
    typer.Option("--collection", metavar="NAME", help="Search this collection too; repeat.", rich_help_panel=_PANEL),
]
NoWeb = Annotated[bool, typer.Option("--no-web", help="Search only collections.", rich_help_panel=_PANEL)]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", help="Research anew what was researched before in this way.", rich_help_panel=_PANEL),
]


@dataclass(frozen=True, slots=True)
class Given:
    """What the command line said."""

    questions: Path | None
    judge: str
    against: Sequence[str]
    reports: str
    arguments: dict[str, Any]
    max_usd: float
    fresh: bool
    sets: list[str] | None


def compare(given: Given, *, as_json: bool) -> None:
    """Carry out the comparison and print it; exit code 1 if a system has no report at all.

    Raises:
        InvalidRequest, SettingsError: Something that was said cannot be used.
    """
    found = anyio.run(lazy.eval_research.compared, _asked(given), _progress)
    if as_json:
        emit(lazy.comparing.as_object(found))
    else:
        lazy.comparing.show(found)
    made = [[one.reports[place].text for one in found.questions] for place in range(len(found.systems))]
    if not all(map(any, made)):
        raise typer.Exit(_FAILED)


def _progress(line: str) -> None:
    say(line, style="dim")


def _asked(given: Given) -> "Asked":
    if given.questions is None:
        raise InvalidRequest(
            "eval research was given no questions.", "Name a file or a folder with them: --questions FILE."
        )
    if given.against and given.reports:
        raise InvalidRequest(
            "--against and --reports compare with two different things.", "Compare with one of them at a time."
        )
    if Path(given.reports).name != given.reports:
        raise InvalidRequest(
            f"--reports {given.reports} is a path.", f"Name the file alone: {Path(given.reports).name}."
        )
    configurations = [_configuration("first" if given.against else "ours", given)]
    if given.against:
        configurations.append(_configuration("against", given, given.against))
    return lazy.eval_research.Asked(
        questions=lazy.keyed.questions_at(given.questions.expanduser(), given.reports),
        configurations=configurations,
        other=Path(given.reports).stem,
        judge=given.judge.strip(),
        max_usd=given.max_usd,
        fresh=given.fresh,
    )


def _configuration(name: str, given: Given, changes: Sequence[str] = ()) -> "Configuration":
    """The configuration of the command line, with these changes."""
    for one in changes:
        if "=" not in one:
            raise InvalidRequest("--against was not followed by NAME=VALUE.", "Write it as --against effort=deep.")
    pairs = [(left.strip(), value.strip()) for left, _, value in (one.partition("=") for one in changes)]
    sets = [f"{left}={value}" for left, value in pairs if "." in left]
    arguments = {left: value for left, value in pairs if "." not in left}
    known = lazy.request_records.ResearchRequest.model_fields.keys() - _NOT_TO_CHANGE
    if wrong := next((left for left in arguments if left not in known), None):
        raise InvalidRequest(
            f"--against {wrong}: there is no such argument of a research.",
            "Write a setting with its table, as search.engines=brave, or an argument, as effort=deep.",
        )
    flags_of(sets)  # Words its own errors; a secret is refused.
    both = {**given.arguments, **arguments}
    settings = at_terminal(settings_of([*(given.sets or []), *sets]), str(both.get("model") or "auto"))
    return lazy.eval_reports.Configuration(name, settings, both)
