"""`deepresearch-server runs fork|verify|delete`: commands on runs that have ended."""

from typing import Annotated, Literal

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, say
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import Json, Output, Quiet, Sets, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.cli.waiting import must_be_asked


def fork(
    run_id: RunId,
    *,
    stage: Annotated[
        Literal["planner", "searcher", "reader", "verifier", "analyst", "writer"],
        typer.Option("--from", help="The first stage to repeat; earlier ones are shared."),
    ] = "writer",
    model: Annotated[
        str | None, typer.Option(help="Who thinks, instead of the run's model.", show_default=False)
    ] = None,
    drafts: Annotated[
        int | None, typer.Option(help="Reports to choose the best of, 1 to 5.", show_default=False)
    ] = None,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
    sets: Sets = None,
) -> None:
    """Start a new run from an ended run's evidence; by default only the report is written again."""
    showing = lazy.running.Showing(as_json=json, quiet=quiet, output=lazy.report_files.checked_output(output))
    changes = {"model": model, "drafts": drafts}

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            row = await lazy.attempts.fork_run(jobs, await whole_id(jobs, run_id), stage, changes)
            found = await lazy.running.watched(jobs, row.run_id, showing)
        await lazy.running.show_result(found, showing, settings)

    settings = settings_of(sets)
    anyio.run(run)


def verify(
    run_id: RunId,
    *,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="If something is wrong, rebuild the report from the recorded steps.")
    ] = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Check that nothing kept of a run was changed: its audit trail, its stored pages, its quotes.

    Exit codes: 0 nothing changed, 1 something did.
    """

    async def run() -> tuple[str, lazy.soundness.Soundness]:
        async with opened_jobs(settings) as jobs:
            whole = await whole_id(jobs, run_id)
            found = await lazy.soundness.examine_run(jobs, whole)
            if rebuild and found.faults:
                if not json:
                    say(*found.faults, style="bad")
                row = await lazy.attempts.resume_run(jobs, whole, complete=True)
                await jobs.follow(row.run_id)
                found = await lazy.soundness.examine_run(jobs, whole)
            return whole, found

    settings = settings_of(sets)
    whole, found = anyio.run(run)
    if json:
        emit({"run_id": whole, "events": found.events, "quotes": found.quotes, "faults": list(found.faults)})
    else:
        say(*found.faults, style="bad")
        stands = "Nothing changed" if not found.faults else "Looked at"
        say(f"{stands}: {found.events} events, {found.quotes} quotes.")
    if found.faults:
        raise typer.Exit(1)


def delete(
    run_id: RunId,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Delete a run with all that only it holds: steps, claims, events, pages, report."""

    async def run() -> tuple[str, dict[str, int]]:
        async with opened_jobs(settings) as jobs:
            row = await jobs.get(await whole_id(jobs, run_id))
            if not yes:
                must_be_asked("delete a run", as_json=json)
                typer.confirm(f"Delete the run “{row.request.question[:80]}” for good?", abort=True, err=True)
            return row.run_id, await lazy.soundness.remove_run(jobs, row.run_id)

    settings = settings_of(sets)
    whole, deleted = anyio.run(run)
    if json:
        emit({"run_id": whole, "deleted": deleted})
    else:
        say(f"Deleted: {', '.join(f'{count} {what}' for what, count in deleted.items())}.")
