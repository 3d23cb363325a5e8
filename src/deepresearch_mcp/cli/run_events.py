"""`deepresearch-server runs events`: what happened in a run, and what happens now."""

import json as json_text
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, out
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.text.markdown import visible

if TYPE_CHECKING:
    from deepresearch_mcp.records.trail import RunEvent

_LONGEST = 160
"""Characters of one value in a line for people."""


def events(
    run_id: RunId,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with what happens, until the run ends.")
    ] = False,
    after: Annotated[int, typer.Option(min=0, help="Only events after this number.")] = 0,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Show the events of a run. With --json one object with all of them; with --follow one for each, a line each."""

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            whole, last = await whole_id(jobs, run_id), after
            if follow:
                async for one in lazy.trail.events_as_they_happen(jobs, whole, after=last):
                    _show(one, as_json=json)
                return
            known: list[RunEvent] = []
            while found := await lazy.trail.events_of(jobs, whole, after=last):
                known += found
                last = found[-1].number
        if json:
            emit({"run_id": whole, "events": [one.model_dump() for one in known]})
            return
        for one in known:
            _show(one, as_json=False)

    settings = settings_of(sets)
    anyio.run(run)


def _show(event: "RunEvent", *, as_json: bool) -> None:
    if as_json:
        emit(event.model_dump_json())
        return
    told = ", ".join(f"{name}: {_value(value)}" for name, value in event.data.items() if value not in ("", [], None))
    parent = "" if event.parent == "run" else f" {event.parent}"
    line = f"{event.at[11:23]}  {event.kind}{parent}  {event.actor}  {told}"
    out().print(visible(line), markup=False, highlight=False, soft_wrap=True)


def _value(value: object) -> str:
    text = " ".join((value if isinstance(value, str) else json_text.dumps(value, ensure_ascii=False)).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
