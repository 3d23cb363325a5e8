"""`deepresearch-server runs rate`: tells the operator how good a run was."""

from dataclasses import asdict
from typing import Annotated, Literal

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, say
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId


def rate(
    run_id: RunId,
    rated: Annotated[Literal["up", "down"], typer.Argument(help="Whether the report was of use.", show_default=False)],
    *,
    note: Annotated[str, typer.Option(help="Why, in a sentence; kept with the run.", show_default=False)] = "",
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Rate a run that has ended; a later rating replaces it."""

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            whole = await whole_id(jobs, run_id)
            rating = await lazy.rating.rate_run(jobs, whole, rated, note)
        if json:
            emit({"run_id": whole, **asdict(rating)})
        else:
            say(f"The run is rated {rated}.")

    settings = settings_of(sets)
    anyio.run(run)
