"""`deepresearch-server runs`: lists, shows, cancels and resumes runs."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import command, emit, out, say
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import (
    Json,
    MaxMinutes,
    MaxPages,
    MaxSearches,
    MaxTokens,
    MaxUsd,
    Output,
    Quiet,
    Sets,
    settings_of,
)
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.waiting import waiting_lines
from deepresearch_mcp.cli.wording import spoken
from deepresearch_mcp.text.markdown import visible

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run, RunRow

RunId = Annotated[str, typer.Argument(metavar="RUN", help="Its id, the beginning of it, or last.", show_default=False)]


def list_(
    *,
    status: Annotated[
        Literal["queued", "running", "input_required", "interrupted", "completed", "partial", "failed", "cancelled"]
        | None,
        typer.Option(help="Only runs of this status.", show_default=False),
    ] = None,
    query: Annotated[str, typer.Option(help="Only runs whose question holds these words.", show_default=False)] = "",
    limit: Annotated[int, typer.Option(help="How many, newest first.", min=1, max=1000)] = 20,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """List runs, newest first."""

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            rows = await jobs.find(status=status, text=query, limit=limit)
            lines = [(row, await jobs.progress(row)) for row in rows]
        if json:
            emit({"runs": [_line(row, progress.line()) for row, progress in lines]})
            return
        if not lines:
            say("No run yet." if not (status or query) else "No run matches.")
            return

        console = out()
        for row, progress in lines:
            state = f"  {_local(row.created)}  {_one_line(_words(row.status, progress.line()))}"
            there = console.is_terminal
            # Cut to one line on a terminal; whole if a program reads it.
            for line in (
                lazy.rich_text.Text.assemble((row.run_id, "bold"), state),
                lazy.rich_text.Text(f"  {_one_line(row.request.question)}"),
            ):
                console.print(line, overflow="ellipsis" if there else None, no_wrap=True, soft_wrap=not there)

    settings = settings_of(sets)
    anyio.run(run)


def show(run_id: RunId, *, json: Json = False, sets: Sets = None) -> None:
    """Show how far a run is, or its result."""

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            row = await jobs.get(await whole_id(jobs, run_id))
            found = await jobs.result(row.run_id)
            line = (await jobs.progress(row)).line()
            told = await jobs.runtime.store.webhooks.of(row.run_id)
            rating = await jobs.runtime.store.figures.rating(row.run_id)
        if json:
            webhooks = {"webhooks": [one.model_dump() for one in told]} if told else {}
            rated = {"rating": asdict(rating)} if rating else {}
            emit(found.model_dump(mode="json") | webhooks | rated)
        else:
            _show(found, line)
            if rating:
                said = _one_line(f"{rating.rated}{f': {rating.note}' if rating.note else ''}")
                out().print(f"Rated      {said}", markup=False, soft_wrap=True)

    settings = settings_of(sets)
    anyio.run(run)


def cancel(run_id: RunId, *, json: Json = False, sets: Sets = None) -> None:
    """Cancel a run, in whichever process it runs; what it gathered is written up and kept."""

    async def run() -> None:
        async with opened_jobs(settings) as jobs:
            before = await jobs.get(await whole_id(jobs, run_id))
            after = await jobs.cancel(before.run_id)
            found = await jobs.result(after.run_id)
        if json:
            emit(found.model_dump_json())
        elif before.status in lazy.run_records.ENDED:
            say(f"The run ended earlier: it is {before.status}.")
        elif after.status not in lazy.run_records.ENDED:
            say("The run was told to end; its process writes up what it gathered.")
        else:
            say(f"The run is {after.status}.")
            if found.report:
                say(f"What it gathered: {command()} report {after.run_id}", whole=True)

    settings = settings_of(sets)
    anyio.run(run)


def resume(
    run_id: RunId,
    *,
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_searches: MaxSearches = None,
    max_pages: MaxPages = None,
    max_minutes: MaxMinutes = None,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
    sets: Sets = None,
) -> None:
    """Resume a run that was interrupted, cancelled, failed, or stopped at a ceiling.

    Finished steps are not repeated. Ceilings count what the run has used before: give a higher one where it was met.
    """
    showing = lazy.running.Showing(as_json=json, quiet=quiet, output=lazy.report_files.checked_output(output))
    limits = lazy.asking.limits_of(
        {
            "max_usd": max_usd,
            "max_tokens": max_tokens,
            "max_searches": max_searches,
            "max_pages": max_pages,
            "max_minutes": max_minutes,
        }
    )

    async def run() -> None:
        found = await lazy.running.resume_to_the_end(run_id, limits, settings, showing=showing)
        await lazy.running.show_result(found, showing, settings)

    settings = settings_of(sets)
    anyio.run(run)


def _line(row: "RunRow", progress: str) -> dict[str, object]:
    """Return the same object as the server's tool `list_runs`."""
    return lazy.results.RunLine(
        run_id=row.run_id,
        status=row.status,
        stage=row.stage,
        question=row.request.question,
        created=_moment(row.created),
        updated=_moment(row.updated),
        progress=progress,
    ).model_dump()


