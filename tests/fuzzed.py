"""What clients may send, whether they know the schemas or not, and a server on a pair of pipes to send it to."""

import json
import os
import select
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anyio
from hypothesis import strategies as st
from mcp.server.lowlevel import NotificationOptions

from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.mcp_server.tasks import MODERN, TASKS
from deepresearch_mcp.mcp_server.wire import lines
from deepresearch_mcp.settings.schema import Settings

_PATIENCE = 30
"""Seconds for one answer, on a busy machine."""


class Pipes:
    """A server in a thread, and a client that writes and reads its lines."""

    def __init__(self, asks: int, reads: int, *, modern: bool) -> None:
        self._asks, self._reads = asks, reads
        self._rest = b""
        self._number = 0
        self.modern = modern

    def tell(self, method: str, params: Any) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """The answer; all else that arrives meanwhile must be of the protocol too."""
        self._number += 1
        envelope: dict[str, Any] = {}
        if self.modern:
            capabilities = {"extensions": {TASKS: {}}, "elicitation": {"form": {}}}
            envelope["io.modelcontextprotocol/protocolVersion"] = MODERN
            envelope["io.modelcontextprotocol/clientCapabilities"] = capabilities
        if isinstance(params, dict) and "_meta" not in params:
            params = {**params, "_meta": envelope}
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = json.loads(self._line())
            assert message["jsonrpc"] == "2.0"
            # What is too long to be read is answered without its id.
            if "method" not in message and message["id"] in {self._number, None}:
                return message

    def _write(self, message: object) -> None:
        left = json.dumps(message).encode() + b"\n"
        while left:
            left = left[os.write(self._asks, left) :]

    def _line(self) -> bytes:
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._reads], [], [], _PATIENCE)
            assert ready, "no answer"
            self._rest += os.read(self._reads, 1 << 20)
        line, self._rest = self._rest.split(b"\n", 1)
        return line


@contextmanager
def piped(settings: Settings, *, modern: bool) -> Iterator[Pipes]:
    """A client that has greeted a server."""
    (source, asks), (reads, sink) = os.pipe(), os.pipe()

    async def serve() -> None:
        low = build_server(settings)._lowlevel_server
        with os.fdopen(source, "rb") as ours, os.fdopen(sink, "wb") as out:
            async with lines(ours, out) as (read, write):
                await low.run(read, write, low.create_initialization_options(NotificationOptions()))

    thread = threading.Thread(target=anyio.run, args=[serve])
    thread.start()
    client = Pipes(asks, reads, modern=modern)
    try:
        if not modern:
            hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}
            client.ask("initialize", hello)
            client.tell("notifications/initialized", {})
        yield client
    finally:
        os.close(asks)
        thread.join(_PATIENCE)
        os.close(reads)


IDS = ["", " ", ".", "..", "../../etc/passwd", "..%2f..%2fetc", "runs", "a\x00b", "%00", "C:\\con", "ß" * 200, "'; --"]
"""Names of runs, claims and sources that are none."""

_ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=30)
_NUMBERS = st.sampled_from([0, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, 1e308, float("nan"), float("inf")])
_LONG = st.sampled_from(["x" * 1_000_000, "🜁" * 100_000, "\n" * 50_000, "[" * 20_000, "a " * 20_000])


def _nested(depth: int) -> Any:
    value: Any = "deep"
    for _ in range(depth):
        value = [value] if depth % 2 else {"a": value}
    return value


ODD: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    _NUMBERS,
    _ANY_TEXT,
    st.sampled_from(IDS),
    st.sampled_from([[], {}, [[]], [None], {"": None}, {"$ref": "#"}, _nested(50), _nested(101)]),
    _LONG,
)
"""What fits nowhere, or hardly."""


def fitting(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows."""
    if "anyOf" in schema:
        return st.one_of(*map(fitting, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "string" if schema.get("format") == "date":
            return st.dates().map(str)
        case "string":
            return st.text(min_size=schema.get("minLength", 0), max_size=40)
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "number":
            low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
            return st.floats(low, high, allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(fitting(schema["items"]), max_size=3)
        case _:
            return st.none()


@st.composite
def arguments(draw: st.DrawFn, schema: Mapping[str, Any], known: Mapping[str, list[Any]]) -> dict[str, Any]:
    """Arguments of a tool: most fit its schema, some do not, some are of something that is there."""
    given: dict[str, Any] = {}
    for name, inner in schema["properties"].items():
        required = name in schema.get("required", [])
        kind = draw(
            st.sampled_from(["fits"] * 6 + ["odd", "none"] if required else ["fits", "none", "none", "none", "odd"])
        )
        if kind == "odd":
            given[name] = draw(ODD)
        elif kind == "fits":
            given[name] = draw(st.sampled_from(known[name]) | fitting(inner) if name in known else fitting(inner))
    if draw(st.integers(0, 20)) == 0:
        given[draw(_ANY_TEXT)] = draw(ODD)
    return given
