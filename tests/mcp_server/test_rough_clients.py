"""Clients that keep to no rule: the server answers the next good request, and says nothing that it should not."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from deepresearch_mcp.mcp_server.wire import AT_ONCE
from deepresearch_mcp.runtime import open_runtime
from small_web import QUESTION, SmallWeb, settings_for

SERVE = [sys.executable, "-m", "deepresearch_mcp", "serve"]
MEGABYTE = 1024 * 1024
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "rough", "version": "1"}}


def asked(request_id: Any, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode() + b"\n"


class Rough:
    """A client by hand, which reads only when it is told to; every line must be of the protocol."""

    def __init__(self, env: dict[str, str], errors: Path) -> None:
        self._errors = errors
        with errors.open("wb") as log:
            self.process = subprocess.Popen(SERVE, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def send(self, *sent: bytes) -> None:
        for one in sent:
            self.stdin.write(one)
        self.stdin.flush()

    def sending(self, *sent: bytes) -> threading.Thread:
        """Send while the test goes on: the server may not take it all at once."""
        thread = threading.Thread(target=self.send, args=sent)
        thread.start()
        return thread

    def read(self) -> dict[str, Any]:
        line = self.stdout.readline()
        message = json.loads(line)
        assert line.endswith(b"\n")
        assert message["jsonrpc"] == "2.0"
        assert b"Traceback" not in line
        return message

    def until(self, request_id: Any) -> list[dict[str, Any]]:
        """Everything up to the answer of one request."""
        found = [self.read()]
        while found[-1].get("id") != request_id:
            found.append(self.read())
        return found

    def greet(self) -> None:
        self.send(asked("hello", "initialize", **HELLO), b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        assert self.until("hello")[-1]["result"]["serverInfo"]["name"] == "deepresearch-mcp"

    def is_there(self) -> None:
        """Wait for the server itself, whose imports are over then: its first answers are prepared ones."""
        self.send(asked("there", "prompts/get", name="briefing", arguments={"topic": "ice"}))
        assert "result" in self.until("there")[-1]

    def is_well(self) -> None:
        self.send(asked("still there", "tools/list"))
        assert len(self.until("still there")[-1]["result"]["tools"]) == 10

    def peak(self) -> int:
        """The most memory that the server has had, in megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) // 1024

    def leave(self) -> None:
        """End standard input and read what is left: the server ends orderly, and its log holds no fault."""
        self.stdin.close()
        while self.stdout.peek(1):  # pyright: ignore[reportAttributeAccessIssue] - it is buffered
            self.read()
        assert self.process.wait(20) == 0
        assert "Traceback" not in self._errors.read_text()


@contextmanager
def connected(env: dict[str, str], errors: Path) -> Iterator[Rough]:
    client = Rough(env, errors)
    try:
        yield client
    finally:
        client.process.kill()
        client.process.wait()
        client.stdout.close()
        with suppress(BrokenPipeError):
            client.stdin.close()


@pytest.fixture
def rough(child_env: dict[str, str], tmp_path: Path) -> Iterator[Rough]:
    with connected(child_env, tmp_path / "stderr") as client:
        yield client


GARBAGE = [
    b"hello\n",
    b"\n\r\n \n",
    b"\x00\x01\x02\n",
    b"\xff\xfe{}\n",
    b"[" * 100_000 + b"\n",
    b'{"a":' * 100_000 + b"\n",
    b"[" + asked(1, "ping").strip() + b"]\n",
    b'{"jsonrpc": "2.0", "method": "nothing"}\n',
    b'{"jsonrpc": "2.0", "id": 99, "result": {}}\n',
    b'{"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "no"}}\n',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}\n',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 10000000000000000000000}}\n',
    b'{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": [], "progress": "x"}}\n',
    asked(1.5, "tools/list"),
    asked(None, "tools/list"),
    asked(-7, "no/such"),
    asked("", "tools/call", name=5),
    asked("\x00", "tools/call"),
    asked(3, "tools/call", name="list_runs", arguments=[]),
    asked(4, "resources/read", uri="::"),
    asked(5, "resources/read", uri=5),
    asked(6, "completion/complete", ref={}, argument={}),
    asked(7, "prompts/get", name="nothing"),
    asked(7, "prompts/get", name="research", arguments={"question": 5}),
    asked(8, "tools/call", name="list_runs", arguments={}, _meta=5),
    asked(9, "tools/call", name="list_runs", arguments={}, _meta={"progressToken": {}}),
    asked(10, "logging/setLevel", level="loud"),
    asked(11, "resources/subscribe", uri="research://runs/../../etc/passwd"),
    asked(12, "initialize"),
    asked(13, "tools/list", cursor=7),
]


