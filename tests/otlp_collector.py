"""An OpenTelemetry collector on loopback: it takes traces over HTTP and keeps their spans."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from gzip import decompress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from deepresearch_mcp.ports.watching import Traces

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class MemoryTraces(Traces):
    """Keeps traces of runs in memory."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[str, str]] = {}

    async def join(self, run_id: str, parent: str) -> None:
        self.known.setdefault(run_id, (parent, ""))

    async def begin(self, run_id: str, root: str) -> tuple[str, str]:
        parent, first = self.known.get(run_id, ("", ""))
        self.known[run_id] = (parent, first or root)
        return self.known[run_id]


@dataclass
class Collector:
    """What was sent so far."""

    url: str = ""
    spans: list[Any] = field(default_factory=list[Any])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    raw: bytes = b""

    def named(self, name: str) -> list[Any]:
        """Spans whose name begins so."""
        return [one for one in self.spans if one.name.startswith(name)]


def attributes_of(span: Any) -> dict[str, Any]:
    """The attributes of a span, by name."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


@contextmanager
def collecting() -> Generator[Collector]:
    """Serve until the block ends."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            body = decompress(body) if self.headers.get("content-encoding") == "gzip" else body
            collector.raw += body
            collector.headers.append({name.lower(): value for name, value in self.headers.items()})
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    collector.spans += scope.spans
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the library
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
