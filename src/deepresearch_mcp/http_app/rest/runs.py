"""`/research/runs` and `/research/checks`: start, list, follow, answer and end runs."""

from functools import partial

from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.rest import bodies as b
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, Strict, json_answer
from deepresearch_mcp.http_app.rest.streaming import stream_of
from deepresearch_mcp.jobs.asking import check_of, checked_request, limits_of, reply_of
from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.jobs.handing import hand_in, unusable, work_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.jobs.soundness import remove_run
from deepresearch_mcp.jobs.webhooks import check_webhook, expect_webhook
from deepresearch_mcp.mcp_server.pointers import moment, read_cursor, write_cursor
from deepresearch_mcp.mcp_server.results import RunLine, RunList
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run, RunRow

RUNS = "/research/runs"
ONE = f"{RUNS}/{{run_id}}"

BEGUN = Answer("The run works in the background.", RunLine, headers={"Location": "The run object's address."})


async def line_of(jobs: Jobs, row: RunRow) -> RunLine:
    """A run as a line of a list."""
    progress = await jobs.progress(row)
    return RunLine(
        run_id=row.run_id,
        status=row.status,
        stage=progress.stage,
        question=row.request.question,
        created=moment(row.created),
        updated=moment(row.updated),
        progress=progress.line(),
    )


async def begun(jobs: Jobs, row: RunRow, status: int = 202) -> Response:
    """Tell a caller where a run is that works in the background."""
    return json_answer(await line_of(jobs, row), status, {"Location": f"{RUNS}/{row.run_id}"})


def order_of(call: Call, body: Strict) -> ResearchRequest:
    """The request that a body asks for, with the server's defaults for what it leaves out.

    Raises:
        InvalidRequest: A value is wrong, alone or beside another.
    """
    given = body.model_dump(exclude_unset=True, exclude=_OF_THE_SURFACE)
    return checked_request(given, defaults=call.context.settings.defaults)


_OF_THE_SURFACE = {"fresh", "webhook_url"}


async def _start(call: Call, request: AnyRequest, order: Strict) -> Response:
    jobs = await call.jobs()
    if url := str(getattr(order, "webhook_url", "")):
        check_webhook(jobs.runtime, url)
    row = await jobs.start_or_join(request, call.caller, fresh=bool(getattr(order, "fresh", False)))
    if url:
        await expect_webhook(jobs.runtime, row.run_id, url)
    call.context.server.watch(jobs, row.run_id, call.caller)
    return await begun(jobs, row)


async def start_run(call: Call) -> Response:
    """Start a research, or join the running one of an equal request."""
    order = call.body(b.ResearchOrder)
    return await _start(call, order_of(call, order), order)


async def start_check(call: Call) -> Response:
    """Start a check of citations."""
    order = call.body(b.CheckOrder)
    request = check_of(order.model_dump(exclude_unset=True, exclude=_OF_THE_SURFACE))
    return await _start(call, request, order)


async def list_runs(call: Call) -> Response:
    """Return a page of the caller's runs."""
    asked, jobs = call.query(b.RunQuery), await call.jobs()
    before = read_cursor(asked.cursor) if asked.cursor else None
    rows = await jobs.find(call.caller, status=asked.status, text=asked.query, limit=asked.limit + 1, before=before)
    shown = [await line_of(jobs, row) for row in rows[: asked.limit]]
    return json_answer(
        RunList(runs=shown, next_cursor=write_cursor(rows[asked.limit - 1]) if len(rows) > asked.limit else None)
    )


async def get_run(call: Call) -> Response:
    """Return the run object, after waiting as long as asked."""
    jobs, wait = await call.jobs(), call.query(b.WaitQuery).wait_seconds
    if wait:
        await jobs.follow(call.run_id(), call.caller, wait_seconds=wait)
    return json_answer(await jobs.result(call.run_id(), call.caller))


async def stream_run(call: Call) -> Response:
    """Send what happens in a run, as it happens."""
    jobs = await call.jobs()
    row = await jobs.get(call.run_id(), call.caller)
    return await stream_of(call, jobs, row.run_id)


async def cancel_run(call: Call) -> Response:
    """End a run; what it gathered is written up and kept."""
    jobs = await call.jobs()
    row = await jobs.cancel(call.run_id(), call.caller, wait_seconds=0)
    return await begun(jobs, row)


async def resume_run_(call: Call) -> Response:
    """Go on with a run that was interrupted, cancelled, failed, or stopped at a ceiling."""
    jobs = await call.jobs()
    limits = limits_of(call.body(b.ResumeOrder).model_dump(exclude_none=True))
    row = await resume_run(jobs, call.run_id(), call.caller, limits=limits)
    call.context.server.watch(jobs, row.run_id, call.caller)
    return await begun(jobs, row)


