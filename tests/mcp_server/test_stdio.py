import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client, StdioServerParameters

from deepresearch_mcp.runtime import open_runtime
from small_web import QUESTION, SmallWeb, said, settings_for

SERVE = [sys.executable, "-m", "deepresearch_mcp", "serve"]

LATE = (
    "aiosqlite",
    "ddgs",
    "genai_prices",
    "json_repair",
    "justext",
    "lxml",
    "markdown_it",
    "psycopg",
    "pypdf",
    "rapidfuzz",
    "sqlite3",
    "tomlkit",
    "trafilatura",
    "typer",
    "deepresearch_mcp.cli",
    "deepresearch_mcp.jobs",
    "deepresearch_mcp.llm",
    "deepresearch_mcp.pipeline",
    "deepresearch_mcp.runtime",
    "deepresearch_mcp.search",
    "deepresearch_mcp.store",
    "deepresearch_mcp.web",
)
"""What no client waits for that lists the tools; whoever adds a heavy library adds it here."""

CHATTY = """
import os, subprocess, sys, warnings
from deepresearch_mcp.__main__ import main

class Chatty:
    told = False

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("deepresearch_mcp"):
            print("importing", name)
            sys.stdout.flush()
        if name == "anyio" and not self.told:
            self.told = True
            os.write(1, b"written to descriptor 1\\n")
            subprocess.run([sys.executable, "-S", "-c", "print('printed by a child')"])
            warnings.warn("warned of something")

sys.meta_path.insert(0, Chatty())
sys.argv = ["deepresearch-mcp", "serve"]
main()
"""


def env_for(child_env: dict[str, str], base: str) -> dict[str, str]:
    """What `settings_for` sets, as variables."""
    return child_env | {
        "DEEPRESEARCH_MODEL__USE": "extractive",
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": urlsplit(base).netloc,
        "DEEPRESEARCH_WEB__WORKERS": "1",
        "DEEPRESEARCH_RESEARCH__STOP_SCORE": "1",
        "DEEPRESEARCH_SERVER__PROGRESS_SECONDS": "0.4",
    }


