"""Answers a client's first requests while the server is still being imported, and hands on all others.

Some clients wait one second for tools, and do without those of a server that needs longer. This module imports only
what Python has loaded anyway.
"""

import json
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from queue import Queue
from typing import Any, BinaryIO, cast

from deepresearch_mcp.mcp_server.prepared import PreparedAnswers

_LONGEST = 4 * 1024 * 1024
"""Bytes of a line; of a longer one only the beginning is kept."""
_PLAIN = 64 * 1024
"""Bytes of a first request, at most."""

_AHEAD = 8
"""Lines read before the server asks for them (what a client sends before its first request for a list), and answers
that wait until the client reads."""

MODERN = "2026-07-28"
_META = "io.modelcontextprotocol/"


class Early:
    """Standard input as a file of lines; the first requests are answered before the server reads them.

    One thread reads from the first line to the last, so that no line is lost between two readers. Another one writes:
    a client that does not read its answers delays neither the reading nor the hand-over.
    """

    def __init__(self, source: int, sink: BinaryIO, answers: PreparedAnswers | None) -> None:
        """`source` is a descriptor; without `answers` every line is handed on."""
        self._source = source
        self._sink = sink
        self._answers = answers
        self._lines = _Lines()
        self._lock = threading.Lock()
        self._outgoing: Queue[bytes | None] = Queue()
        self._writer = threading.Thread(target=self._write, name="first answers", daemon=True)
        self._failure: Exception | None = None
        """Why the first answers could not be written."""
        self._version = ""
        """The version of the older protocol that was agreed on here."""
        self._ready = False
        """The client has read that agreement."""
        self._over = False
        self.arrivals: dict[str | int, float] = {}
        """When each request came in that is handed on: its client waits since then, not since the server is up."""
        self.answered: set[str | int] = set()
        """Requests that were answered here and that the server answers again, for itself."""

    def start(self) -> None:
        """Begin to read."""
        self._writer.start()
        threading.Thread(target=self._read, name="standard input", daemon=True).start()

    def hand_over(self) -> None:
        """From here on the server answers everything itself; this never waits for the client."""
        with self._lock:
            self._answers = None
        self._outgoing.put(None)

    def wait_written(self) -> None:
        """Wait, after `hand_over`, until the client has taken every answer that was given here.

        Raises:
            OSError, ValueError: They could not be written, because the client has gone.
        """
        self._writer.join()
        if self._failure is not None:
            raise self._failure

    def readline(self, _: int = -1) -> bytes:
        """The next line for the server; nothing at the end of input."""
        if self._over:
            return b""
        line = self._lines.get()
        self._over = not line
        return line

    def _read(self) -> None:
        try:
            for line in _pieces(self._source):
                with self._lock:
                    replay = self._heard(line)
                if replay:
                    self._lines.put(line)
        except OSError:
            pass  # A socket is reset when the client dies with an answer unread: the input has ended.
        finally:
            self._lines.put(b"")

    def _write(self) -> None:
        while (line := self._outgoing.get()) is not None:
            try:
                self._sink.write(line)
                self._sink.flush()
            except (OSError, ValueError) as error:
                self._failure = error
                return

    def _heard(self, line: bytes) -> bool:
        """Answer a line, if that is prepared; whether the server has to see it."""
        if self._answers is None or len(line) > _PLAIN or not line.endswith(b"\n"):
            return True
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError):
            return True
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":  # pyright: ignore[reportUnknownMemberType] - any JSON
            return True
        request = cast("dict[str, Any]", message)
        method, params, number = request.get("method"), request.get("params", {}), request.get("id")
        if method == "notifications/initialized":
            self._ready = bool(self._version)
            return True
        if isinstance(number, bool) or not isinstance(number, str | int) or not isinstance(params, dict):
            return True
        if self._failure is not None or self._outgoing.qsize() >= _AHEAD:
            return True  # The client does not read: the server deals with that.
        result = self._result(self._answers, str(method), cast("dict[str, Any]", params))
        if result is None:
            self.arrivals[number] = time.monotonic()
            return True
        first = method == "initialize"
        if first:
            self.answered.add(number)
        self._outgoing.put(f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"result":{result}}}\n'.encode())
        return first

    def _result(self, answers: PreparedAnswers, method: str, params: dict[str, Any]) -> str | None:
        if method == "initialize":
            version = params.get("protocolVersion")
            if self._version or not answers.knows(version) or version == MODERN or not _introduced(params):
                return None
            self._version = cast("str", version)
            return answers.result(self._version, method)
        if params.get("cursor") is not None:
            return None
        if not self._version:
            return answers.result(MODERN, method) if _enveloped(params) else None
        return answers.result(self._version, method) if self._ready and not _enveloped(params) else None


def _introduced(params: dict[str, Any]) -> bool:
    """Whether a client says what the older protocol has it say."""
    return isinstance(params.get("capabilities"), dict) and _named(params.get("clientInfo"))


def _enveloped(params: dict[str, Any]) -> bool:
    """Whether a request says of its client what the newer protocol has each one say."""
    meta: Any = params.get("_meta")
    if not isinstance(meta, dict):
        return False
    said = cast("dict[str, Any]", meta)
    known = said.get(f"{_META}protocolVersion") == MODERN and isinstance(said.get(f"{_META}clientCapabilities"), dict)
    return known and _named(said.get(f"{_META}clientInfo"))


def _named(client: object) -> bool:
    known = cast("dict[str, Any]", client) if isinstance(client, dict) else {}
    return isinstance(known.get("name"), str) and isinstance(known.get("version"), str)


class _Lines:
    """Lines that wait for the server: a few short ones, or a single long one."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._changed = threading.Condition()

    def put(self, line: bytes) -> None:
        """Add a line once there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._fits(line))
            self._waiting.append(line)
            self._bytes += len(line)
            self._changed.notify_all()

    def get(self) -> bytes:
        """Take the first line once there is one."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            line = self._waiting.popleft()
            self._bytes -= len(line)
            self._changed.notify_all()
            return line

    def _fits(self, line: bytes) -> bool:
        few = len(self._waiting) < _AHEAD and self._bytes + len(line) <= _PLAIN
        return few or not self._waiting


def _pieces(source: int) -> Iterator[bytes]:
    """The lines of a descriptor; of one that is too long its beginning, and its end alone."""
    line, cut = bytearray(), False
    while data := os.read(source, 65_536):
        *ended, rest = data.split(b"\n")
        for one in ended:
            yield b"\n" if cut else b"%b%b\n" % (line, one)
            line.clear()
            cut = False
        if cut:
            continue
        line += rest
        if len(line) > _LONGEST:
            yield bytes(line)
            line.clear()
            cut = True
    if line:
        yield bytes(line)
