"""The result of a tool that asked about a run, as the run is now."""

from typing import TYPE_CHECKING, Any

from mcp import types

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server import lazy, packets, texts
from deepresearch_mcp.mcp_server.checked import check_result
from deepresearch_mcp.mcp_server.pointers import links
from deepresearch_mcp.mcp_server.results import CheckResult
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.timeouts import next_wait
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.text.utf8 import size

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.mcp_server.tasks import Ctx
    from deepresearch_mcp.records.run import Run, RunRow


async def describe_run(
    desk: ServerContext,
    jobs: "Jobs",
    row: "RunRow",
    part: texts.Slice,
    patience: float = texts.NEXT_WAIT,
    *,
    longest: int,
    linked: bool = True,
    sampled: bool = False,
) -> types.CallToolResult:
    """The text about a run as it is now, in at most `longest` bytes; `patience`: seconds that the next call waits.

    A report comes with links, unless they are not wanted: LangChain hands them to models as files at that address,
    which the APIs of OpenAI and Anthropic refuse together with the report. With `sampled` the client's model is asked
    by its client, not by the text.
    """
    if row.status == "interrupted":
        return as_text(texts.interrupted(row.run_id))
    if row.status == "input_required":
        run = await jobs.result(row.run_id, row.caller)
        if run.waiting and run.waiting.kind == "work":
            return as_text(packets.sampled(run) if sampled else packets.work_text(run, longest, offset=part.offset))
        return as_text(texts.waiting(run))
    if row.status in {"running", "queued"}:
        progress = await jobs.progress(row)
        seen, desk.told[row.run_id] = desk.told.get(row.run_id), progress.events
        if seen == progress.events and row.status == "running" and not row.cancel:
            return as_text(texts.nothing_new(row.run_id, patience))
        return as_text(texts.still_running(row, progress, patience))
    desk.told.pop(row.run_id, None)

    run = await jobs.result(row.run_id, row.caller)
    if run.status == "failed" and (not run.citations or lazy.pending_ends.model_error(run)):
        return as_text(lazy.ending.failure_line(run), is_error=True)
    beside = links(run.run_id, run.question) if linked and run.report and part == texts.Slice() else []
    # Clients hand their models the links as they are, within the same limit.
    room = longest - sum(size(one.model_dump_json()) for one in beside)
    result = as_text(texts.report_text(run, part, room, _offer(desk, run)))
    result.content += beside
    return result


def _offer(desk: ServerContext, run: "Run") -> str:
    """What a digest offers: nothing where a digest was asked for, or where the tools for more are not offered."""
    tools = desk.settings.server.toolsets
    if "research" not in tools or not lazy.digests.lacked_a_model(run, desk.settings.model.use):
        return ""
    return texts.written_by_you(run.run_id, checks="check" in tools)


async def asked_of(jobs: "Jobs", row: "RunRow") -> dict[str, Any]:
    """What a run waits for, as `waiting` for a viewer. Work is long and not for a user, so its packets are left out."""
    inquiry = (await jobs.result(row.run_id, row.caller)).waiting if row.status == "input_required" else None
    return {"waiting": inquiry.model_dump(mode="json", exclude={"packets"})} if inquiry else {}


async def outcome(desk: ServerContext, jobs: "Jobs", row: "RunRow", longest: int) -> types.CallToolResult:
    """What the tool that began this run returns of it: text of a research, figures of a check."""
    if not isinstance(row.request, lazy.checks.CheckRequest):
        return await describe_run(desk, jobs, row, texts.Slice(), longest=longest)
    try:
        found = check_result(await jobs.result(row.run_id, row.caller), await jobs.progress(row), longest)
    except DeepResearchError as error:
        return as_text(str(error), is_error=True)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=found.model_dump_json())],
        structured_content=found.model_dump(mode="json"),
    )


def still_opening(
    desk: ServerContext, ctx: "Ctx", tool: str, run_id: str, seconds: float, *, as_json: bool
) -> types.CallToolResult:
    """The result of a call whose run begins once the engine is open: the caller is answered before that."""
    patience = next_wait(ctx, desk.settings, desk.timeouts, run_id, texts.NEXT_WAIT)
    if tool != "check_citations" and not as_json:
        return as_text(texts.still_opening(run_id, seconds, patience))
    again = texts.call("get_report", run_id=run_id, wait_seconds=int(patience))
    found = CheckResult(run_id=run_id, status="queued", progress=f"starting · {seconds:.0f} s", next=again)
    told = as_text(found.model_dump_json())
    return told if as_json else told.model_copy(update={"structured_content": found.model_dump(mode="json")})


def as_text(text: str, *, is_error: bool = False) -> types.CallToolResult:
    """A result that any client can show its model."""
    # Words that only the model would see, and lone surrogates, which cannot be sent, are no part of an answer.
    text = visible(text)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)
