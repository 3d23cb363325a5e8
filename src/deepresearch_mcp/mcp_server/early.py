"""Answers a client's first requests while the server is still being imported, and hands it all others.

Some clients wait a second for tools, and go without those of a server that needs longer. Nothing is imported here but
what Python has loaded anyway.
"""

import json
import os
import threading
from collections.abc import Iterator
from queue import Queue
from typing import Any, BinaryIO, cast

from deepresearch_mcp.mcp_server.prepared import Answers

_LONGEST = 4 * 1024 * 1024
"""Bytes of a line; what is longer comes in pieces, as from `readline` with a limit."""
_PLAIN = 64 * 1024
"""Bytes of a first request, at most."""

_AHEAD = 8
"""Lines that are read before the server asks for them: what a client says before its first request for a list."""

MODERN = "2026-07-28"
_META = "io.modelcontextprotocol/"


class Early:
    """Standard input as a file of lines, of which the first requests are answered before anybody reads them.

    A thread of its own reads from the first line to the last, so that no line is lost between two readers.
    """

    def __init__(self, source: int, sink: BinaryIO, answers: Answers | None) -> None:
        """`source` is a descriptor; without `answers` every line is handed on."""
        self._source = source
        self._sink = sink
        self._answers = answers
        self._lines: Queue[bytes] = Queue(_AHEAD)
        self._lock = threading.Lock()
        self._version = ""
        """Of the older protocol, once that was agreed upon here."""
        self._ready = False
        """The client has read that agreement."""
        self._over = False
        self.answered: set[str | int] = set()
        """Requests whose answer the client has, and which the server answers once more: for itself."""

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="standard input", daemon=True).start()

    def hand_over(self) -> None:
        """From here on the server answers everything itself."""
        with self._lock:
            self._answers = None

    def readline(self, _: int = -1) -> bytes:
        """The next line that is not answered; nothing at the end of input."""
        if self._over:
            return b""
        line = self._lines.get()
        self._over = not line
        return line

    def _read(self) -> None:
        for line in _pieces(self._source):
            with self._lock:
                replay = self._heard(line)
            if replay:
                self._lines.put(line)
        self._lines.put(b"")

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
        result = self._result(self._answers, str(method), cast("dict[str, Any]", params))
        if result is None:
            return True
        first = method == "initialize"
        if first:
            self.answered.add(number)
        try:
            self._sink.write(f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"result":{result}}}\n'.encode())
            self._sink.flush()
        except (OSError, ValueError):
            return True  # The client has gone: the server finds that out by itself.
        return first

    def _result(self, answers: Answers, method: str, params: dict[str, Any]) -> str | None:
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


def _pieces(source: int) -> Iterator[bytes]:
    """The lines of a descriptor; of a line that is too long, pieces."""
    rest = b""
    while data := os.read(source, 65_536):
        *lines, rest = (rest + data).split(b"\n") if b"\n" in data else (rest + data,)
        for line in lines:
            yield line + b"\n"
        if len(rest) > _LONGEST:
            yield rest
            rest = b""
    if rest:
        yield rest
