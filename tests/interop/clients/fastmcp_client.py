"""A program with fastmcp's client; what it is asked by a form it answers, and it hears progress."""

import importlib
from typing import Any

import anyio
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from following import GIVEN, Follower
from mcp import MCPError

if GIVEN.get("tasks"):
    importlib.import_module("fastmcp_tasks")  # From then on every client declares that it takes tasks.

follower = Follower()
asked: list[str] = []
progress: list[str] = []


async def approve(message: str, *_: Any) -> dict[str, Any]:
    asked.append(message)
    return {"approve": True}


async def hear(value: float, total: float | None, message: str | None) -> None:
    progress.append(message or "")


async def main() -> None:
    transport = GIVEN.get("url") or StdioTransport(GIVEN["command"][0], GIVEN["command"][1:], env=GIVEN["env"])
    options = {"timeout": GIVEN["limit"], "mode": GIVEN["mode"], "progress_handler": hear}
    async with Client(transport, elicitation_handler=approve if GIVEN.get("forms") else None, **options) as client:
        call = follower.calls[0]
        while call:
            try:
                result = await client.call_tool_mcp(*call)
            except MCPError as error:
                call = follower.again(str(error))
            else:
                call = follower.after(result.content[0].text)
        runs = (await client.call_tool_mcp("list_runs", {})).structured_content
        [report] = await client.read_resource(f"research://runs/{runs['runs'][0]['run_id']}/report")
    follower.tell(runs, asked=asked, progress=progress, read=report.text)


anyio.run(main)