async def fork_run_(call: Call) -> Response:
    """Start a run from the evidence of an ended one."""
    jobs, order = await call.jobs(), call.body(b.ForkOrder)
    changes = {"model": order.model, "drafts": order.drafts}
    row = await fork_run(jobs, call.run_id(), order.stage, changes, call.caller)
    call.context.server.watch(jobs, row.run_id, call.caller)
    return await begun(jobs, row)


async def answer_run(call: Call) -> Response:
    """Answer what a run waits for."""
    jobs, order = await call.jobs(), call.body(b.AnswerOrder)
    given = order.model_dump(exclude={"work"}, exclude_none=True)
    if order.work is not None:
        if beside := sorted(given.keys() - {"approve"}):
            raise InvalidRequest(f"Work is handed in by itself, without {', '.join(beside)}.", "Send it alone.")
        handed = await hand_in(jobs, call.run_id(), work_of(order.work), call.caller, enough=order.approve is True)
        if handed.faults:
            raise unusable(handed.faults)
        row = handed.row
    else:
        row = await reply(jobs, call.run_id(), reply_of(**given), call.caller)
    call.context.server.watch(jobs, row.run_id, call.caller)
    return await begun(jobs, row)


async def delete_run(call: Call) -> Response:
    """Delete a run with everything that only it holds."""
    jobs, run_id = await call.jobs(), call.run_id()
    return json_answer(b.Deleted(run_id=run_id, deleted=await remove_run(jobs, run_id, call.caller)))


async def estimate_research(call: Call) -> Response:
    """Say what a research would use, and start nothing."""
    jobs = await call.jobs()
    request = order_of(call, call.body(b.EstimateOrder))
    await background_of(request, partial(jobs.result, caller=call.caller))
    found = await jobs.runtime.estimate(request, call.caller)
    return json_answer(b.EstimateAnswer(estimate=found))


QUESTION = "How do PostgreSQL and SQLite handle concurrent writers?"

OPERATIONS = (
    Operation(
        "POST",
        RUNS,
        start_run,
        "Start a research",
        {202: BEGUN},
        "runs:write",
        "A running research of an equal question is joined, one that ended well lately is returned, unless `fresh`.",
        body=b.ResearchOrder,
        example={"question": QUESTION, "effort": "quick"},
        problems=(404, 429, 502),
    ),
    Operation(
        "GET", RUNS, list_runs, "List runs, newest first", {200: Answer("A page of runs.", RunList)}, query=b.RunQuery
    ),
    Operation(
        "GET", ONE, get_run, "The run object", {200: Answer("As it is now.", Run)}, query=b.WaitQuery, problems=(404,)
    ),
    Operation(
        "DELETE",
        ONE,
        delete_run,
        "Delete a run",
        {200: Answer("It is gone, its pages too unless another run holds them.", b.Deleted)},
        "runs:write",
        problems=(404,),
        conflicts=True,
    ),
    Operation(
        "GET",
        f"{ONE}/stream",
        stream_run,
        "Follow a run live",
        {200: Answer("Server-sent events.", None, ("text/event-stream",))},
        "runs:read",
        "The events of a session's stream; send Last-Event-ID to go on after one. It closes when the run ends.",
        problems=(404,),
    ),
    Operation(
        "POST",
        f"{ONE}/cancel",
        cancel_run,
        "Cancel a run",
        {202: BEGUN},
        "runs:write",
        "What it gathered is written up and kept. One that has ended stays as it is.",
        problems=(404,),
    ),
    Operation(
        "POST",
        f"{ONE}/resume",
        resume_run_,
        "Resume a run",
        {202: BEGUN},
        "runs:write",
        "No finished step is repeated. Raise the ceiling that was met.",
        body=b.ResumeOrder,
        example={"max_usd": 2.0},
        problems=(404, 429, 502),
        conflicts=True,
    ),
    Operation(
        "POST",
        f"{ONE}/fork",
        fork_run_,
        "Fork a run",
        {202: BEGUN},
        "runs:write",
        body=b.ForkOrder,
        example={"stage": "writer", "drafts": 2},
        problems=(404, 429, 502),
        conflicts=True,
    ),
    Operation(
        "POST",
        f"{ONE}/answer",
        answer_run,
        "Answer what a run waits for",
        {202: BEGUN},
        "runs:write",
        "`waiting` in the run object holds what it asks.",
        body=b.AnswerOrder,
        example={"approve": True},
        problems=(404, 429, 502),
        conflicts=True,
    ),
    Operation(
        "POST",
        "/research/checks",
        start_check,
        "Check the citations of a text or of a run",
        {202: BEGUN},
        "runs:write",
        "A check is a run; `checks` of its run object holds the verdicts.",
        body=b.CheckOrder,
        example={"text": "Ice floats on water [1].\n\n[1] https://example.org/ice"},
        problems=(404, 429, 502),
    ),
    Operation(
        "POST",
        "/research/estimate",
        estimate_research,
        "Estimate a research",
        {200: Answer("Likely use and ceilings.", b.EstimateAnswer)},
        "runs:read",
        body=b.EstimateOrder,
        example={"question": QUESTION},
        problems=(404, 502),
    ),
)
