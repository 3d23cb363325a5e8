"""Foreign programs that tests run: which versions of them, where they are installed, and what is made of their output.

Every version stands here. They come from the package registries, into folders of their own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import anyio
import pytest

from small_web import PAGES, QUESTION, SmallWeb

AGENTS = ("mcp==2.3.0", "fastmcp-slim[client]==4.1.6", "pydantic-ai-slim[mcp]==2.68.0", "openai-agents==0.24.0")
TASKED = ("mcp==2.3.0", "fastmcp-slim[client]==4.1.2", "fastmcp-tasks==4.1.2")
LANGCHAIN = ("mcp==1.30.0", "langchain-mcp-adapters==0.3.2", "langchain==1.5.2", "langchain-openai==1.7.4")
"""It takes the SDK's version 1 alone, so it has an environment of its own."""
UV = "uv==0.13.9"
"""What hosts start bundles with."""
NODE_RUNS = "node@22.23.3"
"""What is installed may be older than the suites and clients of the protocol ask for."""
CLIENTS = (
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
)
CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.330"
CODEX = "@openai/codex@0.169.0"
CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
IDENTITY_SERVER = "oidc-provider@9.13.3"
MEMORY_SERVER = "@modelcontextprotocol/server-memory@2026.8.31"
"""A server with a search of its own, over a file: it needs no network."""
AXE = "axe-core@4.14.1"
APP_HOST = (
    "@modelcontextprotocol/ext-apps@2.0.4",
    "@modelcontextprotocol/client@2.4.0",
    "esbuild@0.28.2",
    AXE,
    "playwright-core@1.65.1",
)

SERVER = [sys.executable, "-m", "deepresearch_mcp", "serve"]
"""Ours, as a client starts it."""

_LONGEST = 180
"""Seconds for one program: far more than any needs."""

NOWHERE = "http://127.0.0.1:9"
"""The proxy of foreign programs, where nobody listens: what they tell their makers stays here."""


def missing(why: str) -> NoReturn:
    """There is nothing to test with: skip, or fail where CI is set, as `make interop` sets it."""
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(f"{why} In CI nothing is skipped.")
    pytest.skip(why)


def program(*names: str, needed: bool = True) -> str:
    """Where one of these programs is; one that is not needed may be missing in CI too."""
    for name in names:
        if path := shutil.which(name):
            return path
    why = f"{names[0]} is not installed."
    if not needed:
        pytest.skip(why)
    missing(why)


def installed_by_npm(folder: Path, *packages: str, with_node: bool = True) -> Path:
    """A folder with these packages, and with a Node that is new enough for them, unless none is to run them."""
    (folder / "package.json").write_text(json.dumps({"private": True}))
    npm, _ = program("npm"), program("node", "nodejs")
    _install(
        [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--loglevel",
            "error",
            *packages,
            *([NODE_RUNS] if with_node else []),
        ],
        folder,
    )
    return folder


def installed_by_pip(folder: Path, *packages: str) -> str:
    """The interpreter of an environment with these packages."""
    folder.mkdir(exist_ok=True)
    python = str(folder / "bin" / "python")
    if uv := shutil.which("uv"):
        _install([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)], folder)
        _install([uv, "pip", "install", "--quiet", "--python", python, *packages], folder)
        return python
    _install([sys.executable, "-m", "venv", str(folder)], folder)
    _install([python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *packages], folder)
    return python


def newer(package: str) -> str:
    """What the registry has of a pinned package, where that is newer; empty where it is not, or cannot be asked."""
    name, _, pinned = package.rpartition("@")
    asked = subprocess.run(
        [program("npm"), "view", name, "version"], capture_output=True, text=True, check=False, timeout=60
    )
    there = asked.stdout.strip()
    return there if asked.returncode == 0 and _ordered(there) > _ordered(pinned) else ""


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("-")[0]))


_OUR_PINS = {"PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT", "UV_CONSTRAINT", "UV_BUILD_CONSTRAINT"}
"""What the Makefile pins our own packages with: foreign programs bring their own versions."""


def _install(command: list[str], folder: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in _OUR_PINS}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        # An index that has no such version is as good as none: the pins above are to be looked at.
        missing(f"{Path(command[0]).name} could not install {command[-1]}: {done.stderr.strip()[-500:]}")


@dataclass(frozen=True)
class Seen:
    """What a foreign client says has happened, in the words of `clients/following`."""

    calls: list[tuple[str, dict[str, Any]]]
    """Tools with their arguments, in the order they were called."""
    texts: list[str]
    """What each brought that was answered, as its model was given it."""
    faults: list[str]
    """What calls failed with that were not: time-outs above all."""
    seconds: float
    """From the first call to the last answer."""
    runs: dict[str, Any]
    """What `list_runs` said in the end."""
    more: dict[str, Any]

    @property
    def report(self) -> str:
        return self.texts[-1]

    @property
    def tools(self) -> list[str]:
        return [tool for tool, _ in self.calls]

    def ended_in_a_report(self, web: SmallWeb) -> bool:
        """Whether it read the one report of the one run."""
        known = [(run["status"], run["question"]) for run in self.runs["runs"]]
        return known == [("completed", QUESTION)] and is_report(self.report, web)


def is_report(text: str, web: SmallWeb) -> bool:
    """Whether a text is the report whole: what it says is cited, and its citations lead to words on this web."""
    told, _, references = text.partition("\n## References\n")
    cited = "less dense than liquid water" in told and re.search(r"\[\d[a-z]?\]", told) is not None
    return (
        text.startswith(f"# {QUESTION}")
        and cited
        and any(f"<{web.base}{path}#:~:text=" in references for path in PAGES)
    )


async def seen_by(command: list[str], given: dict[str, Any], folder: Path, env: dict[str, str]) -> Seen:
    """Run a client's program to its end; what it is given stands in a file, as environments are nobody's business."""
    file = folder / "given.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps({"question": QUESTION, **given}))
    told = json.loads(await output_of([*command, str(file)], env))
    known = {name: told.pop(name) for name in ("calls", "texts", "faults", "seconds", "runs")}
    return Seen(**known, more=told)


async def output_of(command: list[str], env: dict[str, str]) -> str:
    """What a foreign program writes to standard output."""
    quiet = {"NO_PROXY": "127.0.0.1,localhost", "OPENAI_AGENTS_DISABLE_TRACING": "1", "LANGSMITH_TRACING": "false"}
    quiet |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    with anyio.fail_after(_LONGEST):
        done = await anyio.run_process(command, env=env | quiet, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:] + done.stdout.decode()[-1000:]
    return done.stdout.decode()


if __name__ == "__main__":
    # For the gate: a client that was released today is no fault, but it is what people have.
    for one in (CLAUDE_CODE, CODEX):
        if there := newer(one):
            sys.stdout.write(f"{one} is tested, and the registry has {there}: pin it in {__file__} and look at it.\n")
