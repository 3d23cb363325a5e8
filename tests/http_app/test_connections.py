import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, ClassVar

import anyio
import uvicorn

from deepresearch_mcp.http_app.connections import Bounded

HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"


class Impatient(Bounded):
    seconds = 0.2
    most = 3
    undelayed: ClassVar[list[bool]] = []

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        option = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        self.undelayed.append(option != 0)


async def answering(scope: Any, receive: Any, send: Any) -> None:
    if scope["path"] == "/slow":
        await anyio.sleep(0.5)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"in"})


@asynccontextmanager
async def listening() -> AsyncGenerator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(answering, http=Impatient, lifespan="off", log_config=None, ws="none"))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listener])
            while not server.started:  # noqa: ASYNC110 - uvicorn tells it in no other way
                await anyio.sleep(0.01)
            yield listener.getsockname()[1]
            server.should_exit = True


async def asked(port: int, *parts: bytes, wait: float = 0.0) -> bytes:
    """What comes back until the server closes, when `parts` are sent with `wait` seconds between them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await anyio.sleep(wait)
        with anyio.fail_after(5):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_a_connection_that_never_says_what_it_wants_is_closed() -> None:
    async with listening() as port:
        assert await asked(port) == b""
        assert await asked(port, *(HEAD[at : at + 1] for at in range(8)), wait=0.05) == b""


async def test_a_request_may_take_longer_to_answer_than_its_head_may_take_to_come() -> None:
    async with listening() as port:
        answer = await asked(port, b"GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 200")


async def test_a_body_does_not_wait_until_the_client_has_acknowledged_the_head() -> None:
    Impatient.undelayed = []
    async with listening() as port:
        await asked(port, HEAD + b"Connection: close\r\n\r\n")

    assert Impatient.undelayed == [True]


async def test_the_head_of_a_second_request_has_a_time_of_its_own() -> None:
    async with listening() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"\r\n")
        first = await reader.readuntil(b"in")
        writer.write(HEAD[:10])
        with anyio.fail_after(2):
            rest = await reader.read()
        writer.close()

    assert first.startswith(b"HTTP/1.1 200")
    assert rest == b""


async def test_beyond_the_limit_a_connection_is_refused_and_room_comes_back() -> None:
    async with listening() as port:
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        full = await asked(port)
        for reader, writer in idle:
            with anyio.fail_after(5):
                assert await reader.read() == b""
            writer.close()
        again = await asked(port, HEAD + b"Connection: close\r\n\r\n")

    assert full.startswith(b"HTTP/1.1 503")
    assert b"Retry-After: 5" in full
    assert again.startswith(b"HTTP/1.1 200")
