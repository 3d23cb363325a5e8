"""`/runs`: history with filters; one run, live while it lasts and then its report; what can be done to it."""

from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import lru_cache

import anyio.to_thread
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.pages.forms import Form
from deepresearch_mcp.http_app.pages.live_state import meters
from deepresearch_mcp.http_app.pages.visit import Page, Visit, to
from deepresearch_mcp.jobs.asking import limits_of, reply_of
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.rating import rate_run
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.jobs.soundness import remove_run
from deepresearch_mcp.mcp_server.pointers import read_cursor, write_cursor
from deepresearch_mcp.records.checks import CheckRequest
from deepresearch_mcp.records.consent import Reply
from deepresearch_mcp.records.run import ENDED, RunRow, RunStatus
from deepresearch_mcp.records.specs import FORMATS
from deepresearch_mcp.viewer.html_report import embedded, report_body, texts_of
from deepresearch_mcp.viewer.report_language import language_of

ONE = "/runs/{run_id}"
_AT_ONCE = 20
_DAY = 86_400.0
_STATUSES: tuple[RunStatus, ...] = (
    "running",
    "queued",
    "input_required",
    "interrupted",
    "completed",
    "partial",
    "failed",
    "cancelled",
)
_STAGES = (("planning", "Plan"), ("researching", "Read"), ("reflecting", "Weigh"), ("synthesizing", "Write"))


async def history(visit: Visit) -> Response:
    """A page of the caller's runs."""
    jobs, known = await visit.jobs(), dict(zip(map(str, _STATUSES), _STATUSES, strict=True))
    status = known.get(visit.asked("status"))
    cursor, (since, until) = visit.asked("cursor"), _days(visit)
    rows = await jobs.find(
        visit.caller,
        status=status,
        text=visit.asked("query"),
        limit=_AT_ONCE + 1,
        before=read_cursor(cursor) if cursor else None,
        since=_midnight(since) if since else None,
        until=_midnight(until) + _DAY if until else None,
    )
    shown = rows[:_AT_ONCE]
    asked = {"query": visit.asked("query"), "status": status, "from": since, "to": until}
    return await visit.show(
        "runs.html",
        rows=[(row, await _line(jobs, row), isinstance(row.request, CheckRequest)) for row in shown],
        statuses=_STATUSES,
        asked={name: str(value) for name, value in asked.items() if value},
        cursor=write_cursor(shown[-1]) if len(rows) > _AT_ONCE else "",
    )


def _days(visit: Visit) -> tuple[date | None, date | None]:
    """The first and the last day of the runs that are shown.

    Raises:
        InvalidRequest: One is no date.
    """
    form = Form({name: [visit.asked(name)] for name in ("from", "to")})
    return form.day("from"), form.day("to")


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


async def _line(jobs: Jobs, row: RunRow) -> str:
    """How far a run is; of one that has ended, what it used: its status stands before it."""
    line = (await jobs.progress(row)).line()
    return line.removeprefix(f"{row.status} · ") if row.status in ENDED else line


async def one_run(visit: Visit) -> Response:
    """A run: live, or its report."""
    jobs = await visit.jobs()
    row = await jobs.get(visit.run_id, visit.caller)
    return await (_report(visit, jobs, row) if row.status in ENDED else _live(visit, jobs, row))


async def _live(visit: Visit, jobs: Jobs, row: RunRow) -> Response:
    progress = await jobs.progress(row)
    waiting = await jobs.runtime.store.inquiries.open(row.run_id) if row.status == "input_required" else None
    state = await visit.context.watched.of(jobs.runtime.store.events, row.run_id)
    reached = [name for name, _ in _STAGES]
    at = reached.index(progress.stage) if progress.stage in reached else -1
    return await visit.show(
        "live.html",
        row=row,
        line=progress.line(),
        stages=[(name, "done" if n < at else "now" if n == at else "") for n, (_, name) in enumerate(_STAGES)],
        state=state,
        sections=[(one.heading, _html(one.text), one.claims) for one in state.sections.values()],
        progress=progress,
        meters=meters(asdict(progress), row.request.shape),
        waiting=waiting,
        estimate=(waiting.estimate or (waiting.plan.estimate if waiting.plan else None)) if waiting else None,
    )


@lru_cache(maxsize=256)
def _html(markdown: str) -> Markup:
    # Markup in the text stays text, and links of other schemes are refused, as in a report.
    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown))  # noqa: S704 - see above


