import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.server.mcpserver import Context

from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.mcp_server.server_context import ServerContext
from small_web import QUESTION, SmallWeb, said, settings_for

ASK = {"question": QUESTION, "effort": "quick"}
HOST = types.Implementation(name="host", version="1")
"""Who says its name is told in rounds how far a run is."""


async def form(_: Any, params: Any) -> types.ElicitResult:
    raise AssertionError("the test answers the round itself")


async def first_round(client: Client, **more: Any) -> types.InputRequiredResult:
    first = await client.session.call_tool("deep_research", {**ASK, **more}, allow_input_required=True)
    assert isinstance(first, types.InputRequiredResult)
    return first


async def test_a_call_begun_at_one_server_is_finished_at_another_on_the_same_data(
    held_web: SmallWeb, tmp_path: Path
) -> None:
    async with Client(build_server(settings_for(tmp_path, held_web.base, wait_seconds=0)), client_info=HOST) as client:
        first = await first_round(client)
    held_web.open.set()
    async with Client(build_server(settings_for(tmp_path, held_web.base)), client_info=HOST) as client:
        result = await client.session.call_tool("deep_research", ASK, request_state=first.request_state)

    assert said(result).startswith(f"# {QUESTION}")


async def test_what_the_user_answers_reaches_another_server(web: SmallWeb, tmp_path: Path) -> None:
    asking = {**ASK, "approve_plan": True}
    async with Client(
        build_server(settings_for(tmp_path, web.base)), client_info=HOST, elicitation_callback=form
    ) as client:
        first = await first_round(client, approve_plan=True)
    [key] = first.input_requests or {}
    answer = {key: types.ElicitResult(action="accept", content={"approve": True})}
    async with Client(
        build_server(settings_for(tmp_path, web.base)), client_info=HOST, elicitation_callback=form
    ) as client:
        result = await client.session.call_tool(
            "deep_research", asking, request_state=first.request_state, input_responses=answer
        )

    assert said(result).startswith(f"# {QUESTION}")


async def test_a_server_on_other_data_reads_none_of_it(held_web: SmallWeb, tmp_path: Path) -> None:
    async with Client(
        build_server(settings_for(tmp_path / "one", held_web.base, wait_seconds=0)), client_info=HOST
    ) as client:
        first = await first_round(client)
    async with Client(build_server(settings_for(tmp_path / "other", held_web.base)), client_info=HOST) as client:
        with pytest.raises(MCPError, match="Invalid or expired requestState"):
            await client.session.call_tool("deep_research", ASK, request_state=first.request_state)


async def test_what_was_sealed_before_the_store_was_open_is_still_read(held_web: SmallWeb, tmp_path: Path) -> None:
    server = build_server(settings_for(tmp_path, held_web.base, wait_seconds=0))

    @server.tool()
    async def count(ctx: Context[ServerContext]) -> types.CallToolResult | types.InputRequiredResult:
        if ctx.request_state is None:
            return types.InputRequiredResult(request_state="1")
        return types.CallToolResult(content=[types.TextContent(type="text", text=ctx.request_state)])

    async with Client(server, client_info=HOST) as client:
        first = await client.session.call_tool("count", {}, allow_input_required=True)
        await client.call_tool("list_runs", {})
        assert isinstance(first, types.InputRequiredResult)
        result = await client.session.call_tool("count", {}, request_state=first.request_state)

    assert said(result) == "1"


@pytest.mark.interop
async def test_a_call_begun_over_one_process_is_finished_over_another(
    child_env: dict[str, str], held_web: SmallWeb
) -> None:
    env = child_env | {
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": held_web.base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": held_web.base.removeprefix("http://"),
        "DEEPRESEARCH_SERVER__WAIT_SECONDS": "0",
    }
    server = StdioServerParameters(command=sys.executable, args=["-m", "deepresearch_mcp", "serve"], env=env)
    async with Client(server, client_info=HOST) as client:
        first = await first_round(client)
    held_web.open.set()
    server.env = env | {"DEEPRESEARCH_SERVER__WAIT_SECONDS": "45"}
    async with Client(server, client_info=HOST) as client:
        result = await client.session.call_tool("deep_research", ASK, request_state=first.request_state)

    assert said(result).startswith(f"# {QUESTION}")