class Wire:
    """A client of the older era by hand, which sees every line that the server writes."""

    def __init__(self, command: list[str], env: dict[str, str], errors: Path) -> None:
        self.errors = errors.open("w")
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True
        )
        self._number = 0
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
        self.tell("notifications/initialized")

    def tell(self, method: str, **params: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self._number
        return answer["result"]

    def close(self) -> int:
        """End standard input; the exit code. Whatever was written after the last answer is a fault."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        rest = self.process.stdout.read()
        code = self.process.wait(20)
        self.process.stdout.close()
        self.errors.close()
        assert rest == ""
        return code


def wait_begun(wire: Wire) -> None:
    """Wait for the run: on a busy machine a call is answered before its run has begun."""
    asked = {"status": "running"}
    while not wire.ask("tools/call", name="list_runs", arguments=asked)["structuredContent"]["runs"]:
        pass


HELD_UNTIL = """
import pathlib, sys, time
from deepresearch_mcp.__main__ import main

class Held:
    def find_spec(self, name, path=None, target=None):
        while name == "mcp" and not pathlib.Path("GATE").exists():
            time.sleep(0.01)

sys.meta_path.insert(0, Held())
sys.argv = ["deepresearch-mcp", "serve"]
main()
"""
"""A server whose imports wait for a file."""


def test_tools_are_listed_before_anything_else_is_imported(child_env: dict[str, str], tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    program = HELD_UNTIL.replace("GATE", str(gate))

    wire = Wire([sys.executable, "-c", program], child_env, tmp_path / "stderr")
    early = wire.ask("tools/list")
    gate.touch()
    runs = wire.ask("tools/call", name="list_runs", arguments={})
    later = wire.ask("tools/list")
    code = wire.close()

    assert early == later
    assert (len(early["tools"]), runs["structuredContent"]["runs"], code) == (10, [], 0)


def test_other_tools_than_the_usual_are_listed_by_the_server_itself(child_env: dict[str, str], tmp_path: Path) -> None:
    wire = Wire(SERVE, child_env | {"DEEPRESEARCH_SERVER__TOOLSETS": "web"}, tmp_path / "stderr")
    tools = wire.ask("tools/list")["tools"]

    assert wire.close() == 0
    assert [tool["name"] for tool in tools] == ["web_search", "fetch_url"]


def test_nothing_but_protocol_reaches_standard_output(child_env: dict[str, str], tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    wire = Wire([sys.executable, "-c", CHATTY], child_env, errors)

    tools = wire.ask("tools/list")["tools"]
    runs = wire.ask("tools/call", name="list_runs", arguments={})
    code = wire.close()

    assert (len(tools), runs["structuredContent"]["runs"], code) == (10, [], 0)
    said_elsewhere = errors.read_text()
    for words in ("importing mcp", "importing httpx2", "written to descriptor 1", "printed by a child", "warned of"):
        assert words in said_elsewhere
    assert "Traceback" not in said_elsewhere


def test_listing_the_tools_imports_nothing_that_only_a_call_needs(child_env: dict[str, str], tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    began = monotonic()
    # What measures the coverage of processes imports a database of its own.
    child_env = {name: value for name, value in child_env.items() if not name.startswith("COV")}
    wire = Wire(SERVE, child_env | {"PYTHONPROFILEIMPORTTIME": "1"}, errors)
    wire.ask("tools/list")
    # What is not prepared is asked of the server itself.
    wire.ask("prompts/get", name="briefing", arguments={"topic": "ice"})
    imported = [line.rsplit("|", 1)[1].strip() for line in errors.read_text().splitlines() if "|" in line]
    if monotonic() - began > 1.0 and "deepresearch_mcp.store" in imported:
        # By then the server looks for runs that lost theirs; only a slow machine comes here.
        del imported[imported.index("deepresearch_mcp.store") :]
    wire.close()

    assert "mcp.server" in imported
    assert [name for name in LATE if name in imported] == []


def test_a_server_without_standard_error_keeps_its_wire_clean(child_env: dict[str, str], tmp_path: Path) -> None:
    command = ["sh", "-c", 'exec "$0" "$@" 2>&-', sys.executable, "-c", CHATTY]
    wire = Wire(command, child_env, tmp_path / "stderr")

    assert wire.ask("tools/call", name="list_runs", arguments={})["isError"] is False
    assert wire.close() == 0


async def test_a_spawned_server_researches_in_either_era(
    era: str, web: SmallWeb, child_env: dict[str, str], tmp_path: Path
) -> None:
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    server = StdioServerParameters(command=SERVE[0], args=SERVE[1:], env=env_for(child_env, web.base), cwd=tmp_path)
    async with Client(server, mode=era) as client:
        asked = {"question": QUESTION, "effort": "quick"}
        result = await client.call_tool("deep_research", asked, progress_callback=hear)
        found = re.search(r'run_id="(\w+)"', said(result))
        assert found
        [content] = (await client.read_resource(f"research://runs/{found.group(1)}/report")).contents

    assert said(result).startswith(f"# {QUESTION}")
    assert heard == sorted(set(heard))
    assert len(heard) >= 3
    assert f"# {QUESTION}" in content.model_dump()["text"]


async def test_the_end_of_input_ends_the_server_and_leaves_its_run_interrupted(
    held_web: SmallWeb, child_env: dict[str, str], tmp_path: Path
) -> None:
    import anyio.to_thread

    def start_and_leave() -> tuple[str, int]:
        wire = Wire(SERVE, env_for(child_env, held_web.base), tmp_path / "stderr")
        asked = {"question": QUESTION, "wait_seconds": 0}
        text = wire.ask("tools/call", name="deep_research", arguments=asked)["content"][0]["text"]
        wait_begun(wire)
        wire.tell("notifications/nothing")
        return text, wire.close()

    text, code = await anyio.to_thread.run_sync(start_and_leave)
    async with open_runtime(settings_for(Path(child_env["DEEPRESEARCH_HOME"]))) as runtime:
        [row] = await runtime.store.runs.find()

    assert row.run_id in text
    assert (row.status, row.handed, code) == ("interrupted", True, 0)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_server_as_its_sender_expects_and_hands_its_run_over(
    held_web: SmallWeb, child_env: dict[str, str], tmp_path: Path, how: signal.Signals
) -> None:
    import anyio.to_thread

    def start_and_stop() -> int:
        wire = Wire(SERVE, env_for(child_env, held_web.base), tmp_path / "stderr")
        wire.ask("tools/call", name="deep_research", arguments={"question": QUESTION, "wait_seconds": 0})
        wait_begun(wire)
        # Its input is still open: the thread that reads it is left behind.
        wire.process.send_signal(how)
        code = wire.process.wait(20)
        wire.close()
        return code

    code = await anyio.to_thread.run_sync(start_and_stop)
    async with open_runtime(settings_for(Path(child_env["DEEPRESEARCH_HOME"]))) as runtime:
        [row] = await runtime.store.runs.find()

    assert (row.status, row.handed, row.deaths, code) == ("interrupted", True, 0, -how)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


def test_a_client_that_vanishes_leaves_no_trace_in_the_log(child_env: dict[str, str], tmp_path: Path) -> None:
    errors = tmp_path / "stderr"
    wire = Wire(SERVE, child_env, errors)
    assert wire.process.stdout
    assert wire.process.stdin
    wire.process.stdout.close()
    wire.process.stdin.write('{"jsonrpc": "2.0", "id": 9, "method": "tools/list"}\n')
    wire.process.stdin.close()

    assert wire.process.wait(20) == 0
    wire.errors.close()
    assert "Traceback" not in errors.read_text()


@pytest.mark.parametrize("program", ["prepared", "plain"])
def test_a_client_whose_socket_is_reset_leaves_no_server_and_no_trace(
    child_env: dict[str, str], tmp_path: Path, program: str
) -> None:
    """Some hosts give a server one socket for both directions; Node gives it a pair of them."""
    ours, theirs = socket.socketpair()
    errors = tmp_path / "stderr"
    command = SERVE if program == "prepared" else [*SERVE, "--set", "search.timeout=5"]
    with errors.open("w") as log:
        process = subprocess.Popen(command, env=child_env, stdin=theirs, stdout=theirs, stderr=log)
    theirs.close()
    ours.sendall(b'{"jsonrpc": "2.0", "id": 9, "method": "prompts/get"}\n')
    ours.recv(1)
    # What is left of the answer is never read, so the system resets the connection.
    ours.close()

    try:
        assert process.wait(20) == 0
    finally:
        process.kill()
    assert "Traceback" not in errors.read_text()
