import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, ClassVar

import anyio
import pytest
import uvicorn

from deepresearch_mcp.http_app.connections import Bounded

HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"
PIECE = 1 << 20
LONG = 16 * PIECE
"""Bytes of a long answer: more than the system holds back for a client that does not read."""


class Impatient(Bounded):
    seconds = 0.2
    unread_seconds = 0.3
    most = 3
    undelayed: ClassVar[list[bool]] = []

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        option = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        self.undelayed.append(option != 0)


class Leaving(Impatient):
    unread_seconds = 60.0
    last_seconds = 0.2


async def answering(scope: Any, receive: Any, send: Any) -> None:
    if scope["path"] == "/slow":
        await anyio.sleep(0.5)
    if scope["path"] == "/long":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LONG)]})
        for _ in range(LONG // PIECE):
            await send({"type": "http.response.body", "body": bytes(PIECE), "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"in"})


@asynccontextmanager
async def listening(kind: type[Bounded] = Impatient) -> AsyncGenerator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(answering, http=kind, lifespan="off", log_config=None, ws="none"))
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


@asynccontextmanager
async def stalled(port: int, request: bytes) -> AsyncGenerator[socket.socket]:
    """A client that asks, and does not read."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(0)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, ("127.0.0.1", port))
        await loop.sock_sendall(client, request)
        yield client


@pytest.mark.parametrize("closing", [b"", b"Connection: close\r\n"])
async def test_clients_that_ask_and_never_read_give_their_places_back(closing: bytes) -> None:
    request = b"GET /long HTTP/1.1\r\nHost: a\r\n" + closing + b"\r\n"
    async with listening() as port, stalled(port, request), stalled(port, request), stalled(port, request):
        await anyio.sleep(0.1)
        full = await asked(port)
        await anyio.sleep(0.7)
        again = await asked(port, HEAD + b"Connection: close\r\n\r\n")

    assert full.startswith(b"HTTP/1.1 503")
    assert again.startswith(b"HTTP/1.1 200")


async def test_a_client_that_reads_slowly_is_given_all_of_a_long_answer() -> None:
    async with listening() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /long HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        length, began = 0, anyio.current_time()
        while piece := await reader.read(PIECE):
            length += len(piece)
            await anyio.sleep(0.005)
        took = anyio.current_time() - began
        writer.close()

    assert length > LONG
    assert took > Impatient.unread_seconds


async def test_a_client_that_does_not_read_holds_up_no_server_that_is_stopping() -> None:
    with anyio.fail_after(5):
        async with AsyncExitStack() as clients, listening(Leaving) as port:
            await clients.enter_async_context(stalled(port, b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n"))
            await anyio.sleep(0.1)
