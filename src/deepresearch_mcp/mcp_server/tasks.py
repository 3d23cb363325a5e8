"""The tasks extension (SEP-2663): a call that takes long is answered by a handle, which the client polls.

What a task is made of is left to its keepers; here stand the rules of the protocol that hold for all of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from mcp import types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension, MethodBinding
from mcp.server.mcpserver import require_client_extension
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from pydantic import Field
from typing_extensions import override

from deepresearch_mcp.mcp_server.callers import gives_name

TASKS = "io.modelcontextprotocol/tasks"
"""What clients declare to be given tasks."""

MODERN = "2026-07-28"
"""The one revision there is so far on which tasks can be told from results."""

POLL_MS = 2000

Ctx = ServerRequestContext[Any, Any]

TaskStatus = Literal["working", "input_required", "completed", "failed", "cancelled"]


class TaskParams(types.RequestParams):
    """Names a task."""

    task_id: str


class UpdateParams(TaskParams):
    """Answers to the questions of a task, by their keys."""

    input_responses: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClientTask:
    """A task as its client sees it."""

    task_id: str
    status: TaskStatus
    created: str
    """ISO 8601, UTC."""
    updated: str
    message: str = ""
    ttl_ms: int | None = None
    """None: it is kept without a limit."""
    requests: Mapping[str, Any] | None = None
    """What it asks, while `input_required`."""
    result: Mapping[str, Any] | None = None
    """The tool's result, once `completed`."""
    error: Mapping[str, Any] | None = None
    """A JSON-RPC error, once `failed`."""

    def handle(self) -> dict[str, Any]:
        """What a call is answered with in the place of its result."""
        told: dict[str, Any] = {
            "taskId": self.task_id,
            "status": self.status,
            "createdAt": self.created,
            "lastUpdatedAt": self.updated,
            "ttlMs": self.ttl_ms,
            "pollIntervalMs": POLL_MS,
        }
        return told | ({"statusMessage": self.message} if self.message else {})

    def whole(self) -> dict[str, Any]:
        """All of it, with what its status brings along."""
        more = {"inputRequests": self.requests, "result": self.result, "error": self.error}
        return self.handle() | {name: value for name, value in more.items() if value is not None}


class TaskKeeper(Protocol):
    """Makes tasks of some tools' calls, and keeps them."""

    @property
    def tools(self) -> Collection[str]:
        """Names of the tools whose calls become tasks."""
        ...

    async def begin(
        self, params: types.CallToolRequestParams, ctx: Ctx, call_next: CallNext
    ) -> HandlerResult | ClientTask:
        """Make a task of a call, or answer it as `call_next` does; the task can be found before this returns."""
        ...

    async def find(self, task_id: str, ctx: Ctx) -> ClientTask | None:
        """The task, if it is this caller's."""
        ...

    async def update(self, task_id: str, responses: Mapping[str, Any], ctx: Ctx) -> None:
        """Take answers; those to questions that are not open are ignored."""
        ...

    async def cancel(self, task_id: str, ctx: Ctx) -> None:
        """End the task, if it has not ended."""
        ...


class Tasks(Extension):
    """Serves the tasks of its keepers to clients that declare the extension, and hides them from all others."""

    identifier = TASKS

    def __init__(self, keepers: Sequence[TaskKeeper]) -> None:
        self._keepers = keepers

    @override
    def methods(self) -> Sequence[MethodBinding]:
        modern = frozenset({MODERN})
        return [
            MethodBinding("tasks/get", TaskParams, self._get, modern),
            MethodBinding("tasks/update", UpdateParams, self._update, modern),
            MethodBinding("tasks/cancel", TaskParams, self._cancel, modern),
        ]

    @override
    async def intercept_tool_call(
        self, params: types.CallToolRequestParams, ctx: Ctx, call_next: CallNext
    ) -> HandlerResult:
        if takes_tasks(ctx):
            for keeper in self._keepers:
                if params.name in keeper.tools:
                    begun = await keeper.begin(params, ctx, call_next)
                    return {"resultType": "task", **begun.handle()} if isinstance(begun, ClientTask) else begun
        return await call_next(ctx)

    async def known(self, task_id: str, ctx: Ctx) -> ClientTask | None:
        """The task of this name, if it is this caller's."""
        for keeper in self._keepers:
            if (task := await keeper.find(task_id, ctx)) is not None:
                return task
        return None

    async def _get(self, ctx: Ctx, params: TaskParams) -> HandlerResult:
        _, task = await self._asked(ctx, params)
        return {"resultType": "complete", **task.whole()}

    async def _update(self, ctx: Ctx, params: UpdateParams) -> HandlerResult:
        keeper, task = await self._asked(ctx, params)
        await keeper.update(task.task_id, params.input_responses, ctx)
        return {"resultType": "complete"}

    async def _cancel(self, ctx: Ctx, params: TaskParams) -> HandlerResult:
        keeper, task = await self._asked(ctx, params)
        await keeper.cancel(task.task_id, ctx)
        return {"resultType": "complete"}

    async def _asked(self, ctx: Ctx, params: TaskParams) -> tuple[TaskKeeper, ClientTask]:
        require_client_extension(ctx, TASKS)
        headers = _headers(ctx)
        # A proxy that routes by the header must find the task that we find: a missing one is as wrong as another's.
        if headers is not None and decode_header_value(headers.get(MCP_NAME_HEADER)) != params.task_id:
            text = "The header Mcp-Name is missing, or names another task than taskId. Send the task's id in both."
            raise MCPError(code=types.HEADER_MISMATCH, message=text)
        for keeper in self._keepers:
            if (task := await keeper.find(params.task_id, ctx)) is not None:
                return keeper, task
        raise unknown_task(params.task_id)


def takes_tasks(ctx: Ctx) -> bool:
    """Whether this client can be answered by a task.

    Over HTTP a client without a name cannot: that is fastmcp, which asks for its tasks without the header Mcp-Name
    (4.1), and the protocol would have us refuse that. It is answered like clients without tasks.
    """
    capabilities = ctx.session.client_capabilities
    declared = ctx.protocol_version == MODERN and TASKS in ((capabilities and capabilities.extensions) or {})
    return declared and (_headers(ctx) is None or gives_name(ctx.session))


def _headers(ctx: Ctx) -> Mapping[str, str] | None:
    return getattr(ctx.request, "headers", None)


def unknown_task(task_id: str) -> MCPError:
    """The error of the protocol for a task that there is not, or that is another caller's."""
    return MCPError(
        code=types.INVALID_PARAMS,
        message=f"There is no task {task_id[:60]!r}. The tool list_runs shows the runs there are.",
        data={"taskId": task_id[:200]},
    )
