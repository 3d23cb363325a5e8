import json
import tomllib
from pathlib import Path

import pytest

from deepresearch_mcp.cli.clients.entries import ENTRY, Machine, clients, this_machine

COMMAND = ["/opt/bin/deepresearch-mcp", "serve"]


def files(system: str, home: Path, **variables: str) -> dict[str, str]:
    return {
        name: client.file.relative_to(home).as_posix()
        for name, client in clients(Machine(system, home, variables)).items()
    }


def test_every_client_is_looked_for_where_its_system_keeps_it(tmp_path):
    linux, mac, windows = (files(system, tmp_path) for system in ("Linux", "Darwin", "Windows"))

    assert linux["claude-desktop"] == ".config/Claude/claude_desktop_config.json"
    assert mac["claude-desktop"] == "Library/Application Support/Claude/claude_desktop_config.json"
    assert windows["claude-desktop"] == "AppData/Roaming/Claude/claude_desktop_config.json"
    assert linux["vscode"] == ".config/Code/User/mcp.json"
    assert mac["vscode"] == "Library/Application Support/Code/User/mcp.json"
    assert windows["vscode-insiders"] == "AppData/Roaming/Code - Insiders/User/mcp.json"
    assert (linux["zed"], mac["zed"]) == (".config/zed/settings.json",) * 2
    assert windows["zed"] == "AppData/Roaming/Zed/settings.json"
    everywhere = {
        "claude-code": ".claude.json",
        "cursor": ".cursor/mcp.json",
        "windsurf": ".codeium/windsurf/mcp_config.json",
        "codex": ".codex/config.toml",
        "gemini-cli": ".gemini/settings.json",
        "copilot-cli": ".copilot/mcp-config.json",
        "lm-studio": ".lmstudio/mcp.json",
        "antigravity": ".gemini/config/mcp_config.json",
        "qwen-code": ".qwen/settings.json",
        "opencode": ".config/opencode/opencode.json",
        "cline": ".cline/data/settings/cline_mcp_settings.json",
        "kiro": ".kiro/settings/mcp.json",
    }
    assert (linux["devin"], mac["devin"]) == (".config/devin/mcp_config.json",) * 2
    assert windows["devin"] == "AppData/Roaming/devin/mcp_config.json"
    assert all(places[name] == place for places in (linux, mac, windows) for name, place in everywhere.items())


def test_variables_of_the_clients_move_their_files(tmp_path):
    moved = files(
        "Linux",
        tmp_path,
        XDG_CONFIG_HOME=str(tmp_path / "x"),
        CLAUDE_CONFIG_DIR=str(tmp_path / "c"),
        CODEX_HOME=str(tmp_path / "d"),
        COPILOT_HOME=str(tmp_path / "e"),
    )

    assert moved["vscode"] == "x/Code/User/mcp.json"
    assert moved["zed"] == "x/zed/settings.json"
    assert moved["claude-code"] == "c/.claude.json"
    assert moved["codex"] == "d/config.toml"
    assert moved["copilot-cli"] == "e/mcp-config.json"
    assert files("Windows", tmp_path, APPDATA=str(tmp_path / "r"))["vscode"] == "r/Code/User/mcp.json"


def test_the_packaged_claude_of_windows_has_its_own_folder(tmp_path):
    own = tmp_path / "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude"
    own.mkdir(parents=True)

    assert clients(Machine("Windows", tmp_path, {}))["claude-desktop"].file.parent == own
    assert clients(Machine("Linux", tmp_path, {}))["claude-desktop"].file.parent != own


def test_where_claude_has_several_folders_on_windows_the_one_with_its_file_counts(tmp_path):
    local = tmp_path / "AppData/Local"
    packaged, newest = local / "Packages/Claude_p/LocalCache/Roaming/Claude", local / "Claude-Data/claude_p"
    newest.mkdir(parents=True)
    packaged.mkdir(parents=True)
    windows = Machine("Windows", tmp_path, {})
    assert clients(windows)["claude-desktop"].file.parent == newest

    (packaged / "claude_desktop_config.json").touch()

    assert clients(windows)["claude-desktop"].file.parent == packaged


@pytest.mark.parametrize("name", list(clients(Machine("Linux", Path("/nobody"), {}))))
def test_every_client_gets_an_entry_in_its_own_form_and_gives_it_back(name, tmp_path):
    client = clients(Machine("Linux", tmp_path, {}))[name]

    text = client.put("", client.entry(COMMAND))

    tree = tomllib.loads(text) if client.form == "toml" else json.loads(text)
    entry = tree[client.group][ENTRY]
    assert (
        entry["command"] == COMMAND if client.joined else (entry["command"], entry["args"]) == (COMMAND[0], ["serve"])
    )
    assert client.program(entry) == COMMAND[0]
    assert client.read(text) == entry
    assert client.read(client.take(text)) is None
    assert "env" not in entry


def test_what_a_user_added_to_our_entry_stays_but_an_address_beside_a_command_does_not(tmp_path):
    cursor = clients(Machine("Linux", tmp_path, {}))["cursor"]
    text = '{"mcpServers": {"deepresearch": {"url": "http://127.0.0.1:8765/mcp", "timeout": 9, "env": {"A": "1"}}}}'

    entry = cursor.read(cursor.put(text, cursor.entry(COMMAND)))

    assert entry == {"timeout": 9, "env": {"A": "1"}, "command": COMMAND[0], "args": ["serve"]}


def test_a_project_has_its_own_file(tmp_path):
    known = clients(Machine("Linux", tmp_path, {}))

    assert known["claude-code"].place(tmp_path) == tmp_path / ".mcp.json"
    assert known["codex"].place(tmp_path) == tmp_path / ".codex" / "config.toml"
    assert known["codex"].place(None) == known["codex"].file
    assert not known["claude-desktop"].project


def test_a_client_is_found_by_its_folder(tmp_path):
    known = clients(Machine("Linux", tmp_path, {}))
    assert not known["lm-studio"].found()

    (tmp_path / ".lmstudio").mkdir()

    assert known["lm-studio"].found()


@pytest.mark.parametrize("text", ["[1]", '{"mcpServers": [1]}', '{"mcpServers": {"deepresearch": 1}}'])
def test_files_of_an_unknown_shape_hold_no_entry_of_ours(text, tmp_path):
    assert clients(Machine("Linux", tmp_path, {}))["cursor"].read(text) is None


def test_this_machine_is_that_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "d"))

    machine = this_machine()

    assert machine.home == tmp_path
    assert machine.variables["CODEX_HOME"] == str(tmp_path / "d")
