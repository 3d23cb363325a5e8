import json
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepresearch_mcp.cli.clients.entries import Machine, clients
from deepresearch_mcp.cli.clients.rewriting import backup_of
from deepresearch_mcp.settings.project import PUBLISHED
from terminals import typed_at

EDITOR = """// How I like it
{
  "theme": "dark", // at night
  "servers": {
    "github": { "command": "gh", "env": { "GITHUB_TOKEN": "sesame-token" } }
  }
}
"""
CODEX = '# Mine\nmodel = "gpt-6.1-sol" # fast\n\n[mcp_servers.other]\ncommand = "x"\n'


def file_of(home: Path, name: str, text: str | bytes | None = None) -> Path:
    """A client's file as the command line of these tests sees it."""
    machine = Machine("Linux", home.parent / "user", {"XDG_CONFIG_HOME": str(home.parent / "no-config")})
    file = clients(machine)[name].file
    if text is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_without_a_client_all_are_listed_with_how_they_stand(cli, home):
    file_of(home, "cursor", "{}")
    file_of(home, "codex", '[mcp_servers.deepresearch]\ncommand = "/gone/x"\n')
    cli("install", "vscode", "--yes")

    said, object_ = cli("install"), cli("install", "--json")

    state = {line.split()[-2]: line.split()[0] for line in said.out.splitlines() if line.endswith((".json", ".toml"))}
    assert state["cursor"] == "found"
    assert state["vscode"] == "connected"
    assert state["codex"] == "broken"
    assert "/gone/x, which is not there" in said.out
    rows = {row["client"]: row for row in object_.json["clients"]}
    assert rows["vscode"]["connected"] is True
    assert rows["codex"]["problem"]
    assert rows["cursor"]["found"] is True


def test_without_a_terminal_and_a_yes_the_change_is_shown_and_refused(cli, home):
    file = file_of(home, "vscode", EDITOR)

    said, object_ = cli("install", "vscode"), cli("install", "vscode", "--json")

    assert (said.code, object_.code) == (2, 2)
    assert '+    "deepresearch": {' in said.out
    assert "there is no terminal to ask on.\nAdd --yes." in said.err
    assert (object_.error["name"], object_.error["action"]) == ("INVALID_REQUEST", "Add --yes.")
    assert file.read_text() == EDITOR
    assert "sesame" not in said.out + said.err + object_.out


def test_a_dry_run_shows_the_change_and_writes_nothing(cli, home):
    file = file_of(home, "vscode", EDITOR)

    said, both = cli("install", "vscode", "--dry-run"), cli("install", "vscode", "--dry-run", "--yes")
    object_ = cli("install", "vscode", "--dry-run", "--json")

    assert (said.code, object_.code, both.code) == (0, 0, 2)
    assert '+    "deepresearch": {' in said.out
    assert "Nothing was written" in said.err
    assert "without --dry-run and with --yes" in said.err
    assert object_.json["written"] is False
    assert file.read_text() == EDITOR


def test_a_file_that_its_user_has_set_to_be_read_only_is_left_alone(cli, home):
    file = file_of(home, "vscode", EDITOR)
    file.chmod(0o444)

    said = cli("install", "vscode", "--yes")

    assert said.code == 2
    assert "read only" in said.err
    assert file.read_text() == EDITOR
    assert not backup_of(file).exists()


def test_two_clients_that_share_a_projects_file_are_both_content_with_the_entry(cli, home):
    cli("install", "claude-code", "--project", "--yes")
    before = (home.parent / ".mcp.json").read_bytes()

    said = cli("install", "copilot-cli", "--project", "--yes", "--json")

    assert said.json["does"] == "nothing"
    assert (home.parent / ".mcp.json").read_bytes() == before


def test_a_file_with_comments_is_taken_where_its_client_reads_either(cli, home):
    plain = file_of(home, "opencode")
    commented = plain.with_suffix(".jsonc")
    commented.parent.mkdir(parents=True)
    commented.write_text('{\n  // mine\n  "theme": "x",\n}\n')

    said = cli("install", "opencode", "--yes", "--json")

    assert said.json["file"] == str(commented)
    assert "// mine" in commented.read_text()
    assert not plain.exists()
    assert {row["client"]: row["connected"] for row in cli("install", "--json").json["clients"]}["opencode"]


def test_connecting_keeps_every_other_line_and_undoing_brings_the_file_back(cli, home):
    for name, text in (("vscode", EDITOR), ("codex", CODEX)):
        file = file_of(home, name, text)
        file.chmod(0o640)

        done = cli("install", name, "--yes", "--json").json

        assert (done["does"], done["written"]) == ("add", True)
        assert Path(done["backup"]).read_text() == text
        there = file.read_text()
        for line in text.splitlines():
            assert line.rstrip(",") in there
        assert "API_KEY" not in there

        assert cli("install", name, "--undo", "--yes", "--json").json["does"] == "restore"
        assert file.read_text() == text
        assert not backup_of(file).exists()


