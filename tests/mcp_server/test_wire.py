import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, BinaryIO

import anyio
import anyio.to_thread
import pytest
from mcp import types
from mcp.shared.message import SessionMessage

from deepresearch_mcp.mcp_server.wire import AT_ONCE, LONGEST, Hearing, Telling, lines


class Peer:
    """The client's ends of both pipes, and what the server is given."""

    def __init__(self, hearing: Hearing, telling: Telling, asks: BinaryIO, reads: BinaryIO) -> None:
        self.hearing = hearing
        self.telling = telling
        self.asks = asks
        self.reads = reads

    async def send(self, *sent: bytes) -> None:
        def write() -> None:
            for line in sent:
                self.asks.write(line)
            self.asks.flush()

        await anyio.to_thread.run_sync(write)

    async def read(self) -> dict[str, Any]:
        return json.loads(await anyio.to_thread.run_sync(self.reads.readline))

    async def heard(self) -> types.JSONRPCMessage:
        item = await self.hearing.receive()
        assert isinstance(item, SessionMessage)
        return item.message

    async def answer(self, request_id: types.RequestId) -> None:
        await self.telling.send(SessionMessage(types.JSONRPCResponse(jsonrpc="2.0", id=request_id, result={})))


@asynccontextmanager
async def connected() -> AsyncGenerator[Peer]:
    (source, asks), (reads, sink) = os.pipe(), os.pipe()
    # Without a buffer, which could not be emptied in the end where no one reads.
    with (
        os.fdopen(source, "rb") as ours,
        os.fdopen(sink, "wb", buffering=0) as out,
        os.fdopen(reads, "rb") as theirs,
        os.fdopen(asks, "wb") as writes,
    ):
        async with lines(ours, out) as (hearing, telling), hearing, telling:
            try:
                yield Peer(hearing, telling, writes, theirs)
            finally:
                writes.close()


def request(number: int, method: str = "ping") -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method}).encode() + b"\n"


async def test_a_line_without_end_is_refused_and_the_next_one_is_taken() -> None:
    async with connected() as peer, anyio.create_task_group() as tasks:
        tasks.start_soon(peer.send, b"x" * (3 * LONGEST), b"\n", request(1))

        refused = await peer.read()
        taken = await peer.heard()

    assert (refused["id"], refused["error"]["code"]) == (None, types.INVALID_REQUEST)
    assert "more than 4,194,304 bytes" in refused["error"]["message"]
    assert isinstance(taken, types.JSONRPCRequest)


async def test_the_last_line_needs_no_end() -> None:
    async with connected() as peer:
        await peer.send(request(1).rstrip(b"\n"))
        peer.asks.close()
        taken = await peer.heard()
        with pytest.raises(anyio.EndOfStream):
            await peer.heard()

    assert isinstance(taken, types.JSONRPCRequest)


async def test_what_is_sent_one_byte_at_a_time_is_read_whole() -> None:
    async with connected() as peer:
        for number in request(1):
            await peer.send(bytes([number]))

        assert isinstance(await peer.heard(), types.JSONRPCRequest)


async def test_who_asks_on_and_on_without_reading_is_refused_until_something_is_answered_or_cancelled() -> None:
    cancelled = b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "7"}}\n'
    async with connected() as peer, anyio.create_task_group() as tasks:
        tasks.start_soon(peer.send, *map(request, range(AT_ONCE)))
        for _ in range(AT_ONCE):
            await peer.heard()
        await peer.send(request(AT_ONCE))
        refused = await peer.read()
        await peer.answer(0)
        answered = await peer.read()
        await peer.send(request(AT_ONCE))
        after_answer = await peer.heard()
        await peer.send(cancelled)
        await peer.heard()
        await peer.send(request(AT_ONCE + 1))
        after_cancelling = await peer.heard()

    assert (refused["id"], refused["error"]["code"]) == (AT_ONCE, types.INTERNAL_ERROR)
    assert "1,024 requests wait for their answers" in refused["error"]["message"]
    assert answered["id"] == 0
    assert isinstance(after_answer, types.JSONRPCRequest)
    assert isinstance(after_cancelling, types.JSONRPCRequest)


async def left_alone() -> None:
    async with connected() as peer:
        peer.reads.close()
        await peer.answer(1)
        await peer.answer(2)


async def test_a_client_that_reads_no_more_is_a_broken_pipe() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await left_alone()

    assert caught.group_contains(BrokenPipeError)
