"""An agent of LangChain, whose model follows the text it is given."""

from datetime import timedelta
from typing import Any

import anyio
from following import GIVEN, Follower
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from mcp import McpError

follower = Follower()


def connection() -> dict[str, Any]:
    limit = {"session_kwargs": {"read_timeout_seconds": timedelta(seconds=GIVEN["limit"])}}
    if url := GIVEN.get("url"):
        return {"transport": "http", "url": url, **limit}
    command, *args = GIVEN["command"]
    return {"transport": "stdio", "command": command, "args": args, "env": GIVEN["env"], **limit}


async def answered(tools: dict[str, Any], call: Any) -> Any:
    """The message that LangChain makes of a call, as an agent's model is given it."""
    name, arguments = call
    made = {"type": "tool_call", "id": f"c{len(follower.calls)}", "name": name, "args": arguments}
    return await tools[name].ainvoke(made)


async def followed(tools: dict[str, Any]) -> dict[str, Any]:
    kinds = set()
    call = follower.calls[0]
    while call:
        try:
            message = await answered(tools, call)
        except McpError as error:
            call = follower.again(str(error))
        else:
            kinds |= {block["type"] for block in message.content}
            call = follower.after(message.content[0]["text"])
    listed = await answered(tools, ("list_runs", {}))
    return {"runs": listed.artifact["structured_content"], "kinds": sorted(kinds)}


async def main() -> None:
    client = MultiServerMCPClient({"research": connection()})
    if GIVEN["one_session"]:
        async with client.session("research") as session:
            seen = await followed({tool.name: tool for tool in await load_mcp_tools(session)})
    else:  # As LangChain does unless it is told otherwise: over stdio, a server for each call.
        seen = await followed({tool.name: tool for tool in await client.get_tools()})
    follower.tell(**seen)


anyio.run(main)