def test_what_changed_since_stays_when_we_are_taken_out(cli, home):
    file = file_of(home, "cursor", '{\n  "mcpServers": {\n    "a": {"command": "x"}\n  }\n}\n')
    cli("install", "cursor", "--yes")
    file.write_text(file.read_text().replace('"x"', '"y"'))

    said = cli("install", "cursor", "--undo", "--yes", "--json")

    assert said.json["does"] == "take out"
    assert file.read_text() == '{\n  "mcpServers": {\n    "a": {"command": "y"}\n  }\n}\n'


@pytest.mark.parametrize("damaged", [b"{broken", b"\xff\xfe"])
def test_a_damaged_backup_keeps_no_one_from_taking_us_out(damaged, cli, home):
    file = file_of(home, "cursor", '{"mcpServers": {"a": {}}}')
    cli("install", "cursor", "--yes")
    backup_of(file).write_bytes(damaged)

    said = cli("install", "cursor", "--undo", "--yes", "--json")

    assert said.json["does"] == "take out"
    assert file.read_text() == '{"mcpServers": {"a": {}}}'


def test_a_file_that_was_made_for_us_goes_with_us(cli, home):
    cli("install", "claude-desktop", "--yes")
    file = file_of(home, "claude-desktop")
    assert json.loads(file.read_text())["mcpServers"]["deepresearch"]["args"][-1] == "serve"

    cli("install", "claude-desktop", "--undo", "--yes")

    assert not file.exists()


@pytest.mark.parametrize("name", sorted(clients(Machine("Linux", Path("/"), {}))))
def test_undoing_in_an_empty_home_leaves_nothing_there(name, cli, tmp_path, monkeypatch):
    user = tmp_path / "empty"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert cli("install", name, "--yes").code == 0
    assert [file for file in user.rglob("*") if file.is_file()]

    assert cli("install", name, "--undo", "--yes", "--json").json["does"] == "remove"

    assert list(user.iterdir()) == []


OTHERS = {
    "json": '{"theme": "dark"}',
    "jsonc": '{\n  // mine\n  "theme": "dark"\n}\n',
    "toml": '# mine\ntheme = "dark"\n',
}


@pytest.mark.parametrize("name", ["lm-studio", "zed", "codex"])
@pytest.mark.parametrize("first", [False, True])
def test_what_a_client_wrote_meanwhile_stays_and_no_empty_group_with_it(name, first, cli, home):
    client = clients(Machine("Linux", home.parent / "user", {"XDG_CONFIG_HOME": str(home.parent / "no-config")}))[name]
    own = OTHERS[client.form]
    file = file_of(home, name, own if first else None)
    cli("install", name, "--yes")
    if not first:
        # The client makes the file its own, around our entry.
        entry = client.read(file.read_text())
        file.write_text(client.put(own, entry))
    file.write_text(file.read_text().replace('"dark"', '"light"'))

    said = cli("install", name, "--undo", "--yes", "--json")

    assert said.json["does"] == "take out"
    assert file.read_text() == own.replace('"dark"', '"light"')


def test_an_empty_group_that_was_there_before_us_stays(cli, home):
    file = file_of(home, "cursor", '{"mcpServers": {}, "theme": "dark"}')
    cli("install", "cursor", "--yes")
    file.write_text(file.read_text().replace("dark", "light"))

    cli("install", "cursor", "--undo", "--yes")

    assert json.loads(file.read_text()) == {"mcpServers": {}, "theme": "light"}


def test_a_file_that_was_made_for_us_and_laid_out_anew_by_its_client_goes_with_us(cli, home):
    cli("install", "claude-desktop", "--yes")
    file = file_of(home, "claude-desktop")
    file.write_text(json.dumps(json.loads(file.read_text())))

    assert cli("install", "claude-desktop", "--undo", "--yes", "--json").json["does"] == "remove"
    assert not file.exists()


def test_doing_it_twice_changes_nothing_more(cli, home):
    cli("install", "codex", "--yes")
    before = file_of(home, "codex").read_bytes()

    again, undone = cli("install", "codex", "--yes"), cli("install", "cursor", "--undo", "--json")

    assert "connected already" in again.err
    assert file_of(home, "codex").read_bytes() == before
    assert undone.json["does"] == "nothing"
    assert "does not know us" in cli("install", "cursor", "--undo").err


