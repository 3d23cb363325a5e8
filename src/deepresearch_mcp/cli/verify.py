"""`deepresearch-server verify`: checks whether the pages that a text cites support it."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import piped_text, say
from deepresearch_mcp.cli.options import Json, Output, Quiet, Sets, at_terminal, settings_of
from deepresearch_mcp.exceptions import InvalidRequest

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run


def verify(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE|RUN",
            help="A text with citations, - for standard input, or the id of a run.",
            show_default=False,
        ),
    ],
    *,
    model: Annotated[str, typer.Option(help="auto, extractive (no model at all) or PROVIDER:NAME.")] = "auto",
    offline: Annotated[
        bool, typer.Option("--offline", help="Fetch nothing: only pages that were read before count. A run never does.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 unless something is cited, and all that is holds.")
    ] = False,
    max_usd: Annotated[float | None, typer.Option(help="Dollars, at most.", show_default=False)] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens, at most.", show_default=False)] = None,
    max_pages: Annotated[int | None, typer.Option(help="Addresses tried, at most.", show_default=False)] = None,
    max_minutes: Annotated[float | None, typer.Option(help="Minutes, at most.", show_default=False)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Check again, even if there is a recent check.")] = False,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
    sets: Sets = None,
) -> None:
    """Check every cited statement of FILE against the pages it cites, or a RUN against what it stored.

    Exit codes: 0 completed, 1 failed (with --strict also: nothing is cited, or something not supported), 2 bad input,
    3 partial (a limit was met), 130 cancelled.
    """
    showing = lazy.running.Showing(as_json=json, quiet=quiet, output=lazy.report_files.checked_output(output))
    limits = {"max_usd": max_usd, "max_tokens": max_tokens, "max_pages": max_pages, "max_minutes": max_minutes}
    arguments = {**_asked(target), "model": model, "web": not offline, **limits}

    async def run() -> None:
        found = await lazy.running.check_to_the_end(arguments, settings, fresh=fresh, showing=showing)
        await lazy.running.show_result(found, showing, settings)
        if strict and not _holds(found):
            if not found.checks:
                say("The text cites nothing: with --strict that is not enough.", style="bad")
            raise typer.Exit(1)

    settings = at_terminal(settings_of(sets), model)
    anyio.run(run)


def _asked(target: str) -> dict[str, Any]:
    """Return the arguments for what to check: standard input, a file, or else a run.

    Raises:
        InvalidRequest: The target is neither a readable file nor the id of a run.
    """
    if target == "-":
        return {"text": piped_text()}
    path = Path(os.path.expanduser(target))
    if not path.is_file():
        if re.fullmatch(r"[0-9a-z]{3,26}", target):
            return {"run_id": target}
        raise InvalidRequest(
            f"{target!r} is neither a file nor the id of a run.",
            "Name a text file, - for standard input, or a run by the beginning of its id.",
        )
    try:
        return {"text": path.read_text(encoding="utf-8-sig", errors="replace")}
    except OSError as error:
        raise InvalidRequest(
            f"The file {target} cannot be read: {(error.strerror or type(error).__name__).lower()}.",
            "Name another one.",
        ) from error


def _holds(run: "Run") -> bool:
    # Without citations nothing was checked, which does not pass with --strict.
    supported = bool(run.checks) and all(check.verdict == "supported" for check in run.checks)
    return supported and not run.dead and not run.dangling
