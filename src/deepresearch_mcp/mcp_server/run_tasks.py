"""Runs as tasks: a task *is* a run, so it outlives the request, the client and the server."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, cast

from mcp import types
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from typing_extensions import override

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, UnknownRun
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.attaching import AS_TASK
from deepresearch_mcp.mcp_server.callers import most_bytes
from deepresearch_mcp.mcp_server.forms import form_of, reply_from, shows_forms
from deepresearch_mcp.mcp_server.outcomes import outcome
from deepresearch_mcp.mcp_server.packets import answered_by, requests_of, samples
from deepresearch_mcp.mcp_server.pointers import moment
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.tasks import ClientTask, Ctx, TaskKeeper, unknown_task

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.records.run import RunRow

_DAY_MS = 24 * 60 * 60 * 1000


class RunTasks(TaskKeeper):
    """Keeps researches and checks; a task's id is the run's, of 128 random bits."""

    @property
    @override
    def tools(self) -> Collection[str]:
        return ("deep_research", "check_citations")

    @override
    async def begin(
        self, params: types.CallToolRequestParams, ctx: Ctx, call_next: CallNext
    ) -> HandlerResult | ClientTask:
        # A call that says how long to wait wants no task, and a run that has ended is answered at once.
        if "wait_seconds" in (params.arguments or {}):
            return await call_next(ctx)
        begun: list[str] = []
        token = AS_TASK.set(begun)
        try:
            result = await call_next(ctx)
        finally:
            AS_TASK.reset(token)
        task = await self.find(begun[0], ctx) if begun else None
        return task or result

    @override
    async def find(self, task_id: str, ctx: Ctx) -> ClientTask | None:
        desk: ServerContext = ctx.lifespan_context
        try:
            jobs, caller = await desk.jobs(), caller_of(ctx)
            row = await jobs.get(task_id, caller)
            if row.status == "interrupted":
                # Its server has died: it continues here, where nothing else was configured.
                await jobs.adopt()
                row = await jobs.get(task_id, caller)
            return await _task(desk, jobs, row, ctx)
        except UnknownRun:
            return None
        except DeepResearchError as error:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(error)) from error

    @override
    async def update(self, task_id: str, responses: Mapping[str, Any], ctx: Ctx) -> None:

        desk: ServerContext = ctx.lifespan_context
        try:
            jobs, caller = await desk.jobs(), caller_of(ctx, "runs:write")
            inquiry = (await jobs.result(task_id, caller)).waiting
            if inquiry is not None and inquiry.kind == "work":
                await lazy.handing.hand_in(jobs, task_id, answered_by(responses), caller, check=False)
                desk.watch(jobs, task_id, caller)
                return
            answer = responses.get(inquiry.inquiry_id) if inquiry else None
            if inquiry is None or not isinstance(answer, Mapping):
                return
            said = reply_from(inquiry, cast("Mapping[str, Any]", answer))
            if said is None:
                desk.put_away.add((task_id, inquiry.inquiry_id))
            else:
                await lazy.replies.reply(jobs, task_id, said, caller)
            desk.watch(jobs, task_id, caller)
        except UnknownRun as error:
            raise unknown_task(task_id) from error
        except DeepResearchError as error:
            code = types.INVALID_PARAMS if isinstance(error, InvalidRequest) else types.INTERNAL_ERROR
            raise MCPError(code=code, message=str(error)) from error

    @override
    async def cancel(self, task_id: str, ctx: Ctx) -> None:
        desk: ServerContext = ctx.lifespan_context
        try:
            await (await desk.jobs()).cancel(task_id, caller_of(ctx, "runs:write"), wait_seconds=0)
        except UnknownRun as error:
            raise unknown_task(task_id) from error
        except DeepResearchError as error:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(error)) from error


async def _task(desk: ServerContext, jobs: "Jobs", row: "RunRow", ctx: Ctx) -> ClientTask:
    forms, sampling = shows_forms(ctx), samples(ctx)
    days = desk.settings.keep.runs_days
    lasts = (row.ended or row.updated) - row.created
    ttl = int(days * _DAY_MS + lasts * 1000) if days else None
    line = (await jobs.progress(row)).line()

    def task(status: Any, message: str = line, **more: Any) -> ClientTask:  # noqa: ANN401 - checked where it is made
        return ClientTask(row.run_id, status, moment(row.created), moment(row.updated), message, ttl, **more)

    if row.status in {"queued", "running"}:
        return task("working", f"being cancelled · {line}" if row.cancel else line)
    if row.status == "cancelled":
        return task("cancelled", f'Cancelled; what was found until then: get_report(run_id="{row.run_id}")')
    if row.status == "input_required":
        run = await jobs.result(row.run_id, row.caller)
        asked = run.waiting
        if asked is None:  # It was answered between two looks.
            return task("working")
        if asked.kind == "work" and sampling:
            wanted = {
                name: request.model_dump(by_alias=True, mode="json", exclude_none=True)
                for name, request in requests_of(asked).items()
            }
            return task("input_required", f"waiting for your model · {asked.text}", requests=wanted)
        if forms and asked.kind != "work" and (row.run_id, asked.inquiry_id) not in desk.put_away:
            form = types.ElicitRequest(params=form_of(run)).model_dump(by_alias=True, mode="json", exclude_none=True)
            return task("input_required", f"waiting for you · {asked.text}", requests={asked.inquiry_id: form})
    # The words that name continue_research are the result for a client that cannot ask its user.
    result = await outcome(desk, jobs, row, most_bytes(ctx, desk.settings))
    return task("completed", result=result.model_dump(by_alias=True, mode="json", exclude_none=True))