def test_what_is_no_message_ends_nothing_before_the_greeting_or_after_it(rough: Rough) -> None:
    rough.send(*(line for line in GARBAGE if b'"id"' not in line))
    rough.greet()
    rough.send(*GARBAGE)
    rough.is_well()
    rough.send(asked("last", "ping").strip())

    rough.leave()


@pytest.mark.interop
def test_ten_megabytes_are_refused_and_a_hundred_without_an_end_fill_no_memory(rough: Rough) -> None:
    rough.greet()
    rough.is_there()
    before = rough.peak()
    big = asked(1, "tools/call", name="deep_research", arguments={"question": "x" * 10 * MEGABYTE})
    sending = rough.sending(big, b"x" * 100 * MEGABYTE, b"\n")
    refused = [rough.read(), rough.read()]
    sending.join()

    assert {one["error"]["code"] for one in refused} == {-32600}
    rough.is_well()
    assert rough.peak() - before < 25
    rough.leave()


@pytest.mark.interop
def test_a_flood_that_no_one_reads_fills_no_memory_and_every_request_is_answered_once(rough: Rough) -> None:
    rough.greet()
    rough.is_there()
    before = rough.peak()
    many = 3_000
    sending = rough.sending(*(asked(number, "tools/list") for number in range(many)))
    time.sleep(3)  # The server takes what it will; there is no event to wait for.
    grown = rough.peak() - before
    assert sending.is_alive()
    answers = [rough.read() for _ in range(many)]
    sending.join()

    assert grown < 200
    assert sorted(one["id"] for one in answers) == list(range(many))
    refused = [one for one in answers if "error" in one]
    assert all(f"{AT_ONCE:,} requests wait" in one["error"]["message"] for one in refused)
    rough.is_well()
    rough.leave()


@pytest.mark.interop
def test_a_client_that_writes_one_byte_at_a_time_is_served(rough: Rough) -> None:
    rough.greet()
    for number in asked(1, "ping"):
        rough.send(bytes([number]))

    assert rough.until(1)[-1]["result"] == {}


@pytest.mark.interop
def test_a_client_that_leaves_in_the_middle_of_an_answer_leaves_no_process_and_no_fault(rough: Rough) -> None:
    rough.greet()
    rough.send(*(asked(number, "tools/list") for number in range(50)))
    rough.stdout.read(100)
    rough.stdout.close()
    rough.stdin.close()

    assert rough.process.wait(20) == 0
    assert "Traceback" not in rough._errors.read_text()


@pytest.mark.interop
def test_a_server_whose_client_ends_its_side_and_never_reads_goes_away(rough: Rough) -> None:
    rough.greet()
    rough.send(*(asked(number, "tools/list") for number in range(50)))
    rough.stdin.close()

    assert rough.process.wait(20) == 0
    assert "reads no answer" in rough._errors.read_text()


@pytest.mark.interop
async def test_a_run_comes_to_its_end_while_no_one_reads_of_it(
    web: SmallWeb, child_env: dict[str, str], tmp_path: Path
) -> None:
    env = child_env | {
        "DEEPRESEARCH_MODEL__USE": "extractive",
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": web.base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": web.base.removeprefix("http://"),
        "DEEPRESEARCH_SERVER__PROGRESS_SECONDS": "0.01",
    }
    arguments = {"question": QUESTION, "effort": "quick"}

    def begin(client: Rough) -> None:
        client.greet()
        # What is not read fills the pipe: from then on every message waits.
        client.send(*(asked(number, "tools/list") for number in range(20)))
        client.send(asked("run", "tools/call", name="deep_research", arguments=arguments, _meta={"progressToken": 1}))

    def end(client: Rough) -> str:
        answers = {one.get("id"): one for one in client.until("run")}
        assert set(range(20)) <= {*answers}
        client.leave()
        return answers["run"]["result"]["content"][0]["text"]

    with connected(env, tmp_path / "stderr") as client:
        await anyio.to_thread.run_sync(begin, client)
        async with open_runtime(settings_for(Path(env["DEEPRESEARCH_HOME"]))) as runtime:
            with anyio.fail_after(60):
                while [row.status for row in await runtime.store.runs.find()] != ["completed"]:  # noqa: ASYNC110 - only the system knows
                    await anyio.sleep(0.1)
        text = await anyio.to_thread.run_sync(end, client)

    assert text.startswith(f"# {QUESTION}")
