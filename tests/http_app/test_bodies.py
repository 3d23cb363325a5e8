import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import httpx2
import pytest

from deepresearch_mcp.http_app.bodies import SMALL, Whole
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


async def posted(content: Any, inner: Inner, method: str = "POST", **limits: Any) -> httpx2.Response:
    transport = httpx2.ASGITransport(Whole(inner, **limits))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        return await http.request(method, "/mcp", content=content, headers={"Content-Type": "application/json"})


async def in_parts() -> AsyncIterator[bytes]:
    yield PING[:10]
    yield PING[10:]


async def too_much() -> AsyncIterator[bytes]:
    for _ in range(6):
        yield b"x" * (LONGEST // 4)


LONG = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x" * SMALL}}).encode()


@pytest.mark.parametrize("content", [PING, in_parts(), LONG])
async def test_a_message_that_came_whole_is_handed_on(content: Any) -> None:
    answer = await posted(content, Inner())

    assert (answer.status_code, answer.text) == (200, str(len(LONG if content is LONG else PING)))


async def test_a_body_that_is_too_long_is_refused_in_a_sentence() -> None:
    inner = Inner()
    answer = await posted(too_much(), inner)

    assert (answer.status_code, inner.asked) == (413, 0)
    assert answer.json()["error"]["message"] == "The message has more than 4,194,304 bytes. Send less at once."


async def test_a_body_that_does_not_come_is_refused_when_its_time_is_over() -> None:
    async def withheld() -> AsyncIterator[bytes]:
        yield b"{"
        await anyio.sleep_forever()

    inner = Inner()
    answer = await posted(withheld(), inner, seconds=0.05)

    assert (answer.status_code, inner.asked) == (408, 0)
    assert "did not come within 0.05 seconds" in answer.json()["error"]["message"]


async def test_long_bodies_share_one_room_and_short_ones_need_none() -> None:
    held, release = anyio.Event(), anyio.Event()

    class Holding(Inner):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            if b"hold" in dict(scope["headers"]).get(b"x-what", b""):
                held.set()
                await release.wait()
            await super().__call__(scope, receive, send)

    transport = httpx2.ASGITransport(Whole(Holding(), together=len(LONG) + 10))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        answers: dict[str, httpx2.Response] = {}

        async def post(name: str, content: bytes) -> None:
            answers[name] = await http.post("/mcp", content=content, headers={"x-what": name})

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(post, "hold", LONG)
            await held.wait()
            await post("second", LONG)
            await post("short", PING)
            release.set()
        await post("third", LONG)

    assert {name: answer.status_code for name, answer in answers.items()} == {
        "hold": 200,
        "second": 503,
        "short": 200,
        "third": 200,
    }
    assert answers["second"].headers["retry-after"] == "5"
    assert "Try again in a few seconds" in answers["second"].json()["error"]["message"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_what_carries_no_message_is_not_looked_at(method: str) -> None:
    assert (await posted(b"", Inner(), method)).text == "0"


async def test_what_is_no_message_is_refused_in_words() -> None:
    inner = Inner()
    answer = await posted(b"hello", inner)

    assert (answer.status_code, inner.asked) == (400, 0)
    assert json.loads(answer.content)["error"]["message"] == "It is not valid UTF-8 JSON, or it is nested too deeply."


async def test_who_hangs_up_half_way_asked_nothing() -> None:
    inner, parts = Inner(), [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        raise AssertionError("nobody is there")

    await Whole(inner)({"type": "http", "method": "POST", "path": "/mcp"}, receive, send)

    assert inner.asked == 0
