"""Carries out one run from the command line: opens the engine, follows the run, shows and saves the report."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import WIDEST, command, emit, err, say, show_markdown
from deepresearch_mcp.cli.errors import EXIT_CODES, FAILED
from deepresearch_mcp.cli.indexing import index, tell_index
from deepresearch_mcp.cli.report_files import save
from deepresearch_mcp.cli.run_names import short_id, whole_id
from deepresearch_mcp.cli.waiting import user_present, waiting_lines
from deepresearch_mcp.cli.watching import Lines, Silent, View, interrupts, watch
from deepresearch_mcp.cli.wording import spoken
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.asking import check_of, checked_request
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.described import inquiry_lines
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.pending_ends import model_error
from deepresearch_mcp.pipeline.check.check_report import found_line
from deepresearch_mcp.pipeline.report.ending import partial_line, with_ending
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import Limits
from deepresearch_mcp.records.run import ENDED, Run
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.text.ages import age
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.viewer.formats import format_of, written


@dataclass(frozen=True, slots=True)
class Showing:
    """What a command prints, and where the report goes."""

    as_json: bool = False
    quiet: bool = False
    """Print nothing but the result."""
    output: Path | None = None
    """The file that gets the report instead of standard output."""


async def research_to_the_end(
    arguments: Mapping[str, Any],
    folders: Sequence[Path],
    settings: Settings,
    *,
    fresh: bool,
    asks: bool = False,
    showing: Showing,
) -> Run:
    """Index the folders, start or join the run, and follow it until it ends.

    Raises:
        InvalidRequest, UnknownCollection, UnknownRun, SettingsError, StoreError: Nothing was started.
    """
    names = [collection_of(folder) for folder in folders]
    collections = (*(arguments.get("collections") or ()), *names)
    if not (collections or arguments.get("urls") or arguments.get("web", True)):
        raise InvalidRequest(
            "With --no-web there is nothing to search.",
            "Name a --collection, a --library folder or a --url, or leave out --no-web.",
        )
    request = checked_request({**arguments, "collections": collections}, asks=asks, defaults=settings.defaults)
    async with open_runtime(settings) as runtime:
        for name, folder in zip(names, folders, strict=True):
            new = all(row.name != name for row in await runtime.store.collections.of(LOCAL_CALLER).all())
            report = await index(runtime, name, [str(folder)], quiet=showing.quiet)
            if not showing.quiet:
                tell_index(report, str(folder))
                say(*(_kept_as(name) if new else ()), style="note", whole=True)
        async with open_jobs(runtime) as jobs:
            if request.follow_up_of:
                request = request.model_copy(update={"follow_up_of": await whole_id(jobs, request.follow_up_of)})
            row = await jobs.start_or_join(request, fresh=fresh)
            _tell_joined(row.status in ENDED, runtime.clock.now().timestamp() - row.created, showing)
            return await watched(jobs, row.run_id, showing)


async def check_to_the_end(arguments: Mapping[str, Any], settings: Settings, *, fresh: bool, showing: Showing) -> Run:
    """Start or join a citation check and follow it until it ends.

    Raises:
        InvalidRequest, UnknownRun, SettingsError, StoreError: Nothing was started.
    """
    request = check_of(arguments)
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        if request.run_id:
            request = request.model_copy(update={"run_id": await whole_id(jobs, request.run_id)})
        row = await jobs.start_or_join(request, fresh=fresh)
        seconds = runtime.clock.now().timestamp() - row.created
        _tell_joined(row.status in ENDED, seconds, showing, check=True)
        return await watched(jobs, row.run_id, showing)


async def resume_to_the_end(run_id: str, limits: Limits, settings: Settings, *, showing: Showing) -> Run:
    """Resume an interrupted or incomplete run and follow it until it ends.

    Raises:
        InvalidRequest, UnknownCollection, UnknownRun, SettingsError, StoreError: Nothing was started.
    """
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        row = await resume_run(jobs, await whole_id(jobs, run_id), limits=limits)
        return await watched(jobs, row.run_id, showing)


async def watched(jobs: Jobs, run_id: str, showing: Showing) -> Run:
    """Follow a run with the right view; Ctrl-C cancels the run."""
    view = view_for(showing, jobs.runtime.clock)
    try:
        kept = f"Stopped. What was found is kept: `{command()} runs resume {short_id(run_id)}` goes on with it."
        with interrupts(view, kept) as stop:
            return await watch(jobs, run_id, view, stop)
    finally:
        view.close()


def view_for(showing: Showing, clock: Clock) -> View:
    """Return the live view on a terminal, plain lines elsewhere, a silent view with --quiet."""
    if showing.quiet:
        return Silent()
    console = err()
    if not console.is_terminal:
        return Lines(say, clock)

    return lazy.live.LiveView(console, clock)


def collection_of(folder: Path) -> str:
    """Return the collection name of a folder given by path: its own name and a hash of its path."""
    whole = os.path.abspath(os.path.expanduser(folder))
    plain = re.sub(r"[^a-z0-9]+", "-", Path(whole).name.lower()).strip("-")[:40]
    return f"{plain or 'folder'}-{hashlib.sha256(whole.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


async def show_result(run: Run, showing: Showing, settings: Settings) -> None:
    """Show the result, say where it is kept, and exit with the code of its status.

    Raises:
        ModelUnusable: The model never answered, so there is nothing to show.
        typer.Exit: For every other status but completed.
    """
    if error := model_error(run):
        raise error
    if showing.output is not None and _is_written(run, showing.output):
        async with open_runtime(settings) as runtime:
            made = await written(run, format_of(showing.output), runtime.store.documents)
        save(showing.output, made)
    if showing.as_json:
        emit(run.model_dump_json())
    elif run.report and showing.output is None and _says_more(run):
        show_markdown(with_ending(run))
    if run.error is not None and not showing.as_json:
        say(run.error["message"], style="bad")
        say(spoken(run.error["action"]))
    # Without a report, nothing else tells the user what to do next.
    if not (showing.quiet and run.report):
        _tell_kept(run, showing)
    code = EXIT_CODES.get(run.status, FAILED)
    if code:
        raise typer.Exit(code)


def _is_written(run: Run, place: Path) -> bool:
    """Return whether to write the run to a file. A run that found nothing must not overwrite an earlier report."""
    if run.waiting:
        return False
    found = run.status in {"completed", "partial"} or _found_something(run)
    return format_of(place).name == "json" or bool(found and run.report)


def _says_more(run: Run) -> bool:
    """Return whether the report says anything that the run's error does not."""
    return run.error is None or _found_something(run)


