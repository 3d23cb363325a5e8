"""`deepresearch-server report`: shows an earlier report in one of the formats of `records/specs.py`."""

import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import command, emit, print_bytes, print_text, say, show_markdown
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest
from deepresearch_mcp.records.specs import FORMAT_NAMES, PAGE, joined_with_or

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run


def report(
    run_id: RunId,
    *,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar=f"<{'|'.join(FORMAT_NAMES)}>",
            help=f"{joined_with_or(FORMAT_NAMES)}; by the suffix of --output if not given, else {FORMAT_NAMES[0]}.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.", show_default=False)
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it as a page in the browser.")] = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Show the report of RUN, write it to a file, or open it in the browser."""
    place = lazy.report_files.checked_output(output, form)
    named = form or ("json" if json else PAGE.name if open_ else FORMAT_NAMES[0])
    kind = lazy.formats.format_of(place) if place and not form else lazy.formats.format_named(named)
    if open_ and not kind.page:
        raise InvalidRequest(
            f"--open shows a page, and this is {kind.name}.", f"Leave --format out, or name a {PAGE.suffixes[0]} file."
        )
    if kind.binary and not place and sys.stdout.isatty():
        raise InvalidRequest(f"A terminal cannot show {kind.name}.", f"Name a file: --output report{kind.suffixes[0]}.")

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            found = await jobs.result(await whole_id(jobs, run_id))
            _ensure_report(found)
            if kind.name == "json":
                found = await lazy.prompt_log.with_prompts(found, jobs.runtime.store.prompts)
            made = await lazy.formats.written(found, kind, jobs.runtime.store.documents)
        file = place or (Path(found.path) / f"report{kind.suffixes[0]}" if open_ else None)
        if file is not None:
            lazy.report_files.save(file, made)
            say(f"Written to {file}", whole=True)
            if open_:
                say(*(() if open_in_browser(file) else ("No browser could be opened: open that file yourself.",)))
            if json:
                emit({"run_id": found.run_id, "format": kind.name, "path": str(file)})
        elif json or kind.name == "json":
            emit(found.model_dump_json())
        elif kind.name == "md":
            show_markdown(made.decode())
        elif kind.binary:
            print_bytes(made)
        else:
            print_text(made.decode())

    settings = settings_of(sets)
    anyio.run(run)


def open_in_browser(file: Path) -> bool:
    """Open a file in the user's browser; return False if there is none."""
    try:
        return webbrowser.open(file.absolute().as_uri())
    except webbrowser.Error:
        return False


def _ensure_report(found: "Run") -> None:
    """Refuse a run without a report.

    Raises:
        DeepResearchError: The run has not ended, or ended before there was anything to write.
    """
    if found.status == "input_required":
        raise InvalidRequest(
            "The run waits for an answer, so there is no report yet.",
            f"Answer it: `{command()} runs answer {found.run_id}`. `{command()} runs show {found.run_id}` tells what it"
            " asks, and how it can be answered.",
        )
    if found.status not in lazy.run_records.ENDED:
        again = (
            f"Resume it: `{command()} runs resume {found.run_id}`."
            if found.status == "interrupted"
            else "Wait for it, or cancel it."
        )
        raise InvalidRequest(
            f"The run is {found.status}, so there is no report yet.",
            f"{again} `{command()} runs show {found.run_id}` tells how far it is.",
        )
    if not found.report.strip():
        why = found.error["message"] if found.error else "nothing had been gathered."
        raise DeepResearchError(
            f"The run is {found.status} and no report was written: {why}", "Ask its question again."
        )
