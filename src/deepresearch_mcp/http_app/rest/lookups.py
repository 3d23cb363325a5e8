"""`/search` and `/fetch`: one search, one page, without a run."""

from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.rest import bodies as b
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, json_answer
from deepresearch_mcp.jobs.lookups import fetch_page, search_web
from deepresearch_mcp.mcp_server.results import SearchResult, search_result
from deepresearch_mcp.text.library_urls import LIBRARY


async def search(call: Call) -> Response:
    """Ask the engines once, and fuse what they find."""
    order = call.body(b.SearchOrder)
    found = await search_web((await call.jobs()).runtime, caller=call.caller, **dict(order))
    return json_answer(search_result(found))


async def fetch(call: Call) -> Response:
    """Read one page as Markdown, or the passages that answer a question."""
    order = call.body(b.FetchOrder)
    if order.url.strip().lower().startswith(LIBRARY.removesuffix("//")):
        raise InvalidRequest("This reads web pages, not local collections.", "Search those with /library/search.")
    found = await fetch_page(
        (await call.jobs()).runtime, order.url, question=order.question, offset=order.offset, limit=order.limit
    )
    document = found.document
    return json_answer(
        b.PageAnswer(
            url=document.url,
            title=document.title,
            published=document.published,
            kind=document.kind,
            length=document.length,
            flags=list(document.flags),
            pieces=[
                b.PagePiece(start=one.start, end=one.end, heading=one.heading, text=one.text) for one in found.extracts
            ],
            next_offset=found.next_offset,
        )
    )


OPERATIONS = (
    Operation(
        "POST",
        "/search",
        search,
        "Search the web once",
        {200: Answer("Hits of all engines, fused.", SearchResult)},
        "runs:write",
        tag="lookups",
        body=b.SearchOrder,
        example={"query": "PostgreSQL snapshot isolation", "limit": 5},
        problems=(429, 502),
    ),
    Operation(
        "POST",
        "/fetch",
        fetch,
        "Read one page",
        {200: Answer("The page, or passages of it.", b.PageAnswer)},
        "runs:write",
        tag="lookups",
        body=b.FetchOrder,
        example={"url": "https://example.org/", "limit": 2000},
        problems=(424,),
    ),
)
