"""Real clients as judges of `install`: each, from its registry, reads our entry back out of its own file."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deepresearch_mcp.cli.clients.entries import Machine, clients
from deepresearch_mcp.cli.clients.rewriting import bare, file_text
from foreign import CLAUDE_CODE, CODEX

CLIENTS = {
    "claude-code": (CLAUDE_CODE, ("claude", "mcp", "get", "deepresearch")),
    "codex": (CODEX, ("codex", "mcp", "get", "deepresearch")),
    "copilot-cli": ("@github/copilot@1.0.102", ("copilot", "mcp", "get", "deepresearch")),
    "gemini-cli": ("@google/gemini-cli@0.61.0", ("gemini", "mcp", "list")),
    "opencode": ("opencode-ai@1.18.33", ("opencode", "mcp", "list")),
    "qwen-code": ("@qwen-code/qwen-code@0.15.10", ("qwen", "mcp", "list")),
}
"""The package, and how the client tells what it knows."""
STARTS_US = {"claude-code", "opencode", "qwen-code"}
"""Those that start a server to tell its state."""


def environment(home: Path) -> dict[str, str]:
    """A user who has just this, and no way to the network."""
    folders = {str(Path(shutil.which(name) or "/usr/bin/node").parent) for name in ("node", "npm")}
    return {
        "HOME": str(home),
        "PATH": ":".join([*folders, "/usr/bin", "/bin"]),
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
        "NO_COLOR": "1",
    }


def program(package: str, name: str, folder: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("Node.js with npm is needed for the clients, and is not installed")
    words = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), package]
    subprocess.run([npm, *words], check=True, capture_output=True, timeout=280)
    return folder / "node_modules" / ".bin" / name


@pytest.mark.interop
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", CLIENTS)
def test_the_client_itself_reads_our_entry_back(name: str, tmp_path: Path) -> None:
    package, (called, *words) = CLIENTS[name]
    client = program(package, called, tmp_path / "npm")
    home, folder = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    folder.mkdir()
    env = environment(home)
    ours = [sys.executable, "-m", "deepresearch_mcp", "install", name]
    subprocess.run([*ours, "--yes"], cwd=folder, env=env, check=True, capture_output=True, timeout=60)

    said = subprocess.run(
        [client, *words], cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120
    )

    told = said.stdout + said.stderr
    assert "deepresearch" in told
    assert re.search(r"deepresearch-(?:server|mcp)\s+serve|deepresearch-(?:server|mcp)$", told, re.MULTILINE), told
    assert (name not in STARTS_US) or "onnected" in told, told
    # Whatever the client has written there since, our entry goes and what is its own stays.
    subprocess.run([*ours, "--undo", "--yes"], cwd=folder, env=env, check=True, capture_output=True, timeout=60)
    known = clients(Machine("Linux", home, {}))[name]
    assert known.read(bare(file_text(known.place()))[1]) is None