def _found_something(run: Run) -> bool:
    return bool(run.claims or run.citations or run.checks or run.answer)


def _tell_written(run: Run, showing: Showing) -> None:
    if showing.output is not None and _is_written(run, showing.output):
        say(f"Written to  {showing.output}", whole=True)


def _tell_kept(run: Run, showing: Showing) -> None:
    if run.waiting:
        # A terminal has already shown the question. Work is not for a person, and is also in the JSON.
        there = showing.as_json if run.waiting.kind == "work" else user_present()
        shown = () if there else ("", *inquiry_lines(run.waiting))
        say(*shown, "", *waiting_lines(run), whole=True)
        return
    if showing.output is not None and not _is_written(run, showing.output):
        say(f"There is no report, so {showing.output} was left as it was.", style="note", whole=True)
    if run.status not in ENDED:
        say("", f"The run is {run.status}: see `{command()} runs show {run.run_id}`.", style="note")
        return
    if run.status in {"cancelled", "failed"} and not _found_something(run):
        say("", "The run ended before anything was found.")
        _tell_written(run, showing)
        return
    say("", f"{_ENDINGS.get(run.status) or partial_line(run)} {_told_last(run)}".rstrip())
    if run.answer and not showing.as_json and (showing.output is not None or err().is_terminal):
        # Show the answer last, where the user looks: the report has scrolled away or is in a file.
        say("", *wrap(visible(run.answer), min(err().width, WIDEST)), "", style="head")
    _tell_written(run, showing)
    if _says_more(run):
        say(
            f"Read again  {command()} report {short_id(run.run_id)}",
            f"In browser  {command()} report {short_id(run.run_id)} --open",
            whole=True,
        )


def _told_last(run: Run) -> str:
    """What a check found, or how many quotes of a report stand on their pages, which says nothing of a statement."""
    if run.checks:
        return found_line(run.checks)
    return f"{run.quotes.located} of {run.quotes.total} quotes verified." if run.quotes.total else ""


_ENDINGS = {
    "completed": "Completed.",
    "cancelled": "Cancelled: this is what was found until then.",
    "failed": "Failed: this is what was found until then.",
}


def _kept_as(name: str) -> tuple[str, str]:
    return (
        f"It is kept as the collection {name}, and updated each time it is named.",
        f"To remove it: {command()} library remove {name}",
    )


def _tell_joined(ended: bool, seconds: float, showing: Showing, *, check: bool = False) -> None:
    if showing.quiet:
        return
    if ended:
        done, again = ("was checked", "checks") if check else ("question was researched", "researches")
        say(f"This {done} {age(seconds)} ago: here is that report. `--fresh` {again} it again.", style="note")
    elif seconds > 1:
        doing = "is being checked" if check else "question is being researched"
        say(f"This {doing} already: following that run.", style="note")
