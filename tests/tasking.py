"""A client that takes tasks, as the tasks extension has it: it polls, and answers what it is asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
from mcp import Client, types
from mcp.client.extension import ClaimContext, ClientExtension, NotificationBinding, ResultClaim
from pydantic import ConfigDict

from deepresearch_mcp.mcp_server.tasks import TASKS, TaskParams, UpdateParams


class Handle(types.Result):
    model_config = ConfigDict(extra="allow")
    result_type: Literal["task"] = "task"
    task_id: str
    status: str


class Answer(types.Result):
    model_config = ConfigDict(extra="allow")


class Get(types.Request[TaskParams, Literal["tasks/get"]]):
    method: Literal["tasks/get"] = "tasks/get"
    params: TaskParams
    name_param = "taskId"


class Update(types.Request[UpdateParams, Literal["tasks/update"]]):
    method: Literal["tasks/update"] = "tasks/update"
    params: UpdateParams
    name_param = "taskId"


class Cancel(types.Request[TaskParams, Literal["tasks/cancel"]]):
    method: Literal["tasks/cancel"] = "tasks/cancel"
    params: TaskParams
    name_param = "taskId"


class Told(types.NotificationParams):
    model_config = ConfigDict(extra="allow")


@dataclass
class Tasking(ClientExtension):
    """Declares tasks; what it is asked it answers with `replies`, in order."""

    replies: list[dict[str, Any]] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    sampled: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """What its model answers to a request's parameters."""

    identifier = TASKS

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Handle, resolve=self.resolve)]

    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        async def hear(params: Told) -> None:
            self.told.append(params.model_dump(by_alias=True))

        return [NotificationBinding(method="notifications/tasks", params_type=Told, handler=hear)]

    async def resolve(self, handle: Handle, ctx: ClaimContext) -> types.CallToolResult:
        answered: set[str] = set()
        while True:
            state = await get(ctx.session, handle.task_id)
            self.seen.append(state)
            for key, asked in (state.get("inputRequests") or {}).items():
                if key not in answered:
                    answered.add(key)
                    if asked["method"] == "sampling/createMessage":
                        assert self.sampled
                        await update(ctx.session, handle.task_id, {key: self.sampled(asked["params"])})
                        continue
                    assert asked["method"] == "elicitation/create"
                    await update(ctx.session, handle.task_id, {key: self.replies.pop(0)})
            if state["status"] == "completed":
                return types.CallToolResult.model_validate(state["result"])
            if state["status"] in {"failed", "cancelled"}:
                return types.CallToolResult(content=[types.TextContent(type="text", text=state["status"])])
            await anyio.sleep(0.02)  # As a client: what it waits for is real, and short.


async def get(session: Any, task_id: str) -> dict[str, Any]:
    found = await session.send_request(Get(params=TaskParams(task_id=task_id)), Answer)
    return found.model_dump(by_alias=True)


async def update(session: Any, task_id: str, responses: Mapping[str, Any]) -> dict[str, Any]:
    params = UpdateParams(task_id=task_id, input_responses=dict(responses))
    return (await session.send_request(Update(params=params), Answer)).model_dump(by_alias=True)


async def cancel(session: Any, task_id: str) -> dict[str, Any]:
    return (await session.send_request(Cancel(params=TaskParams(task_id=task_id)), Answer)).model_dump(by_alias=True)


async def begin(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The handle of a task, with nobody to poll it."""
    found = await client.session.call_tool(tool, arguments, allow_claimed=True)
    return found.model_dump(by_alias=True)
