"""An agent of openai-agents, with its own time-out of five seconds or a longer one; its model follows the text."""

import json
from typing import Any

import anyio
from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from agents.mcp import MCPServerStdio
from following import GIVEN, Follower
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

follower = Follower()


class Scripted(Model):
    """Reads the last result, and calls what it names."""

    async def get_response(self, **given: Any) -> ModelResponse:
        last = given["input"][-1]
        call = follower.calls[0]
        if last.get("type") == "function_call_output":
            text = text_of(last["output"])
            call = follower.again(text) if text.startswith("An error occurred") else follower.after(text)
        return ModelResponse(output=[as_item(call)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def text_of(output: Any) -> str:
    if isinstance(output, str):
        return output
    return "\n".join(one.get("text", "") for one in output)


def as_item(call: Any) -> Any:
    if call is None:
        done = ResponseOutputText(text="Done.", type="output_text", annotations=[])
        return ResponseOutputMessage(id="m", content=[done], role="assistant", status="completed", type="message")
    tool, arguments = call
    return ResponseFunctionToolCall(
        arguments=json.dumps(arguments), call_id=f"c{len(follower.calls)}", name=tool, type="function_call"
    )


async def main() -> None:
    params = {"command": GIVEN["command"][0], "args": GIVEN["command"][1:], "env": GIVEN["env"]}
    patience = {"client_session_timeout_seconds": GIVEN["patience"]} if "patience" in GIVEN else {}
    async with MCPServerStdio(params, **patience) as server:
        agent = Agent(name="Researcher", model=Scripted(), mcp_servers=[server])
        result = await Runner.run(agent, GIVEN["question"], run_config=RunConfig(tracing_disabled=True), max_turns=20)
        runs = await server.call_tool("list_runs", {})
    follower.tell(runs.structured_content, final=result.final_output)


anyio.run(main)
