import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from deepresearch_mcp.mcp_server.bodies import Whole
from deepresearch_mcp.mcp_server.wire import LONGEST

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


class Inner:
    """An application that reads its request whole, and says how long that was."""

    asked = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        length, more = 0, True
        while more:
            part = await receive()
            assert part["type"] == "http.request"
            length, more = length + len(part.get("body", b"")), part.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(length).encode()})


async def posted(content: Any, inner: Inner, method: str = "POST") -> httpx2.Response:
    transport = httpx2.ASGITransport(Whole(inner))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        return await http.request(method, "/mcp", content=content, headers={"Content-Type": "application/json"})


async def in_parts() -> AsyncIterator[bytes]:
    yield PING[:10]
    yield PING[10:]


async def too_much() -> AsyncIterator[bytes]:
    for _ in range(6):
        yield b"x" * (LONGEST // 4)


@pytest.mark.parametrize(
    ("content", "length"), [(PING, len(PING)), (in_parts(), len(PING)), (too_much(), LONGEST // 4 * 6)]
)
async def test_what_is_a_message_or_is_too_long_to_be_read_is_handed_on_as_it_came(content: Any, length: int) -> None:
    answer = await posted(content, Inner())

    assert (answer.status_code, answer.text) == (200, str(length))


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_what_carries_no_message_is_not_looked_at(method: str) -> None:
    assert (await posted(b"", Inner(), method)).text == "0"


async def test_what_is_no_message_is_refused_in_words() -> None:
    inner = Inner()
    answer = await posted(b"hello", inner)

    assert (answer.status_code, inner.asked) == (400, 0)
    assert json.loads(answer.content)["error"]["message"] == "It is no JSON in UTF-8, or is nested too deeply."


async def test_who_hangs_up_half_way_asked_nothing() -> None:
    inner, parts = Inner(), [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        raise AssertionError("nobody is there")

    await Whole(inner)({"type": "http", "method": "POST"}, receive, send)

    assert inner.asked == 0
