"""`search_library`: full text over everything that was read or added, without the web."""

from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server import arguments as a
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.callers import most_bytes
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.results import LibraryResult, PassageLine, looked_up
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.text.markdown import visible

LibraryQuery = Annotated[str, Field(description="Words to look for.")]
Among = Annotated[list[str] | None, Field(description="Only these collections; default: all, and every page read.")]
_SHOWN = 1_200
"""Characters of a passage."""


async def search_library(
    query: LibraryQuery,
    ctx: Context[ServerContext],
    collections: Among = None,
    where: a.Where = None,
    limit: a.Hits = 10,
) -> LibraryResult:
    """Search the stored text of all pages that your researches read, and of collections. No web, no cost."""
    if not query.strip():
        raise InvalidRequest("The query is empty.", "Say what you want to find.")
    desk = ctx.request_context.lifespan_context
    runtime = (await desk.jobs()).runtime
    store = runtime.store
    caller = caller_of(ctx.request_context)
    await store.collections.of(caller).check(collections or ())
    found = await lazy.shelves.look_up(
        store.documents,
        query[:2000],
        collections=collections,
        caller=caller,
        limit=limit,
        where=lazy.shelves.conditions_of(where or ()),
        masker=runtime.masker,
    )
    result = LibraryResult(
        passages=[
            PassageLine(
                text=visible(lazy.screen.without_planted(one.text[:_SHOWN])),
                title=visible(lazy.screen.without_planted(one.title, "")),
                url=one.url,
                collection=one.collection,
                heading=visible(lazy.screen.without_planted(one.heading, "")),
                start=one.start,
                end=one.end,
            )
            for one in found
        ]
    )
    return looked_up(result, most_bytes(ctx.request_context, desk.settings))
