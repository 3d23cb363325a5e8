"""The MCP App: `show_report`, and the page that shows a run live and its report with every citation openable."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp import types
from mcp.server.apps import APP_MIME_TYPE, Apps, ResourceCsp, client_supports_apps
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resources import FunctionResource

from deepresearch_mcp.mcp_server import arguments as a
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.callers import most_bytes
from deepresearch_mcp.mcp_server.outcomes import asked_of, describe_run
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.texts import Slice, call

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.records.run import RunRow

PAGE = "ui://deepresearch/report.html"

STATE = "deepresearch/run"
"""Where the page finds the run's state beside the result's text: no client shows it to its model."""

_CEILINGS = ("max_usd", "max_tokens", "max_searches", "max_pages", "max_minutes")


def report_app() -> Apps:
    """The extension, to be given to the server; the page itself is read when it is asked for."""
    apps = Apps()
    hints = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, open_world_hint=False, idempotent_hint=True
    )
    about = " ".join((show_report.__doc__ or "").split())
    apps.tool(resource_uri=PAGE, title="Show a report", description=about, annotations=hints, structured_output=False)(
        show_report
    )
    # Empty lists: it loads nothing and connects to nothing.
    csp = ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[])
    apps.add_resource(
        FunctionResource(
            uri=PAGE,
            name="report-page",
            title="Report page",
            description="Shows a run live, then its report with every quote inside its source.",
            mime_type=APP_MIME_TYPE,
            meta={"ui": {"csp": csp.model_dump(by_alias=True), "prefersBorder": True}},
            fn=_page,
        )
    )
    return apps


async def _page() -> str:

    # Imported in a thread as well: it takes some 40 ms.
    html_report = await anyio.to_thread.run_sync(lambda: lazy.html_report)
    return await anyio.to_thread.run_sync(html_report.app_page)


async def show_report(run_id: a.RunId, ctx: Context[ServerContext]) -> types.CallToolResult:
    """Show the user a run: live while it lasts, then its report, where each citation opens its quote."""
    desk = ctx.request_context.lifespan_context
    jobs = await desk.jobs()
    row = await jobs.get(run_id.strip(), caller_of(ctx.request_context))
    if client_supports_apps(ctx):
        result = types.CallToolResult(content=[types.TextContent(type="text", text=_seen(row))])
    else:
        result = await describe_run(desk, jobs, row, Slice(), longest=most_bytes(ctx.request_context, desk.settings))
    result.meta = {STATE: await _state(jobs, row)}
    return result


def _seen(row: "RunRow") -> str:
    """What the model reads where the user sees the page: no second copy of the report."""
    how = call("get_report", run_id=row.run_id)
    return f"The user sees run {row.run_id}, which is {row.status}, on a page that follows it. Its text: {how}"


async def _state(jobs: "Jobs", row: "RunRow") -> dict[str, Any]:

    progress = await jobs.progress(row)
    # A check of citations has fewer ceilings, and those it has may be left open.
    limits = getattr(row.request, "shape", row.request)
    state: dict[str, Any] = {
        "run_id": row.run_id,
        "status": row.status,
        "stage": progress.stage,
        "question": row.request.question,
        "progress": progress.line(),
        "cancelling": row.cancel,
        "figures": asdict(progress),
        "ceilings": {name: most for name in _CEILINGS if (most := getattr(limits, name, None)) is not None},
    }
    return state | await asked_of(jobs, row)