async def _report(visit: Visit, jobs: Jobs, row: RunRow) -> Response:
    visit.context.watched.forget(row.run_id)
    run = await jobs.result(row.run_id, visit.caller)
    texts = await texts_of(run, jobs.runtime.store.documents)
    data = await anyio.to_thread.run_sync(embedded, run, texts, abandon_on_cancel=True)
    body = await anyio.to_thread.run_sync(report_body, run, abandon_on_cancel=True)
    return await visit.show(
        "report.html",
        row=row,
        run=run,
        # Both are made by the viewer, which has escaped what sources wrote.
        data=Markup(data),  # noqa: S704 - see above
        body=Markup(body),  # noqa: S704 - see above
        language=language_of(run),
        formats=[(spec.name, spec.title.partition(":")[0].partition(",")[0], spec.suffixes[0]) for spec in FORMATS],
        is_check=isinstance(row.request, CheckRequest),
        shape=row.request.shape,
    )


async def answer(visit: Visit) -> Response:
    """Answer what a run waits for."""
    jobs, form = await visit.jobs(), await visit.form()
    row = await reply(jobs, visit.run_id, answer_of(form), visit.caller)
    visit.context.server.watch(jobs, row.run_id, visit.caller)
    return to(f"/runs/{row.run_id}", told="answered")


def answer_of(form: Form) -> Reply:
    """What a form says to a plan, to questions, or to a budget: the button that was pressed decides.

    Raises:
        InvalidRequest: A value is wrong, or a change was announced and not given.
    """
    action = form.text("action")
    if action == "decline":
        return reply_of(approve=False)
    changes, asked = action == "change", min(form.whole("asked") or 0, _MOST_QUESTIONS)
    # The note, where there is one, is for the planner; else the list replaces its own.
    note = form.text("note") if changes else ""
    parts = (
        [] if note or not changes else [one for one in map(str.strip, form.text("sub_questions").splitlines()) if one]
    )
    return reply_of(
        approve=None if changes else True,
        note=note or None,
        sub_questions=parts or None,
        answers=[form.text(f"other_{one}") or form.text(f"answer_{one}") for one in range(asked)],
        max_usd=form.number("max_usd"),
        max_minutes=form.number("max_minutes"),
        max_tokens=form.whole("max_tokens"),
        max_pages=form.whole("max_pages"),
    )


_MOST_QUESTIONS = 3
"""A run asks no more at once."""


async def cancel(visit: Visit) -> Response:
    """End a run; what it found is written up."""
    jobs = await visit.jobs()
    await visit.form()
    row = await jobs.cancel(visit.run_id, visit.caller, wait_seconds=0)
    return to(f"/runs/{row.run_id}", told="cancelling")


async def resume(visit: Visit) -> Response:
    """Go on with a run that stopped, with the ceilings of the form."""
    jobs, form = await visit.jobs(), await visit.form()
    limits = limits_of({"max_usd": form.number("max_usd"), "max_minutes": form.number("max_minutes")})
    row = await resume_run(jobs, visit.run_id, visit.caller, limits=limits)
    visit.context.server.watch(jobs, row.run_id, visit.caller)
    return to(f"/runs/{row.run_id}", told="resumed")


async def ask_to_delete(visit: Visit) -> Response:
    """Ask once more before a run is deleted."""
    row = await (await visit.jobs()).get(visit.run_id, visit.caller)
    return await visit.show("delete.html", row=row)


async def delete(visit: Visit) -> Response:
    """Delete a run."""
    jobs = await visit.jobs()
    await visit.form()
    await remove_run(jobs, visit.run_id, visit.caller)
    return to("/runs", told="deleted")


async def rate(visit: Visit) -> Response:
    """Keep what the reader thinks of a report."""
    jobs, form = await visit.jobs(), await visit.form()
    if (rated := form.text("action")) not in {"up", "down"}:
        raise InvalidRequest("The rating is neither up nor down.", "Use the buttons of the page.")
    await rate_run(jobs, visit.run_id, "up" if rated == "up" else "down", form.text("note"), visit.caller)
    return to(f"/runs/{visit.run_id}", told="rated")


PAGES = (
    Page("GET", "/runs", history),
    Page("GET", ONE, one_run),
    Page("POST", f"{ONE}/answer", answer, "runs:write"),
    Page("POST", f"{ONE}/cancel", cancel, "runs:write"),
    Page("POST", f"{ONE}/resume", resume, "runs:write"),
    Page("GET", f"{ONE}/delete", ask_to_delete, "runs:write"),
    Page("POST", f"{ONE}/delete", delete, "runs:write"),
    Page("POST", f"{ONE}/rate", rate, "runs:write"),
)
