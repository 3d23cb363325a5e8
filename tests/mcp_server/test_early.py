import fcntl
import io
import json
import os
import socket
import threading
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from deepresearch_mcp.mcp_server.early import MODERN, Early
from deepresearch_mcp.mcp_server.prepared import PreparedAnswers

TABLE = {
    "results": [
        {"protocolVersion": "2025-11-25"},
        {"tools": ["older"]},
        {},
        {"tools": ["newer"]},
        {"discovered": True},
    ],
    "places": {
        "2025-11-25": {"initialize": 0, "tools/list": 1, "ping": 2},
        MODERN: {"server/discover": 4, "tools/list": 3},
    },
}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
ENVELOPE = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Pipe:
    """A client that has written all it has to say; what it was answered, and what is left for the server."""

    def __init__(self, answers: PreparedAnswers | None) -> None:
        source, self._end = os.pipe()
        # All of it is written before anybody reads.
        fcntl.fcntl(self._end, fcntl.F_SETPIPE_SZ, 1024 * 1024)
        self.sink = io.BytesIO()
        self.early = Early(source, self.sink, answers)

    def say(self, *lines: object) -> None:
        for line in lines:
            os.write(self._end, line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")

    def end(self) -> list[bytes]:
        """Start the reader, end the input, and read what is left for the server."""
        os.close(self._end)
        self.early.start()
        left: list[bytes] = []
        while line := self.early.readline():
            left.append(line)
        assert self.early.readline() == b""
        self.early.hand_over()
        return left

    @property
    def answers(self) -> dict[Any, Any]:
        self.early.wait_written()
        told = [json.loads(line) for line in self.sink.getvalue().splitlines()]
        return {one["id"]: one["result"] for one in told}


def request(number: Any, method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method} | ({"params": params} if params is not None else {})


@pytest.fixture
def pipe() -> Pipe:
    return Pipe(PreparedAnswers(TABLE))


def test_a_client_of_the_older_protocol_has_its_tools_before_the_server_reads_a_line(pipe: Pipe) -> None:
    hello, listing, calling = request(0, "initialize", HELLO), request(1, "tools/list"), request("c", "tools/call", {})
    pipe.say(hello, INITIALIZED, listing, request(2, "ping"), calling)

    left = pipe.end()

    assert pipe.answers == {0: {"protocolVersion": "2025-11-25"}, 1: {"tools": ["older"]}, 2: {}}
    # The server makes the handshake once more, for itself.
    assert [json.loads(line) for line in left] == [hello, INITIALIZED, calling]
    assert pipe.early.answered == {0}


def test_a_client_of_the_newer_protocol_is_answered_without_a_handshake(pipe: Pipe) -> None:
    listen = request(3, "subscriptions/listen", ENVELOPE)
    pipe.say(request("probe", "server/discover", ENVELOPE), request(1, "tools/list", ENVELOPE), listen)

    left = pipe.end()

    assert pipe.answers == {"probe": {"discovered": True}, 1: {"tools": ["newer"]}}
    assert [json.loads(line) for line in left] == [listen]
    assert pipe.early.answered == set()
    assert pipe.early.arrivals.keys() == {listen["id"]}  # Its client waits since then.


@pytest.mark.parametrize(
    "odd",
    [
        request(1, "tools/list"),
        request(1, "tools/list", {**ENVELOPE, "cursor": "x"}),
        request(1, "initialize", HELLO | {"protocolVersion": "1999-01-01"}),
        request(1, "initialize", HELLO | {"protocolVersion": MODERN}),
        request(1, "initialize", HELLO | {"clientInfo": {"name": 5}}),
        request(1, "initialize", HELLO | {"clientInfo": None}),
        request(1, "initialize", HELLO | {"capabilities": None}),
        request(1, "server/discover", {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}),
        request(1, "server/discover", {"_meta": None}),
        request(1.5, "initialize", HELLO),
        {**request(1, "initialize", HELLO), "id": True},
        request(None, "initialize", HELLO),
        request(1, "initialize", []),
        {"id": 1, "method": "initialize", "params": HELLO},
        INITIALIZED,
        [1],
        b"\n",
        b"{\n",
        b"[" * 10_000 + b"\n",
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"' + b"x" * 70_000 + b'"}}\n',
        b'{"jsonrpc":"2.0","id":1',
    ],
)
def test_what_is_not_plainly_prepared_is_left_to_the_server(pipe: Pipe, odd: Any) -> None:
    line = odd if isinstance(odd, bytes) else json.dumps(odd).encode() + b"\n"
    pipe.say(line)

    assert pipe.end() == [line]
    assert pipe.answers == {}