def test_an_entry_of_an_older_installation_is_changed_and_keeps_what_its_user_added(cli, home):
    file = file_of(home, "codex", CODEX + '\n[mcp_servers.deepresearch]\ncommand = "/old"\ntool_timeout_sec = 300\n')

    assert cli("install", "codex", "--yes", "--json").json["does"] == "change"

    entry = tomllib.loads(file.read_text())["mcp_servers"]["deepresearch"]
    assert entry["tool_timeout_sec"] == 300
    assert entry["command"] != "/old"


@pytest.mark.parametrize("undo", [[], ["--undo"]])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude-desktop", b'{"mcpServers": {} // no comments here\n}'),
        ("codex", b"[mcp_servers\n"),
        ("cursor", b"\xff\xfe"),
        ("vscode", b"[]"),
    ],
)
def test_a_file_that_cannot_be_read_is_left_alone_with_a_sentence(name, text, undo, cli, home):
    file = file_of(home, name, text)

    said = cli("install", name, "--yes", *undo)

    if (name, undo) == ("vscode", ["--undo"]):
        assert "does not know us" in said.err
    else:
        assert said.code == 2
        assert "left alone" in said.err
    assert file.read_bytes() == text
    assert not backup_of(file).exists()


def test_a_project_gets_an_entry_that_holds_no_path_and_no_package_of_another_party(cli, home):
    said = cli("install", "claude-code", "--project", "--yes", "--json")

    entry = json.loads((home.parent / ".mcp.json").read_text())["mcpServers"]["deepresearch"]
    assert said.json["file"] == str(home.parent / ".mcp.json")
    assert [entry["command"], *entry["args"]] == [*(["uvx"] if PUBLISHED else []), "deepresearch-server", "serve"]


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("flags", [["--yes"], ["--dry-run"]])
def test_a_projects_command_that_the_path_does_not_lead_to_is_told_of(flags, there, cli, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    if there:
        (tmp_path / "deepresearch-server").touch(mode=0o755)

    said, object_ = (cli("install", "claude-code", "--project", *flags, *extra) for extra in ([], ["--json"]))

    assert said.code == 0
    assert ("not on your PATH" in said.err) is not there
    assert (object_.json["missing"] == "deepresearch-server") is not there
    assert ("make install" in object_.json["hint"]) is not there


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("--undo",), ("--yes",), ("claude-desktop", "--project"), ("windsurf", "--project")]
)
def test_what_makes_no_sense_is_bad_input(arguments, cli):
    assert cli("install", *arguments).code == 2


def test_keys_of_this_terminal_are_named_and_not_written(cli, home, monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", "sesame")

    said = cli("install", "cursor", "--yes")

    assert "search.brave_key" in said.err
    assert "config init" in said.err
    assert "sesame" not in file_of(home, "cursor").read_text() + said.out + said.err


def test_settings_of_ours_that_are_wrong_are_told_and_keep_no_one_from_connecting(cli, home, monkeypatch):
    monkeypatch.setenv("DEEPRESEARCH_SEARCH__TIMEOUT", "soon")

    said = cli("install", "cursor", "--yes")

    assert said.code == 0
    assert "cannot start yet: The setting search.timeout = 'soon'" in said.err
    assert file_of(home, "cursor").exists()


@pytest.mark.parametrize(("answer", "there"), [("y", True), ("", False)])
def test_on_a_terminal_it_asks_before_it_writes(answer, there, child_env, tmp_path):
    env = child_env | {"HOME": str(tmp_path / "user")}

    code, shown = typed_at([sys.executable, "-m", "deepresearch_mcp", "install", "cursor"], {"[y/N] ": answer}, env)

    assert code == 0, shown
    assert '+    "deepresearch": {' in shown
    assert (tmp_path / "user" / ".cursor" / "mcp.json").exists() is there


def test_a_byte_order_mark_and_line_ends_of_windows_stay(cli, home):
    text = b'\xef\xbb\xbf{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'
    file = file_of(home, "claude-desktop", text)

    cli("install", "claude-desktop", "--yes")
    assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf{")

    cli("install", "claude-desktop", "--undo", "--yes")
    assert file.read_bytes() == text


names = st.text(min_size=1, max_size=8)
leaves = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9)
trees = st.dictionaries(
    names, st.recursive(leaves, lambda x: st.lists(x, max_size=2) | st.dictionaries(names, x, max_size=2))
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees, indent=st.sampled_from([None, 2, "\t"]), edited=st.booleans())
def test_other_entries_survive_any_install_and_undo_byte_for_byte(tree, indent, edited, cli, home):
    text = json.dumps({**tree, "mcpServers": {"other": {"command": "x"}}}, indent=indent, ensure_ascii=False)
    file = file_of(home, "lm-studio", text)

    assert cli("install", "lm-studio", "--yes").code == 0
    if edited:
        file.write_text(f"{file.read_text()}\n", encoding="utf-8")
    assert cli("install", "lm-studio", "--undo", "--yes").code == 0

    assert file.read_text(encoding="utf-8") == (f"{text}\n" if edited else text)
    backup_of(file).unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("client", "address"),
    [("claude-code", "url"), ("vscode", "url"), ("cursor", "url"), ("gemini-cli", "httpUrl"), ("codex", "url")],
)
def test_over_http_a_client_gets_the_address_and_the_token_of_this_machines_server(cli, home, client, address):
    cli("install", client, "--yes")

    done = cli("install", client, "--http", "--port", "9000", "--yes", "--json").json
    token = (home / "http-token").read_text().strip()
    known = clients(Machine("Linux", home.parent / "user", {"XDG_CONFIG_HOME": str(home.parent / "no-config")}))[client]
    entry = known.read(known.file.read_text())
    again = cli("install", client, "--yes", "--json").json

    assert done["written"]
    assert entry[address] == "http://127.0.0.1:9000/mcp"
    assert {"Authorization": f"Bearer {token}"} in entry.values()
    assert not entry.keys() & {"command", "args"}
    assert not [line for line in again["change"] if line.startswith("+") and token in line]


