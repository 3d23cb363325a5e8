"""The list of resources, which grows with the runs and has pages, and the completion of their ids."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.offered import EFFORTS
from deepresearch_mcp.mcp_server.pointers import about_of, links, moment, read_cursor, write_cursor
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.resources import JSON, RUNS, cards_of, claims_of
from deepresearch_mcp.mcp_server.server_context import ServerContext

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.records.run import RunRow

_PAGE = 50
"""Runs in one page of the list."""

_Request = ServerRequestContext[ServerContext, Any]


def add_handlers(server: "MCPServer[ServerContext]") -> None:
    """Serve the list of resources and the completion of their variables.

    The SDK's own list is static and knows no pages, and its own completion sees no request: hence its lower level,
    as the SDK's everything-server does it.
    """

    async def list_resources(ctx: _Request, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        cursor = params.cursor if params else None
        own = [] if cursor else await server.list_resources()
        listed, following = await _listed(await ctx.lifespan_context.jobs(), caller_of(ctx), cursor)
        return types.ListResourcesResult(resources=[*own, *listed], next_cursor=following)

    async def complete(ctx: _Request, params: types.CompleteRequestParams) -> types.CompleteResult:
        values: list[str] = []
        if isinstance(params.ref, types.ResourceTemplateReference) and params.ref.uri.startswith(RUNS):
            given = (params.context.arguments if params.context else None) or {}
            jobs, run_id = await ctx.lifespan_context.jobs(), given.get("run_id", "")
            known = await _known(jobs, caller_of(ctx), params.argument.name, run_id)
            values = [value for value in known if value.startswith(params.argument.value)]
        elif isinstance(params.ref, types.PromptReference) and params.argument.name == "effort":
            values = [effort for effort in EFFORTS if effort.startswith(params.argument.value)]
        more = len(values) > _COMPLETIONS
        return types.CompleteResult(
            completion=types.Completion(values=values[:_COMPLETIONS], total=len(values), has_more=more)
        )

    low = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - see above
    low.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
    low.add_request_handler("completion/complete", types.CompleteRequestParams, complete)


_COMPLETIONS = 100
"""The protocol's own limit."""


async def _listed(jobs: "Jobs", caller: str, cursor: str | None) -> tuple[list[types.Resource], str | None]:
    """One page of the list: all runs, then the reports of those that have one."""
    rows = await jobs.find(caller, limit=_PAGE + 1, before=read_cursor(cursor) if cursor else None)
    listed: list[types.Resource] = []
    if not cursor:
        about = "Research runs, newest first, with their state."
        listed.append(types.Resource(uri=RUNS, name="runs", title="Research runs", description=about, mime_type=JSON))
    for row in rows[:_PAGE]:
        sizes = await _sizes(jobs, row)
        for link, size in zip(links(row.run_id, row.request.question), sizes, strict=False):
            listed.append(
                types.Resource(
                    uri=link.uri,
                    # Some clients show the name, others the title, and none the two: either says what was asked.
                    name=f"{about_of(row.request.question)} · {link.name}",
                    title=link.title,
                    description=f"{link.title}. {row.status}, {moment(row.ended or row.updated)[:10]}.",
                    mime_type=link.mime_type,
                    size=size,
                    annotations=types.Annotations(
                        audience=["user", "assistant"],
                        priority=0.8 if link.name == "report.md" else 0.3,
                        last_modified=moment(row.ended or row.updated),
                    ),
                )
            )
    return listed, write_cursor(rows[_PAGE - 1]) if len(rows) > _PAGE else None


async def _sizes(jobs: "Jobs", row: "RunRow") -> list[int | None]:
    """Of a run's report, in both forms; none where it has none: runs that failed or were cancelled may have one."""
    reports = jobs.runtime.store.reports
    if row.status not in lazy.run.ENDED:
        return []
    folder = reports.place(row.run_id)
    sizes = await anyio.to_thread.run_sync(_stat, folder) if folder else []
    if sizes or row.status in {"completed", "partial"}:
        return sizes or [None, None]
    return [None, None] if not folder and await reports.read(row.run_id, "report.md") else []


def _stat(folder: str) -> list[int | None]:
    try:
        return [(Path(folder) / name).stat().st_size for name in ("report.md", "report.json")]
    except OSError:
        return []


async def _known(jobs: "Jobs", caller: str, name: str, run_id: str) -> list[str]:
    """The values there are for a variable; ids of claims and sources need the run's."""
    if name == "run_id":
        return [row.run_id for row in await jobs.find(caller, limit=1000)]
    try:
        row = await jobs.get(run_id, caller)
    except DeepResearchError:
        return []
    if name == "claim_id":
        return [claim.claim_id for claim in await claims_of(jobs, row)]
    return [card.source_id for card in await cards_of(jobs, row)] if name == "source_id" else []
