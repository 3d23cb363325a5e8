import json
import os
import sys
from pathlib import Path

import pytest

from deepresearch_mcp.cli.clients.entries import Machine, clients
from deepresearch_mcp.cli.connections import connections, programs, state_of


def machine(tmp_path) -> Machine:
    return Machine("Linux", tmp_path, {})


def put(tmp_path, name: str, text: str) -> None:
    file = clients(machine(tmp_path))[name].file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_clients_that_do_not_know_us_are_not_told(tmp_path):
    put(tmp_path, "cursor", '{"mcpServers": {}}')

    assert connections(machine(tmp_path)) == []


def test_a_client_that_starts_what_is_there_is_well(tmp_path):
    put(tmp_path, "cursor", '{"mcpServers": {"deepresearch": {"command": "sh", "args": []}}}')
    put(tmp_path, "lm-studio", '{"mcpServers": {"deepresearch": {"url": "http://127.0.0.1:8765/mcp"}}}')

    assert [(check.name, check.ok, check.said) for check in connections(machine(tmp_path))] == [
        ("client cursor", True, "starts sh"),
        ("client lm-studio", True, "connects to http://127.0.0.1:8765/mcp"),
    ]


def test_a_command_that_is_gone_is_told_with_its_remedy(tmp_path):
    put(tmp_path, "codex", '[mcp_servers.deepresearch]\ncommand = "/gone/deepresearch-mcp"\n')

    [check] = connections(machine(tmp_path))

    assert not check.ok
    assert not check.needed
    assert "/gone/deepresearch-mcp, which is not there" in check.said
    assert check.action == "Run: deepresearch-server install codex"


def test_a_file_that_its_client_cannot_read_is_told(tmp_path):
    put(tmp_path, "claude-desktop", '{"mcpServers": {} // comments are not for this one\n}')
    put(tmp_path, "codex", "[x\n")

    checks = {check.name: check for check in connections(machine(tmp_path))}

    assert "not valid JSON in line 1" in checks["client claude-desktop"].said
    assert "not valid TOML" in checks["client codex"].said
    assert all(check.action for check in checks.values())


def test_a_file_that_cannot_be_opened_is_a_problem_of_its_own(tmp_path):
    client = clients(machine(tmp_path))["cursor"]
    client.file.mkdir(parents=True)

    assert "cannot be read" in state_of(client).problem


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("uvx", ["deepresearch-mcp", "serve"]),
        ("/home/me/.local/bin/uvx", ["--from", "deepresearch-mcp[models]", "deepresearch-mcp", "serve"]),
        ("uv", ["tool", "run", "deepresearch-mcp@latest", "serve"]),
        ("pipx", ["run", "deepresearch-mcp==0.2.0"]),
        ("pipx", ["run", "--spec", "deepresearch_mcp", "deepresearch-mcp", "serve"]),
        ("uvx", ["--python", "3.12", "-q", "Deepresearch.MCP>=0.1", "serve"]),
        ("uvx", ["--from=deepresearch-mcp", "deepresearch-mcp", "serve"]),
        ("uv", ["run", "--with", "deepresearch-mcp", "deepresearch-mcp", "serve"]),
        ("uv", ["--quiet", "tool", "run", "deepresearch-mcp", "serve"]),
        ("env", ["A=1", "/usr/bin/uvx", "deepresearch-mcp", "serve"]),
    ],
)
def test_an_entry_that_has_another_partys_package_fetched_is_told_of(command, args, tmp_path):
    put(tmp_path, "cursor", json.dumps({"mcpServers": {"deepresearch": {"command": command, "args": args}}}))

    [check] = connections(machine(tmp_path))

    assert not check.ok
    assert "which is another party's" in check.said
    assert check.action == "Run: deepresearch-server install cursor"


def test_an_entry_of_opencode_is_looked_through_as_well(tmp_path):
    entry = {"type": "local", "command": ["uvx", "deepresearch-mcp", "serve"]}
    put(tmp_path, "opencode", json.dumps({"mcp": {"deepresearch": entry}}))

    [check] = connections(machine(tmp_path))

    assert "which is another party's" in check.said


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("uv", ["run", "--directory", "/home/me/clone", "deepresearch-mcp", "serve"]),
        ("uv", ["--directory", "/home/me/clone", "run", "deepresearch-mcp", "serve"]),
        ("uvx", ["--from", "/home/me/clone", "deepresearch-mcp", "serve"]),
        ("uvx", ["--from", "deepresearch-server", "deepresearch-mcp", "serve"]),
        ("uvx", ["--from=deepresearch-server[pdf]", "deepresearch-mcp", "serve"]),
        ("uvx", ["--from", "deepresearch-mcp @ file:///home/me/clone", "deepresearch-mcp", "serve"]),
        ("uvx", ["deepresearch-server", "deepresearch-mcp"]),
        ("pipx", ["run", "--spec", "deepresearch-server", "deepresearch-mcp", "serve"]),
        ("uv", ["tool", "dir"]),
        ("sh", ["-c", "deepresearch-mcp"]),
    ],
)
def test_an_entry_that_fetches_our_own_package_or_none_is_accused_of_nothing(command, args, tmp_path, monkeypatch):
    for name in ("uv", "uvx", "pipx"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    put(tmp_path, "cursor", json.dumps({"mcpServers": {"deepresearch": {"command": command, "args": args}}}))

    [check] = connections(machine(tmp_path))

    assert (check.ok, check.said) == (True, f"starts {command}")


@pytest.mark.parametrize(
    ("name", "field"),
    [("gemini-cli", "httpUrl"), ("qwen-code", "httpUrl"), ("windsurf", "serverUrl"), ("cursor", "url")],
)
def test_a_client_that_is_connected_by_an_address_is_told_with_it_and_without_its_secrets(name, field, tmp_path):
    entry = {field: "https://example.org/mcp?token=sesame", "headers": {"Authorization": "Bearer sesame"}}
    put(tmp_path, name, json.dumps({"mcpServers": {"deepresearch": entry}}))

    [check] = connections(machine(tmp_path))

    assert (check.ok, check.said) == (True, "connects to https://example.org/mcp?token=…")


def made(folder: Path, name: str, *, ours: bool) -> Path:
    """A program in an environment that holds our package, or another one."""
    program = folder / "bin" / name
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    package = "deepresearch_server-0.1.dist-info" if ours else "deepresearch_mcp-9.dist-info"
    (folder / "lib" / "python3.12" / "site-packages" / package).mkdir(parents=True)
    return program


def test_another_partys_program_that_comes_first_on_the_path_is_told_of(tmp_path, monkeypatch):
    theirs = made(tmp_path / "theirs", "deepresearch-mcp", ours=False)
    monkeypatch.setenv("PATH", str(theirs.parent))

    [check] = programs()

    assert (check.name, check.ok, check.needed) == ("command deepresearch-mcp", False, False)
    assert check.said == f"on your PATH, {theirs} comes first and is a different program"
    assert check.action.startswith("Call this one as ")
    assert "deepresearch" in check.action


def test_a_program_of_ours_on_the_path_is_nothing_to_tell_of(tmp_path, monkeypatch):
    installed = made(tmp_path / "ours", "deepresearch-mcp", ours=True)
    link = tmp_path / "links" / "deepresearch-mcp"
    link.parent.mkdir()
    link.symlink_to(installed)

    for folder in (installed.parent, link.parent, Path(sys.executable).parent, tmp_path):
        monkeypatch.setenv("PATH", str(folder))
        assert programs() == []
