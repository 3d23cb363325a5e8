"""The rules of the tasks extension; the conformance suite holds it to all of them (`make interop`)."""

from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.types import HEADER_MISMATCH

from admitted import Admitted
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.mcp_server.tasks import MODERN, TASKS, ClientTask
from small_web import settings_for

TASK = ClientTask(
    "t", "completed", "2026-11-20T12:00:00Z", "2026-11-20T12:00:01Z", "done", None, result={"content": []}
)


def test_a_handle_holds_no_result_and_an_endless_life_is_told() -> None:
    assert TASK.handle() == {
        "taskId": "t",
        "status": "completed",
        "createdAt": "2026-11-20T12:00:00Z",
        "lastUpdatedAt": "2026-11-20T12:00:01Z",
        "ttlMs": None,
        "pollIntervalMs": 2000,
        "statusMessage": "done",
    }
    assert TASK.whole() == TASK.handle() | {"result": {"content": []}}


async def test_newer_clients_are_told_of_the_extension_and_older_ones_cannot_call_it(tmp_path: Path) -> None:
    async with Client(build_server(settings_for(tmp_path))) as client:
        assert TASKS in (client.server_capabilities.extensions or {})
    async with Client(build_server(settings_for(tmp_path)), mode="legacy") as client:
        assert TASKS not in (client.server_capabilities.extensions or {})


@pytest.mark.parametrize(
    ("named", "code"),
    [("another", HEADER_MISMATCH), (None, HEADER_MISMATCH), ("mine", -32602), ("=?base64?bWluZQ==?=", -32602)],
)
async def test_the_routing_header_has_to_name_the_same_task(tmp_path: Path, named: str | None, code: int) -> None:
    server = build_server(settings_for(tmp_path))
    app = server.streamable_http_app(json_response=True)
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {TASKS: {}}},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": {"taskId": "mine", "_meta": meta}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MODERN}
    headers |= {"Mcp-Method": "tasks/get"} | ({"Mcp-Name": named} if named else {})
    transport: Any = httpx2.ASGITransport(Admitted(app))
    async with (
        server.session_manager.run(),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http,
    ):
        answer = await http.post("/mcp", json=body, headers=headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
