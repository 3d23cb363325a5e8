"""The TypeScript client: generated from the OpenAPI document, built, and run under Node against the real routes."""

import json
import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import anyio
import pytest

from deepresearch_mcp.http_app.rest.service import document
from foreign import missing
from rest_served import rest_address
from small_web import QUESTION

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client, generated from the document of today and compiled."""
    if not shutil.which("npm"):
        missing("There is no npm.")
    home = tmp_path_factory.mktemp("typescript") / "client"
    shutil.copytree(CLIENT, home, ignore=shutil.ignore_patterns("node_modules", "dist", "schema.ts"))
    (home / "openapi.json").write_text(document(), encoding="utf-8")
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False, timeout=200)
        if done.returncode:
            pytest.fail(done.stdout + done.stderr)
    return home


async def test_a_run_is_started_followed_and_read_under_node(built: Path, tmp_path: Path) -> None:
    async with rest_address(tmp_path) as address:
        command = ["node", "ask.mjs", address, "token:1", QUESTION]
        done = await anyio.run_process(command, cwd=built, check=False)

    assert done.returncode == 0, done.stderr.decode()
    seen = json.loads(done.stdout)
    assert seen["status"] == "completed"
    assert "ice" in seen["report"].lower()
    assert seen["kinds"][-1] == "ended"
    assert "page_read" in seen["kinds"]


class Stopped(BaseHTTPRequestHandler):
    """A server that is stopped amid a run, another that is not ready yet, and a third that goes on."""

    asked: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        self.asked.append(self.headers.get("last-event-id"))
        turn = len(self.asked)
        kinds = {1: ("started", "stage_entered"), 3: ("ended",)}.get(turn, ())
        first = 1 if turn == 1 else 3
        body = "".join(
            f"id: {number}\nevent: state_change\ndata: "
            + json.dumps({"type": "state_change", "actor": "run", "parent": "run", "data": {"kind": kind}})
            + "\n\n"
            for number, kind in enumerate(kinds, first)
        )
        self.send_response(200 if kinds else 503)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the standard library
        """Say nothing."""


@contextmanager
def stopped() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stopped) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


FOLLOWED = """
import { follow } from "./dist/index.js";
for await (const one of follow(process.argv[1], "t", "r1")) console.log(one.number, one.actor, one.data.kind);
"""


async def test_the_events_of_a_run_go_on_at_the_next_server_when_one_is_stopped(built: Path) -> None:
    with stopped() as address:
        command = ["node", "--input-type=module", "-e", FOLLOWED, address]
        done = await anyio.run_process(command, cwd=built, check=False)

    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == ["1 run started", "2 run stage_entered", "3 run ended"]
    assert Stopped.asked == [None, "2", "2"]
