"""A client of bench/load.py that costs next to nothing."""

from typing import Any
from urllib.parse import urlsplit

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream


class Line:
    """One kept connection, spoken to without a library: a client's own work would blur what is measured."""

    def __init__(self, address: str, token: str = "") -> None:
        self._where = urlsplit(address)
        self._head = f"Host: {self._where.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self._stream: Any = None
        self._read: Any = None

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send a request; status and body of its answer. A kept connection that was closed meanwhile is made anew."""
        kept = self._stream is not None
        try:
            return await self._ask(method, path, body)
        except (anyio.BrokenResourceError, anyio.EndOfStream, anyio.IncompleteRead):
            if not kept:
                raise
            await self.close()
            return await self._ask(method, path, body)

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        if self._stream is None:
            self._stream = await anyio.connect_tcp(str(self._where.hostname), int(self._where.port or 80))
            self._read = BufferedByteReceiveStream(self._stream)
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        await self._stream.send(f"{method} {path} HTTP/1.1\r\n{self._head}{kind}\r\n".encode() + body)
        head = (await self._read.receive_until(b"\r\n\r\n", 20_000)).decode().lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0] or 0)
        told = await self._read.receive_exactly(length) if length else b""
        return int(head.split()[1]), told

    async def close(self) -> None:
        """Hang up; the next request connects anew."""
        if self._stream is not None:
            await self._stream.aclose()
            self._stream = None
