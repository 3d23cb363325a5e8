"""Write the answers that a client's first requests have: `make prepared`."""

import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import NotificationOptions
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from deepresearch_mcp.mcp_server import prepared
from deepresearch_mcp.mcp_server.early import MODERN
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.settings.schema import Settings

OLDER = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LISTS = ("tools/list", "prompts/list", "resources/templates/list")

_ABOUT = {"name": "prepare", "version": "1"}
_ENVELOPE = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": _ABOUT,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}


async def said(settings: Settings, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a server answers to these requests, sent one after the other to one that nothing was sent to before."""
    low = build_server(settings)._lowlevel_server  # pyright: ignore[reportPrivateUsage] - as in stdio.py
    asking, asked = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    telling, told = anyio.create_memory_object_stream[SessionMessage](0)
    answers: list[dict[str, Any]] = []
    async with anyio.create_task_group() as tasks:
        changing = NotificationOptions(resources_changed=True)
        tasks.start_soon(low.run, asked, telling, low.create_initialization_options(changing))
        for number, request in enumerate(requests):
            message = {"jsonrpc": "2.0", **request} | ({} if "notifications/" in request["method"] else {"id": number})
            await asking.send(SessionMessage(jsonrpc_message_adapter.validate_python(message)))
            if "id" in message:
                answer = (await told.receive()).message
                assert isinstance(answer, types.JSONRPCResponse), answer
                answers.append(answer.model_dump(by_alias=True, mode="json", exclude_unset=True)["result"])
        tasks.cancel_scope.cancel()
    for stream in (asking, asked, telling, told):
        stream.close()
    return answers


async def described(settings: Settings) -> dict[str, dict[str, Any]]:
    """Version of the protocol → method → result."""
    table: dict[str, dict[str, Any]] = {}
    for one in OLDER:
        hello = {"protocolVersion": one, "capabilities": {}, "clientInfo": _ABOUT}
        requests = [{"method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
        results = await said(settings, [*requests, *({"method": name} for name in (*LISTS, "ping"))])
        table[one] = dict(zip(("initialize", *LISTS, "ping"), results, strict=True))
    names = ("server/discover", *LISTS)
    results = await said(settings, [{"method": name, "params": _ENVELOPE} for name in names])
    table[MODERN] = dict(zip(names, results, strict=True))
    return table


def text_of(table: dict[str, dict[str, Any]]) -> str:
    """The file: each result once."""
    results: list[Any] = []
    places: dict[str, dict[str, int]] = {}
    for one, methods in table.items():
        for method, result in methods.items():
            if result not in results:
                results.append(result)
            places.setdefault(one, {})[method] = results.index(result)
    libraries = {name: version(name) for name in ("mcp", "pydantic")}
    whole = {"made_of": prepared.made_of(libraries), "libraries": libraries, "places": places, "results": results}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> int:
    """Write it."""
    with tempfile.TemporaryDirectory() as home:
        table = anyio.run(described, Settings.model_validate({"home": home}))
    Path(prepared.FILE).write_text(text_of(table), encoding="utf-8")
    print(f"{prepared.FILE}: {Path(prepared.FILE).stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
