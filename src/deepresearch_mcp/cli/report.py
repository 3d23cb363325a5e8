"""`deepresearch-mcp report`: a report that was made before, as Markdown, as a page, or whole as JSON."""

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import anyio
import typer

from deepresearch_mcp.cli.console import command, emit, say, show_markdown, write
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run


def report(
    run_id: RunId,
    *,
    form: Annotated[
        Literal["md", "html", "json"] | None,
        typer.Option("--format", help="md, html or json; by the suffix of --output if not given, else md."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.", show_default=False)
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it as a page in the browser.")] = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Show the report of RUN, write it to a file, or open it in the browser."""
    from deepresearch_mcp.cli.report_files import checked_output, form_of, rendered, save

    place = checked_output(output)
    kind = form or (form_of(place) if place else "json" if json else "html" if open_ else "md")
    if open_ and kind != "html":
        raise InvalidRequest(f"--open shows a page, and this is {kind}.", "Leave --format out, or name a .html file.")

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            found = await jobs.result(await whole_id(jobs, run_id))
            _written(found)
            text = await rendered(found, kind, jobs.runtime)
        file = place or (Path(found.path) / "report.html" if open_ else None)
        if file is not None:
            save(file, text)
            say(f"Written to {file}", whole=True)
            if open_:
                say(*(() if opened(file) else ("No browser could be opened: open that file yourself.",)))
            if json:
                emit({"run_id": found.run_id, "format": kind, "path": str(file)})
        elif json or kind == "json":
            emit(found.model_dump_json())
        elif kind == "md":
            show_markdown(text)
        else:
            write(text)

    settings = settings_of(sets)
    anyio.run(run)


def opened(file: Path) -> bool:
    """Open a file in the user's browser; False where there is none."""
    try:
        return webbrowser.open(file.absolute().as_uri())
    except webbrowser.Error:
        return False


def _written(found: "Run") -> None:
    """Refuse what has no report.

    Raises:
        DeepResearchError: The run has not ended, or ended before there was anything to write.
    """
    from deepresearch_mcp.records.run import ENDED

    if found.status == "input_required":
        raise InvalidRequest(
            "The run waits for an answer, so there is no report yet.",
            f"Answer it: `{command()} runs answer {found.run_id}`. `{command()} runs show {found.run_id}` tells what it"
            " asks, and how it can be answered.",
        )
    if found.status not in ENDED:
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
