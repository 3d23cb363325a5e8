import json

import pytest

from deepresearch_mcp.cli.clients.entries import Machine, clients
from deepresearch_mcp.cli.connections import connections, state_of


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
        ("client lm-studio", True, "starts http://127.0.0.1:8765/mcp"),
    ]


def test_a_command_that_is_gone_is_told_with_its_remedy(tmp_path):
    put(tmp_path, "codex", '[mcp_servers.deepresearch]\ncommand = "/gone/deepresearch-mcp"\n')

    [check] = connections(machine(tmp_path))

    assert not check.ok
    assert not check.needed
    assert "/gone/deepresearch-mcp, which is not there" in check.said
    assert check.action == "Run: deepresearch-mcp install codex"


def test_a_file_that_its_client_cannot_read_is_told(tmp_path):
    put(tmp_path, "claude-desktop", '{"mcpServers": {} // comments are not for this one\n}')
    put(tmp_path, "codex", "[x\n")

    checks = {check.name: check for check in connections(machine(tmp_path))}

    assert "no valid JSON in line 1" in checks["client claude-desktop"].said
    assert "no valid TOML" in checks["client codex"].said
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
    ],
)
def test_an_entry_that_has_another_partys_package_fetched_is_told_of(command, args, tmp_path):
    put(tmp_path, "cursor", json.dumps({"mcpServers": {"deepresearch": {"command": command, "args": args}}}))

    [check] = connections(machine(tmp_path))

    assert not check.ok
    assert "which is another party's" in check.said
    assert check.action == "Run: deepresearch-mcp install cursor"


def test_an_entry_of_opencode_is_looked_through_as_well(tmp_path):
    entry = {"type": "local", "command": ["uvx", "deepresearch-mcp", "serve"]}
    put(tmp_path, "opencode", json.dumps({"mcp": {"deepresearch": entry}}))

    [check] = connections(machine(tmp_path))

    assert "which is another party's" in check.said
