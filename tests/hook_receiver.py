"""A receiver of webhooks on loopback, over a real wire."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

KEY = b"0123456789abcdef01234567"
SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"


@dataclass(slots=True)
class Receiver:
    """Answers each post with the next status of `script`, and with 204 after the last."""

    url: str = ""
    script: list[int] = field(default_factory=list[int])
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list[tuple[dict[str, str], bytes]])
    """Headers, in lower case, and body of each post."""

    @property
    def place(self) -> str:
        """Host and port, as `allow_private` names them."""
        return self.url.split("/")[2]

    async def answer(self, stream: SocketStream) -> None:
        async with stream:
            wire = BufferedByteReceiveStream(stream)
            try:
                head = (await wire.receive_until(b"\r\n\r\n", 20_000)).decode()
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError):
                return  # a sender that ends while it connects
            lines = head.splitlines()
            assert lines[0].startswith("POST ")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
            body = await wire.receive_exactly(int(headers["content-length"]))
            self.got.append((headers, body))
            status = self.script.pop(0) if self.script else 204
            await stream.send(
                f"HTTP/1.1 {status} x\r\nContent-Length: 0\r\nLocation: /else\r\nConnection: close\r\n\r\n".encode()
            )


@asynccontextmanager
async def receiving(*script: int) -> AsyncGenerator[Receiver]:
    """Open a receiver for a test."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port: Any = listener.extra(SocketAttribute.local_port)
    receiver = Receiver(f"http://127.0.0.1:{port}/hook", list(script))
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, receiver.answer)
        yield receiver
        tasks.cancel_scope.cancel()
