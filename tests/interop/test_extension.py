"""The example extension, installed by pip beside this program in an environment that has nothing else."""

import json
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from deepresearch_mcp.settings.project import EXTRAS
from foreign import installed_by_pip
from small_web import said

ROOT = Path(__file__).parents[2]
GUIDE = "The try statement\n=================\n\nA finally clause runs before the statement ends.\n"
APP = "<html><head><title>Ice</title></head><body><div id=root></div><script>draw()</script></body></html>"

pytestmark = [pytest.mark.interop, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of an environment with this program, without extras, and the example."""
    pins = str(ROOT / "constraints.txt")
    return installed_by_pip(
        tmp_path_factory.mktemp("extended"), "-c", pins, str(ROOT), str(ROOT / "examples" / "extension")
    )


@dataclass(slots=True)
class Site:
    """A guide in reStructuredText, and a page of scripts alone."""

    base: str = ""
    asked: list[str] = field(default_factory=list[str])

    async def handle(self, stream: SocketStream) -> None:
        async with stream:
            try:
                head = await BufferedByteReceiveStream(stream).receive_until(b"\r\n\r\n", 20_000)
            except (anyio.EndOfStream, anyio.IncompleteRead):
                return
            target = head.split()[1].decode()
            self.asked.append(target)
            pages = {"/guide.rst": ("text/x-rst", GUIDE), "/app": ("text/html", APP)}
            status, (kind, body) = (200, pages[target]) if target in pages else (404, ("text/plain", "no"))
            await stream.send(
                f"HTTP/1.1 {status} Answer\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                f"Connection: close\r\n\r\n{body}".encode()
            )


@asynccontextmanager
async def served() -> AsyncGenerator[Site]:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    site = Site(f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, site.handle)
        yield site
        tasks.cancel_scope.cancel()


@pytest.fixture
def env(child_env: dict[str, str]) -> dict[str, str]:
    return child_env | {"DEEPRESEARCH_SEARCH__ENGINES": "handbook"}


async def test_its_engine_and_its_reader_serve_a_client(python: str, env: dict[str, str]) -> None:
    async with served() as site:
        env |= {"DEEPRESEARCH_WEB__ALLOW_PRIVATE": site.base.removeprefix("http://")}
        server = StdioServerParameters(command=python, args=["-m", "deepresearch_mcp", "serve"], env=env)
        async with Client(stdio_client(server)) as client:
            found = (await client.call_tool("web_search", {"query": "finally statements"})).structured_content
            guide = said(await client.call_tool("fetch_url", {"url": f"{site.base}/guide.rst"}))
            app = await client.call_tool("fetch_url", {"url": f"{site.base}/app"})

    assert found is not None
    assert "https://handbook.example/compound-statements" in [hit["url"] for hit in found["hits"]]
    assert found["engines"] == ["handbook"]
    assert "# The try statement\n\nA finally clause runs" in guide
    # Nothing of the extras is there: what needs one says so.
    assert app.is_error
    assert "needs the extra browser" in said(app)


def test_its_model_is_asked_in_a_run_and_rules_stand_in_for_what_it_cannot_say(
    python: str, env: dict[str, str]
) -> None:
    env |= {"DEEPRESEARCH_MODEL__PRICES": json.dumps({"parrot:grey": {"input": 1, "output": 1}})}
    done = run_by(python, env, "research", "What does a finally clause do?", "--model", "parrot:grey", "--json")

    run = json.loads(done.stdout)
    assert done.returncode == 3, done.stderr
    assert run["provenance"]["models"] == ["parrot:grey"]
    assert run["metrics"]["model_calls"] > 0
    assert run["metrics"]["usd"] > 0
    assert {one["engine"] for one in run["provenance"]["searched"]} == {"handbook"}


def test_without_extras_doctor_tells_what_each_would_add(python: str, env: dict[str, str]) -> None:
    known = json.loads(run_by(python, env, "doctor", "--offline", "--json").stdout)
    told = run_by(python, env, "doctor", "--offline").stdout

    assert known["ok"] is True
    assert known["engines"] == ["handbook"]
    assert known["extras"] == dict.fromkeys(EXTRAS, False)
    assert "none is installed" in told
    assert all(f"without {extra}, which " in " ".join(told.split()) for extra in EXTRAS)


def run_by(python: str, env: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [python, "-m", "deepresearch_mcp", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=120)