def test_a_token_goes_into_no_file_that_is_shared_and_to_no_client_that_we_cannot_tell(cli):
    shared = cli("install", "claude-code", "--http", "--project", "--yes")
    unknown = cli("install", "zed", "--http", "--yes")
    port = cli("install", "zed", "--port", "1", "--yes")

    assert (shared.code, unknown.code, port.code) == (2, 2, 2)
    assert "must not hold a token.\nLeave out --project or --http." in shared.err
    assert "how Zed is connected over HTTP is not known" in unknown.err
    assert "--port is for --http" in port.err


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_file_that_gets_a_token_is_closed_to_others_until_it_is_undone(client, cli, home):
    text = CODEX if client == "codex" else '{"theme": "dark"}'
    file = file_of(home, client, text)
    file.chmod(0o644)

    assert cli("install", client, "--http", "--yes").code == 0
    assert mode(file) == 0o600

    assert cli("install", client, "--undo", "--yes", "--json").json["does"] == "restore"
    assert (file.read_text(), mode(file)) == (text, 0o644)


def test_a_backup_that_holds_a_token_is_closed_to_others_too(cli, home):
    cli("install", "cursor", "--http", "--yes")
    file = file_of(home, "cursor")
    file.chmod(0o644)

    done = cli("install", "cursor", "--yes", "--json").json

    token = (home / "http-token").read_text().strip()
    assert token in backup_of(file).read_text()
    assert mode(Path(done["backup"])) == 0o600
    assert token not in file.read_text()


def test_a_file_that_gets_no_token_keeps_its_mode(cli, home):
    file = file_of(home, "cursor", "{}")
    file.chmod(0o644)

    cli("install", "cursor", "--yes")

    assert mode(file) == mode(backup_of(file)) == 0o644


def test_the_list_of_clients_tells_no_token_and_no_key(cli, home):
    cli("install", "codex", "--http", "--yes")
    cli("install", "gemini-cli", "--http", "--yes")
    entry = {"command": "sh", "args": ["--api-key", "sesame-1", "--token=sesame-2"], "env": {"PLAIN_NAME": "sesame-3"}}
    file_of(home, "cursor", json.dumps({"mcpServers": {"deepresearch": entry}}))
    elsewhere = {"url": "https://me:sesame-4@example.org/mcp?token=sesame-5"}
    file_of(home, "lm-studio", json.dumps({"mcpServers": {"deepresearch": elsewhere}}))

    said = cli("install", "--json")

    entries = {row["client"]: row["entry"] for row in said.json["clients"]}
    assert "sesame" not in said.out
    assert (home / "http-token").read_text().strip() not in said.out
    assert entries["cursor"]["env"] == {"PLAIN_NAME": "…"}
    assert entries["codex"]["http_headers"] == entries["gemini-cli"]["headers"] == {"Authorization": "…"}
    assert entries["gemini-cli"]["httpUrl"] == "http://127.0.0.1:8765/mcp"


@pytest.mark.parametrize("flags", [["--dry-run"], ["--json", "--dry-run"], []])
def test_no_token_is_made_before_the_change_is_agreed_to(flags, cli, home):
    said = cli("install", "codex", "--http", *flags)

    assert said.code == (0 if flags else 2)
    assert "127.0.0.1:8765" in said.out
    assert not (home / "http-token").exists()
    assert not file_of(home, "codex").exists()


@pytest.mark.parametrize("port", ["0", "-1", "65536"])
def test_a_port_that_no_server_can_have_is_refused(port, cli, home):
    said = cli("install", "codex", "--http", "--port", port, "--yes")

    assert said.code == 2
    assert "'--port': Input should be " in said.err
    assert not file_of(home, "codex").exists()
