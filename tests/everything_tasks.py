"""Tasks by a script, for the conformance suite: the same extension that serves runs, with another keeper."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from mcp import types
from mcp.server.context import CallNext, HandlerResult
from mcp.server.extension import Extension
from mcp.server.mcpserver import Context, require_client_extension
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError

from deepresearch_mcp.mcp_server.server import ResearchServer
from deepresearch_mcp.mcp_server.tasks import MODERN, TASKS, ClientTask, Ctx, TaskStatus

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC).isoformat()


@dataclass
class Script:
    """One task."""

    task_id: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    status: TaskStatus = "working"
    asks: dict[str, Any] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    error: Any = None
    work: Any = None

    def task(self) -> ClientTask:
        open_asks = {key: asked for key, asked in self.asks.items() if key not in self.said}
        status = "input_required" if self.status == "working" and open_asks else self.status
        waits = open_asks if status == "input_required" else None
        return ClientTask(self.task_id, status, NOW, NOW, "", 3_600_000, waits, self.result, self.error)


def form(message: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"confirm": {"type": "boolean"}}}
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


class ScriptedTasks:
    """`tasks.Keeper` of the suite's tools."""

    tools = (
        "slow_compute",
        "failing_job",
        "protocol_error_job",
        "confirm_delete",
        "multi_input",
        "test_tool_with_task",
    )

    def __init__(self) -> None:
        self._scripts: dict[str, Script] = {}

    async def begin(
        self, params: types.CallToolRequestParams, ctx: Ctx, call_next: CallNext
    ) -> HandlerResult | ClientTask:
        if params.name == "test_tool_with_task" and params.input_responses is None:
            return await call_next(ctx)
        if params.name == "slow_compute" and (params.arguments or {}).get("seconds") == 0:
            return await call_next(ctx)
        count = {"confirm_delete": 1, "multi_input": 2}.get(params.name, 0)
        script = Script(asks={secrets.token_hex(4): form(f"Question {number}") for number in range(count)})
        self._scripts[script.task_id] = script
        if not count:
            script.work = asyncio.create_task(self._work(script, ctx, call_next))
        return script.task()

    async def _work(self, script: Script, ctx: Ctx, call_next: CallNext) -> None:
        try:
            result: Any = await call_next(ctx)
            script.result = result.model_dump(by_alias=True, mode="json", exclude_none=True)
            script.status = "completed"
        except MCPError as error:
            script.error, script.status = error.error.model_dump(exclude_none=True), "failed"
        except asyncio.CancelledError:
            script.status = "cancelled"

    async def find(self, task_id: str, ctx: Ctx) -> ClientTask | None:
        script = self._scripts.get(task_id)
        return script.task() if script else None

    async def update(self, task_id: str, responses: Mapping[str, Any], ctx: Ctx) -> None:
        script = self._scripts[task_id]
        script.said |= {key: said for key, said in responses.items() if key in script.asks}
        if len(script.said) == len(script.asks) and script.status == "working":
            script.result = {"content": [{"type": "text", "text": "answered"}]}
            script.status = "completed"

    async def cancel(self, task_id: str, ctx: Ctx) -> None:
        script = self._scripts[task_id]
        if script.status == "working":
            script.status = "cancelled"
            if script.work:
                script.work.cancel()


class NeedsTasks(Extension):
    """Refuses clients without tasks where a tool has nothing else to give."""

    identifier = "test.deepresearch/needs-tasks"

    async def intercept_tool_call(
        self, params: types.CallToolRequestParams, ctx: Ctx, call_next: CallNext
    ) -> HandlerResult:
        if params.name in {"failing_job", "test_tool_with_task"} and ctx.protocol_version == MODERN:
            require_client_extension(ctx, TASKS)
        return await call_next(ctx)


def add_task_tools(server: ResearchServer) -> None:
    @server.tool(description="A fixture of the conformance suite.")
    def greet(name: str) -> str:
        return f"Hello, {name}!"

    @server.tool(description="A fixture of the conformance suite.")
    async def slow_compute(seconds: float = 0, label: str = "") -> str:
        await asyncio.sleep(seconds)
        return f"computed {label}"

    @server.tool(description="A fixture of the conformance suite.")
    async def failing_job() -> str:
        await asyncio.sleep(0.5)
        raise ToolError("The job failed, as it should.")

    @server.tool(description="A fixture of the conformance suite.")
    async def protocol_error_job() -> str:
        raise MCPError(code=types.INTERNAL_ERROR, message="The job broke the protocol.")

    @server.tool(description="A fixture of the conformance suite.")
    async def confirm_delete(filename: str = "") -> str:
        return f"deleted {filename}"

    @server.tool(description="A fixture of the conformance suite.")
    async def multi_input() -> str:
        return "both there"

    @server.tool(description="A fixture of the conformance suite.")
    async def test_tool_with_task(ctx: Context[Any]) -> str | types.InputRequiredResult:
        answer: Any = (ctx.input_responses or {}).get("user_name")
        if answer is None:
            params = form("What is your name?")["params"]
            params["requestedSchema"] = {"type": "object", "properties": {"name": {"type": "string"}}}
            asked = types.ElicitRequest(params=types.ElicitRequestFormParams.model_validate(params))
            return types.InputRequiredResult(input_requests={"user_name": asked}, request_state="begun")
        return f"Hello, {answer.content['name']}!"
