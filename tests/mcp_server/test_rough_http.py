"""HTTP clients that keep to no rule: each is refused, and told nothing it should not be; the next is served."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp import Client

from deepresearch_mcp.mcp_server.tasks import MODERN
from deepresearch_mcp.runtime import open_runtime
from served import serving
from small_web import QUESTION, SmallWeb, settings_for

pytestmark = pytest.mark.interop

BOTH = "application/json, text/event-stream"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
UNFIT = ("Traceback", "site-packages", 'File "', "/home", "pydantic", "JSONRPCRequest")


def call(name: Any = "list_runs", **more: Any) -> bytes:
    params = {"name": name, "arguments": {}, "_meta": META, **more}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


GOOD = {
    "Accept": BOTH,
    "Content-Type": "application/json",
    "MCP-Protocol-Version": MODERN,
    "Mcp-Method": "tools/call",
    "Mcp-Name": "list_runs",
}

BODIES = {
    "nothing": b"",
    "no JSON": b"hello",
    "no UTF-8": b"\xff\xfe",
    "zeros": b"\0" * 10,
    "null": b"null",
    "a batch": b"[" + call() + b"]",
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "a number without end": b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"n": ' + b"9" * 5000 + b"}}",
    "half a character": call(arguments={"query": "\ud800"}),
    "a fractional id": call().replace(b'"id": 1', b'"id": 1.5'),
    "no id that is one": call().replace(b'"id": 1', b'"id": null'),
    "another method than the header's": call().replace(b"tools/call", b"tools/list"),
}
HEADERS = {
    "another type": {"Content-Type": "text/plain"},
    "no type": {"Content-Type": ""},
    "nothing accepted": {"Accept": "text/html"},
    "an old version": {"MCP-Protocol-Version": "1900-01-01"},
    "two versions": {"MCP-Protocol-Version": f"{MODERN}, {MODERN}"},
    "a long version": {"MCP-Protocol-Version": "x" * 9000},
    "another method": {"Mcp-Method": "tools/list"},
    "another name": {"Mcp-Name": "../../etc/passwd"},
    "a name that is no base64": {"Mcp-Name": "=?base64?!!?="},
    "a name that is no text": {"Mcp-Name": "=?base64?/w==?="},
    "another host": {"Host": "evil.example"},
    "another origin": {"Origin": "http://evil.example"},
    "no origin": {"Origin": "null"},
}


@pytest.fixture
def address(child_env: dict[str, str]) -> Iterator[str]:
    with serving(child_env) as url:
        yield url


def refused(answer: httpx2.Response, what: str) -> None:
    assert 400 <= answer.status_code < 500, (what, answer.text)
    assert [word for word in UNFIT if word in answer.text] == [], what
    if answer.headers.get("content-type") == "application/json":
        assert answer.json()["error"]["code"] < 0, what


async def is_well(address: str) -> None:
    for era in ("auto", "legacy"):
        async with Client(address, mode=era) as client:
            assert len((await client.list_tools()).tools) == 10


async def test_whatever_is_wrong_with_a_request_is_refused_and_the_next_one_served(address: str) -> None:
    async with httpx2.AsyncClient(timeout=30) as http:
        for what, body in BODIES.items():
            refused(await http.post(address, content=body, headers=GOOD), what)
            older = {name: value for name, value in GOOD.items() if not name.lower().startswith("mcp-")}
            refused(await http.post(address, content=body, headers=older), what)
        for what, changed in HEADERS.items():
            refused(await http.post(address, content=call(), headers=GOOD | changed), what)
        refused(await http.post(address, content=b"x" * 5 * 1024 * 1024, headers=GOOD), "five megabytes")
        refused(
            await http.post(address, content=call(), headers={**GOOD, "Mcp-Session-Id": "../x", "Mcp-Name": ""}),
            "session",
        )
        for method in ("GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            refused(await http.request(method, address, headers=GOOD), method)
        well = await http.post(address, content=call(), headers=GOOD)

    assert well.status_code == 200
    await is_well(address)


async def test_clients_that_hang_up_half_way_leave_no_fault(address: str) -> None:
    parts = urlsplit(address)
    head = f"POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in GOOD.items())
    whole = f"{head}Content-Length: {len(call())}\r\n\r\n".encode() + call()
    sent = [
        b"\x00\x01hello\r\n\r\n",
        f"{head}Content-Length: -1\r\n\r\n".encode(),
        f"{head}Content-Length: 1000\r\n\r\n{{".encode(),
        f"{head}Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
        f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nhel".encode(),
        head.encode(),
        whole,
    ]

    def hang_up(data: bytes, read: int) -> None:
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10) as connection:
            connection.sendall(data)
            if read:
                connection.recv(read)

    for data in sent:
        await anyio.to_thread.run_sync(hang_up, data, 10 if data == whole else 0)

    await is_well(address)


async def test_a_run_comes_to_its_end_while_its_client_reads_nothing(
    researching: str, held_web: SmallWeb, child_env: dict[str, str]
) -> None:
    parts = urlsplit(researching)
    body = call(
        "deep_research", arguments={"question": QUESTION, "effort": "quick"}, _meta={**META, "progressToken": 1}
    )
    head = f"POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: {len(body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in {**GOOD, "Mcp-Name": "deep_research"}.items())
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10) as connection:
        connection.sendall(f"{head}\r\n".encode() + body)
        held_web.open.set()
        async with open_runtime(settings_for(Path(child_env["DEEPRESEARCH_HOME"]))) as runtime:
            with anyio.fail_after(60):
                while [row.status for row in await runtime.store.runs.find()] != ["completed"]:  # noqa: ASYNC110 - only the system knows
                    await anyio.sleep(0.1)

    await is_well(researching)


async def test_hundreds_at_once_are_all_answered(address: str) -> None:
    answers: list[httpx2.Response] = []
    limits = httpx2.Limits(max_connections=100)
    async with httpx2.AsyncClient(timeout=60, limits=limits) as http, anyio.create_task_group() as tasks:

        async def ask() -> None:
            answers.append(await http.post(address, content=call(), headers=GOOD))

        for _ in range(300):
            tasks.start_soon(ask)

    assert [answer.status_code for answer in answers] == [200] * 300
    assert all('"isError":false' in answer.text for answer in answers)
