"""The protocol's lines over a pair of pipes: bounded, each request answered, and nothing else on the wire.

The SDK's own transport takes lines of any length, drops what it cannot read without a word, and ends with an answer
that no JSON can carry; hence this one.
"""

import logging
import os
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from typing import BinaryIO, Protocol

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.shared.dispatcher import coerce_request_id
from mcp.shared.jsonrpc_dispatcher import cancelled_request_id_from_params
from mcp.shared.message import SessionMessage

from deepresearch_mcp.mcp_server.messages import Refusal, line_of, read_message, refusal

_log = logging.getLogger(__name__)

LONGEST = 4 * 1024 * 1024
"""Bytes of a line, as of a request over HTTP."""

AT_ONCE = 1024
"""Requests that wait for their answers: a client that asks on and on, and never reads, fills no memory."""

_FAREWELL = 3.0
"""Seconds in which a client that has ended its side may read what is left."""


class LineSource(Protocol):
    """A source of lines."""

    def readline(self, limit: int = -1, /) -> bytes:
        """The next line, or so much of it; nothing at the end."""
        ...


Hearing = MemoryObjectReceiveStream[SessionMessage | Exception]
Telling = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def lines(
    source: LineSource,
    sink: BinaryIO,
    answered: Collection[types.RequestId] = (),
    *,
    ended: Callable[[], None] | None = None,
    wait_written: Callable[[], None] | None = None,
) -> AsyncGenerator[tuple[Hearing, Telling]]:
    """What is read from `source` and written to `sink`, as the streams that the SDK serves on.

    The first answer to each request of `answered` is not written: the client has it. `ended` is called once `source`
    has ended. `wait_written` waits, in a thread, until the sink is free of what was written to it before.

    Raises:
        ExceptionGroup: Of a `ConnectionError`, when the client has closed its end of `sink`.
    """
    heard, hearing = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    telling, told = anyio.create_memory_object_stream[SessionMessage](0)
    wire = _Wire(source, sink, answered, ended, wait_written)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wire.hear, heard, telling.clone())
        tasks.start_soon(wire.tell, told)
        yield hearing, telling
        telling.close()
        with anyio.move_on_after(_FAREWELL):
            await wire.all_told.wait()
            return
        _log.warning("The client has closed its input and reads no answer. The server ends.")
        # The thread that writes cannot be woken, and all else is closed by now.
        os._exit(0)


class _Wire:
    def __init__(
        self,
        source: LineSource,
        sink: BinaryIO,
        answered: Collection[types.RequestId] = (),
        ended: Callable[[], None] | None = None,
        wait_written: Callable[[], None] | None = None,
    ) -> None:
        self._ended = ended
        self._wait_written = wait_written
        self._source = source
        self._answered = {*answered}
        self._sink = sink
        self._threads = anyio.CapacityLimiter(2)
        """Of its own: tools that take long keep all others busy."""
        self._waiting: set[types.RequestId] = set()
        """Requests without an answer."""
        self.all_told = anyio.Event()

    async def hear(self, heard: MemoryObjectSendStream[SessionMessage | Exception], refuse: Telling) -> None:
        async with heard, refuse:
            # Nothing wakes a thread that waits for input: where the server is to end, it is left behind.
            while line := await anyio.to_thread.run_sync(
                _line, self._source, limiter=self._threads, abandon_on_cancel=True
            ):
                message = self._admitted(line)
                try:
                    if isinstance(message, Refusal):
                        # Nothing more is read before the client has read this.
                        await refuse.send(SessionMessage(message.error))
                    elif message is not None:
                        await heard.send(SessionMessage(message))
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return
            if self._ended:
                self._ended()

    def _admitted(self, line: bytes) -> types.JSONRPCMessage | Refusal | None:
        if len(line) > LONGEST:
            return refusal(types.INVALID_REQUEST, f"The message has more than {LONGEST:,} bytes. Send less at once.")
        message = read_message(line)
        if isinstance(message, types.JSONRPCRequest):
            if len(self._waiting) >= AT_ONCE:
                text = f"{AT_ONCE:,} requests wait for their answers. Read some of them first."
                return refusal(types.INTERNAL_ERROR, text, message.id)
            self._waiting.add(coerce_request_id(message.id))
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            cancelled = cancelled_request_id_from_params(message.params)
            self._waiting -= {coerce_request_id(cancelled)} if cancelled is not None else set()  # It is not answered.
        return message

    async def tell(self, told: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with told:
            async for one in told:
                # Before it is written: a client that has read it may ask again.
                if isinstance(one.message, types.JSONRPCResponse | types.JSONRPCError) and one.message.id is not None:
                    self._waiting.discard(coerce_request_id(one.message.id))
                    if one.message.id in self._answered:
                        self._answered.discard(one.message.id)
                        continue
                await self._sink_is_free()
                await anyio.to_thread.run_sync(_write, self._sink, line_of(one.message), limiter=self._threads)
            await self._sink_is_free()
        self.all_told.set()

    async def _sink_is_free(self) -> None:
        # Not before the first message that is written: the SDK reads on only when its first answer is taken.
        if self._wait_written:
            await anyio.to_thread.run_sync(self._wait_written, limiter=self._threads, abandon_on_cancel=True)
            self._wait_written = None


def _line(source: LineSource) -> bytes:
    """The next line, or the beginning of one that is too long, which is left out; nothing at the end of input."""
    line = source.readline(LONGEST + 1)
    rest = line
    while len(rest) > LONGEST and not rest.endswith(b"\n"):
        rest = source.readline(LONGEST + 1)
    return line


def _write(sink: BinaryIO, line: bytes) -> None:
    sink.write(line)
    sink.flush()