def _show(run: "Run", line: str) -> None:

    console = out()
    metrics = run.metrics
    rows = [
        ("Run", run.run_id),
        ("Question", _one_line(run.question)),
        ("Status", _one_line(_words(run.status, line))),
        *([("Error", _one_line(f"{run.error['message']} {spoken(run.error['action'])}"))] if run.error else []),
        *(_found(run) if run.status in lazy.run_records.ENDED else ()),
        ("Used", f"${metrics.usd:.2f}, {metrics.searches} searches, {metrics.pages} pages, {metrics.seconds:.0f} s"),
        ("Kept in", run.path),
    ]
    for name, value in rows:
        console.print(f"{name:<10}", style="dim", end="")
        console.print(value, markup=False, soft_wrap=True)
    if run.waiting:
        for asked in ("", *lazy.described.inquiry_lines(run.waiting), "", *waiting_lines(run)):
            console.print(asked, markup=False, soft_wrap=True)
    if run.report:
        console.print(f"\nRead it: {command()} report {run.run_id}", markup=False, soft_wrap=True)
    elif run.status in {"queued", "interrupted"}:
        console.print(f"\nResume it here: {command()} runs resume {run.run_id}", markup=False, soft_wrap=True)


def _found(run: "Run") -> list[tuple[str, str]]:
    judged, what = (run.checks, "cited statements") if run.checks else (run.claims, "claims")
    supported = sum(one.verdict == "supported" for one in judged)
    compared = any(one.wording for one in run.checks)
    claims = f"{len(judged)} {what}, {supported} of them {'with similar words on a page' if compared else 'supported'}"
    return [
        ("Found", f"{claims}; {len(run.citations)} citations, {len(run.sources)} sources"),
        ("Quotes", f"{run.quotes.located} of {run.quotes.total} verified in their sources"),
        ("Not read", f"{len(run.unread)} pages"),
        *_verdict(run),
        *([("Rounds", run.assessment.ended)] if run.assessment and run.assessment.ended else []),
    ]


def _verdict(run: "Run") -> list[tuple[str, str]]:
    """What a run answers of what was asked, and what its checks changed."""
    asked = [one for one in run.assessment.coverage if one.point.startswith("d")] if run.assessment else []
    left = "; ".join(one.text for one in asked if one.status == "open")
    answered = sum(one.status != "open" for one in asked)
    counts = run.metrics.counts
    changed = f"{counts.removed} sentences removed as unsupported, {counts.repaired} repaired"
    return [
        *([("Answered", f"{answered} of {len(asked)} points{f'; not: {left}' if left else ''}")] if asked else []),
        *([("Checked", changed)] if counts.removed or counts.repaired else []),
    ]


def _words(status: str, line: str) -> str:
    """Return the status and the progress, without saying the same thing twice."""
    return line if line.startswith(status) else f"{status} · {line}"


def _one_line(text: str) -> str:
    # A question is untrusted text, and older runs were stored before questions were cleaned.
    return visible(" ".join(text.split()))


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _local(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