def test_a_second_handshake_and_a_request_before_the_first_are_the_server_s(pipe: Pipe) -> None:
    early, again = request(1, "tools/list", {}), request(3, "initialize", HELLO)
    pipe.say(request(0, "initialize", HELLO), early, INITIALIZED, again, request(4, "tools/list", ENVELOPE))

    left = [json.loads(line) for line in pipe.end()]

    assert [line.get("id") for line in left] == [0, 1, None, 3, 4]
    assert pipe.answers == {0: {"protocolVersion": "2025-11-25"}}


@pytest.mark.parametrize("prepared", [True, False])
def test_after_the_hand_over_and_without_answers_every_line_is_the_server_s(prepared: bool) -> None:
    pipe = Pipe(PreparedAnswers(TABLE) if prepared else None)
    pipe.early.hand_over()
    pipe.say(request(0, "initialize", HELLO))

    assert len(pipe.end()) == 1
    assert pipe.answers == {}


def test_a_client_that_has_gone_is_the_server_s_to_find_out(pipe: Pipe) -> None:
    pipe.sink.close()
    pipe.say(request(0, "initialize", HELLO), request("later", "tools/call", {}))

    assert len(pipe.end()) == 2
    with pytest.raises(ValueError, match="closed file"):
        pipe.early.wait_written()


def test_a_client_that_reads_no_answer_delays_neither_the_hand_over_nor_the_requests_behind_it() -> None:
    source, asks = os.pipe()
    reads, sink = os.pipe()
    table: Any = {**TABLE, "results": [*TABLE["results"][:2], {"long": "x" * 300_000}, *TABLE["results"][3:]]}
    with os.fdopen(sink, "wb") as out, os.fdopen(reads, "rb") as answers:
        early = Early(source, out, PreparedAnswers(table))
        early.start()
        pings = [request(number, "ping") for number in range(1, 31)]
        lines = [request(0, "initialize", HELLO), INITIALIZED, *pings]
        os.write(asks, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        os.close(asks)
        left = [json.loads(early.readline()).get("id") for _ in range(2)]
        early.hand_over()
        while line := early.readline():
            left.append(json.loads(line)["id"])
        # The handshake is answered, and handed on all the same.
        told = [json.loads(answers.readline())["id"] for _ in range(len(lines) + 1 - len(left))]
        early.wait_written()

    # A few answers wait for the client; the server gets the other requests, and each of them once.
    assert left[:2] == [0, None]
    assert sorted([*told, *left[2:]]) == list(range(31))
    assert 1 <= len(told) <= 10


def test_a_client_that_dies_with_an_answer_unread_ends_the_input() -> None:
    """Node gives its children sockets, and a socket with unread bytes is reset when it is closed."""
    ours, theirs = socket.socketpair()
    early = Early(ours.detach(), io.BytesIO(), None)
    ours_to_them = os.dup(early._source)
    os.write(ours_to_them, b"an answer")
    os.write(theirs.fileno(), b"a line\n")
    theirs.close()
    early.start()
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.extend(iter(early.readline, b"")), daemon=True)
    reader.start()
    reader.join(10)

    assert not reader.is_alive()
    assert found in ([b"a line\n"], [])


def test_of_a_line_without_end_the_beginning_is_kept_and_the_next_line_is_read() -> None:
    source, end = os.pipe()
    early = Early(source, io.BytesIO(), None)
    early.start()
    whole = b"x" * (9 * 1024 * 1024) + b"\nnext\n"

    def write() -> None:
        written = 0
        while written < len(whole):
            written += os.write(end, whole[written : written + 65_536])
        os.close(end)

    writer = threading.Thread(target=write)
    writer.start()
    pieces = list(iter(early.readline, b""))
    writer.join(10)

    assert 4 * 1024 * 1024 < len(pieces[0]) <= 4 * 1024 * 1024 + 65_536
    assert pieces[1:] == [b"\n", b"next\n"]


@given(parts=st.lists(st.sampled_from([b"a", b"\n", b"bc\n", b"x" * 70_000]), max_size=8))
def test_every_byte_below_the_limit_is_handed_on_in_order(parts: list[bytes]) -> None:
    source, end = os.pipe()
    early = Early(source, io.BytesIO(), None)
    early.start()
    whole = b"".join(parts)

    def write() -> None:
        for part in parts:
            os.write(end, part)
        os.close(end)

    writer = threading.Thread(target=write)
    writer.start()
    lines = list(iter(early.readline, b""))
    writer.join(10)
    os.close(source)

    assert b"".join(lines) == whole
    assert lines == whole.splitlines(keepends=True)
