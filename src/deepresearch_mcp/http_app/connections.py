"""Connections over HTTP: how many there may be, and how long one may take to say what it wants and to read it."""

import asyncio
import socket

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0
"""In which the head of a request has to come, once a connection is open or has begun to send one."""
UNREAD_SECONDS = 60.0
"""In which a client has to take what is ready for it; the network's own buffers come before that."""
LAST_SECONDS = 3.0
"""The same once the server is stopping: less than it gives open answers, whose end waits for the reader too."""
MOST = 400
"""Connections at once: below the 1,024 files that a process may have open, with room for pages and the store."""

_WHY = b"Too many connections are open. Try again in a few seconds."
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nRetry-After: 5\r\n"
    b"Connection: close\r\n\r\n%b"
) % (len(_WHY), _WHY)


class Bounded(H11Protocol):
    """uvicorn's protocol with deadlines for heads and for readers, and a limit that closes connections.

    uvicorn has none of these: a client that asked and never read kept its connection, and enough of them the server.
    """

    seconds = SECONDS
    unread_seconds = UNREAD_SECONDS
    last_seconds = LAST_SECONDS
    most = MOST
    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Refuse the connection where there are too many, else start the time of its first head."""
        if len(self.connections) >= self.most:
            self.transport = transport
            transport.write(_FULL)
            transport.close()
            return
        super().connection_made(transport)
        # Head and body are sent one after the other. The system would hold the body back until the client has
        # acknowledged the head, which can take 40 ms. asyncio sets this only on sockets that it made itself.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._start()

    def data_received(self, data: bytes) -> None:
        """Read on; between two requests the time of the next head starts with its first byte."""
        super().data_received(data)
        cycle = self.cycle
        if cycle and not cycle.response_complete:
            self._stop()
        elif self._deadline is None:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadlines."""
        self._stop()
        self._is_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the time of a client that has not read what was sent."""
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        """Stop it: the client reads."""
        self._is_read()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Give the client its time for the rest of an answer: a connection that is closed stays until it is read."""
        self._await_reader()
        super().on_response_complete()

    def shutdown(self) -> None:
        """Give a client that has not read what was sent little more time."""
        self.unread_seconds = self.last_seconds
        self._is_read()
        super().shutdown()
        self._await_reader()

    def _await_reader(self) -> None:
        if self._reading is None and self.transport.get_write_buffer_size():
            self._reading = self.loop.call_later(self.unread_seconds, self._unread)

    def _is_read(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _unread(self) -> None:
        self._reading = None
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _start(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self._late)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        self._deadline = None
        if not self.transport.is_closing() and (not self.cycle or self.cycle.response_complete):
            self.transport.close()
