"""A service on loopback that sends one answer to every request, on the bare connection."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

SECRET = "s3cret-of-a-user"


def said(status: int, body: str | bytes = b"", *headers: str) -> bytes:
    """The bytes of an answer."""
    content = body.encode() if isinstance(body, str) else body
    lines = (f"HTTP/1.1 {status} Answer", f"Content-Length: {len(content)}", "Connection: close", *headers)
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + content


@asynccontextmanager
async def service_that(answers: bytes | None) -> AsyncGenerator[str]:
    """Serve until the block ends. None: take a request and say nothing; empty: hang up."""

    async def handle(stream: SocketStream) -> None:
        async with stream:
            await BufferedByteReceiveStream(stream).receive_until(b"\r\n\r\n", 20_000)
            if answers is None:
                await anyio.sleep_forever()
            elif answers:
                await stream.send(answers)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        yield f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
        tasks.cancel_scope.cancel()
