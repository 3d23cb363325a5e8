"""A service on loopback that answers, refuses, hangs or breaks off as it is told."""

import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from typing_extensions import override

Fault = Literal["", "hang", "break"]


class LoopbackService:
    """What it answers, and the requests that it has got, as their method and path."""

    def __init__(self) -> None:
        self.base = ""
        self.asked: list[str] = []
        self.sent: list[str] = []
        """All of each request: its address, headers and body."""
        self.status = 200
        self.body = b""
        self.headers: Mapping[str, str] = {}
        self.fault: Fault = ""
        self.routes: dict[str, tuple[int, bytes]] = {}
        """First segment of a path → the status and body that are answered there instead."""
        self.over = threading.Event()
        """Ends what hangs."""

    def says(self, body: Any, status: int = 200, headers: Mapping[str, str] | None = None, fault: Fault = "") -> None:
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers, self.fault = status, headers or {}, fault


@contextmanager
def loopback_service() -> Generator[LoopbackService]:
    """Serve until the block ends."""
    service = LoopbackService()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            service.sent.append(f"{self.path}\n{self.headers}\n{body.decode(errors='replace')}")
            service.asked.append(f"{self.command} {self.path.partition('?')[0]}")
            if service.fault == "hang":
                service.over.wait()
                return
            status, answer = service.routes.get(self.path.split("/")[1], (service.status, service.body))
            self.send_response(status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.send_header("content-type", "application/json")
            # A body that breaks off is shorter than was said.
            self.send_header("content-length", str(len(answer) + (service.fault == "break")))
            self.end_headers()
            self.wfile.write(answer)

        do_POST = do_GET  # noqa: N815 - the base class's word

        @override
        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        # All engines ask at once; with the usual five the system would refuse some of them.
        request_queue_size = 128

    with Server(("127.0.0.1", 0), Handler) as server:
        service.base = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield service
        finally:
            service.over.set()
            server.shutdown()
            thread.join()
