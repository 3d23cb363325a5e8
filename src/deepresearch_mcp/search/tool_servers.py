"""Other MCP servers whose tools are used as search engines: each is connected once, for all runs of a process."""

import logging
import math
import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib import import_module
from types import TracebackType
from typing import Any, Protocol, Self, cast

import anyio
import httpx2
from anyio.abc import TaskGroup

from deepresearch_mcp.exceptions import UNREACHABLE, ProviderError, UnreadableAnswer
from deepresearch_mcp.search.errors import NothingSent
from deepresearch_mcp.settings.tool_engines import ToolEngine

_log = logging.getLogger(__name__)

LONGEST_START = 60.0
"""Seconds that a server may take to start; `npx` and `uvx` may download it first."""
_MOST_PAGES = 20
"""Most pages of a server's list of tools."""
_CONNECTION_CLOSED = -32000
"""The SDK's code for a request whose connection ended."""

Schema = Mapping[str, Any]


class ToolResult(Protocol):
    """The SDK's `CallToolResult`, as far as we use it."""

    content: list[Any]
    structured_content: Any
    is_error: bool | None


class Connections(Protocol):
    """Calls tools of other MCP servers."""

    async def call(self, engine: ToolEngine, arguments_for: Callable[[Schema], dict[str, Any]]) -> ToolResult:
        """Call a tool with the arguments that its input schema asks for.

        Raises:
            ProviderError: The server cannot be started or reached, lacks the tool, or refuses the call.
        """
        ...


@dataclass(slots=True, eq=False)
class _Connection:
    """A server that is being connected, connected, or lost."""

    ready: anyio.Event = field(default_factory=anyio.Event)
    """Set once it is connected, or has failed."""
    done: anyio.Event = field(default_factory=anyio.Event)
    """Set to close it."""
    client: Any = None
    schemas: dict[str, Schema] = field(default_factory=dict[str, Schema])
    """Input schema by name of tool."""


class ToolServers(Connections):
    """Starts a server when it is first asked, keeps it for later queries, and closes it with this context.

    A server that has ended is started again by the next query. Its standard error goes nowhere, since it is not ours
    to show, and it gets none of our environment but what the SDK passes on: PATH, HOME and the like.
    """

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http
        self._open: dict[str, _Connection] = {}
        self._tasks: TaskGroup | None = None

    async def __aenter__(self) -> Self:
        self._tasks = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks, self._tasks = self._tasks, None
        if tasks is not None:
            # Cancelling would take an interrupt from the keyboard for its own: only what is open is worth it.
            if self._open:
                tasks.cancel_scope.cancel()
            # The group is not told of `error`, which it would wrap.
            await tasks.__aexit__(None, None, None)

    async def call(self, engine: ToolEngine, arguments_for: Callable[[Schema], dict[str, Any]]) -> ToolResult:
        """See `Connections.call`."""
        connection = await self._connected(engine)
        if engine.tool not in connection.schemas:
            told = ", ".join(sorted(connection.schemas))[:200] or "none"
            raise ProviderError(
                engine.name, f"the server has no such tool; it has {told}.", action="Correct it in search.engines."
            ) from NothingSent()
        asked = arguments_for(connection.schemas[engine.tool])
        try:
            return cast("ToolResult", await connection.client.call_tool(engine.tool, asked))
        except import_module("mcp").MCPError as error:
            if error.code != _CONNECTION_CLOSED:
                raise ProviderError(engine.name, "the server refuses the query") from error
            self._lose(engine, connection)
            raise ProviderError(engine.name, "the connection broke", retryable=True) from error
        except ValueError as error:  # pydantic's, and those of the SDK's check against the tool's output schema
            raise UnreadableAnswer(engine.name, "its answer has an unexpected shape") from error
        except (OSError, RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            self._lose(engine, connection)
            raise ProviderError(engine.name, "the connection broke", retryable=True) from error

    async def _connected(self, engine: ToolEngine) -> _Connection:
        if self._tasks is None:
            raise ProviderError(engine.name, "the search has been closed") from NothingSent()
        if (connection := self._open.get(engine.server)) is None:
            connection = self._open[engine.server] = _Connection()
            self._tasks.start_soon(self._serve, engine, connection)
        await connection.ready.wait()
        if connection.client is None:
            raise ProviderError(
                engine.name,
                UNREACHABLE if not engine.command else "its server could not be started",
                retryable=not engine.command,
                action="Check its entry in search.engines; the command must start an MCP server on standard input.",
            ) from NothingSent()
        return connection

    def _lose(self, engine: ToolEngine, connection: _Connection) -> None:
        """Forget a connection, so that the next query makes another."""
        if self._open.get(engine.server) is connection:
            del self._open[engine.server]
        connection.done.set()

    async def _serve(self, engine: ToolEngine, connection: _Connection) -> None:
        """Own a connection from its start to its end. However it ends, only those who wait for it are told."""
        try:
            with anyio.move_on_after(LONGEST_START) as start:
                async with AsyncExitStack() as stack:
                    client = await stack.enter_async_context(self._client(engine, stack))
                    connection.schemas = await _schemas(client)
                    start.deadline = math.inf
                    connection.client = client
                    connection.ready.set()
                    await connection.done.wait()
        except Exception as error:  # noqa: BLE001 - a foreign server, and groups of whatever the SDK raises for it
            _log.info("%s: its server was lost (%s).", engine.name, type(error).__name__)
        finally:
            self._lose(engine, connection)
            connection.ready.set()

    def _client(self, engine: ToolEngine, stack: AsyncExitStack) -> Any:  # noqa: ANN401 - the SDK is imported late
        make: Any = import_module("mcp").Client
        if words := engine.command:
            stdio = import_module("mcp.client.stdio")
            nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - the stack closes it
            server = stdio.StdioServerParameters(command=words[0], args=words[1:])
            return make(stdio.stdio_client(server, errlog=nowhere))
        http = import_module("mcp.client.streamable_http")
        return make(http.streamable_http_client(engine.server, http_client=self._http))


async def _schemas(client: Any) -> dict[str, Schema]:  # noqa: ANN401 - the SDK is imported late
    found: dict[str, Schema] = {}
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found |= {tool.name: tool.input_schema or {} for tool in page.tools}
        if not (cursor := page.next_cursor):
            break
    return found
