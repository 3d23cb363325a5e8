"""An agent of pydantic-ai, whose model follows the text it is given."""

from typing import Any

import anyio
from fastmcp.client.transports import StdioTransport
from following import GIVEN, Follower
from pydantic_ai import Agent, ModelMessage, ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.function import FunctionModel

follower = Follower()


async def scripted(messages: list[ModelMessage], info: Any) -> ModelResponse:
    last = messages[-1].parts[-1]
    call = follower.calls[0]
    if isinstance(last, RetryPromptPart):
        call = follower.again(str(last.content))
    elif isinstance(last, ToolReturnPart):
        content = last.content if isinstance(last.content, list) else [last.content]
        call = follower.after(str(content[0]))
    if call is None:
        return ModelResponse(parts=[TextPart("Done.")])
    return ModelResponse(parts=[ToolCallPart(*call)])


async def main() -> None:
    client: Any = GIVEN.get("url") or StdioTransport(GIVEN["command"][0], GIVEN["command"][1:], env=GIVEN["env"])
    toolset = MCPToolset(client, read_timeout=GIVEN["limit"], max_retries=3)
    agent = Agent(FunctionModel(scripted), toolsets=[toolset])
    async with toolset:
        result = await agent.run(GIVEN["question"])
        runs = await toolset.direct_call_tool("list_runs", {})
    follower.tell(runs, final=result.output)


anyio.run(main)
