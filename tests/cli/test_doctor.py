from deepresearch_mcp.cli.doctor import _EXTRAS
from deepresearch_mcp.settings.project import EXTRAS, is_installed


def test_a_sound_machine_is_told_what_is_set_and_that_all_works(cli, home, monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", "very-secret")

    said = cli("doctor", "--offline")

    assert said.code == 0
    assert str(home) in said.out
    assert "search.brave_key = set  [environment BRAVE_API_KEY]" in said.out
    assert "very-secret" not in said.out + said.err
    assert "extractive" in said.out
    assert "left out" in said.out
    assert "Everything that is needed works." in said.out


def test_a_program_gets_the_same_as_one_object(cli, home):
    said = cli("doctor", "--offline", "--json")

    assert said.code == 0
    assert said.json["ok"] is True
    assert said.json["home"] == str(home)
    assert said.json["thinker"]["name"] == "extractive"
    assert said.json["engines"] == ["duckduckgo", "wikipedia"]
    assert [check["name"] for check in said.json["checks"]] == ["data directory", "page parser"]
    assert [row["setting"] for row in said.json["settings"]] == ["home"]


def test_each_extra_is_installed_or_told_with_what_it_adds_and_how_to_install_it(cli):
    said, extras = cli("doctor", "--offline").out, cli("doctor", "--offline", "--json").json["extras"]

    assert extras == {extra: is_installed(extra) for extra in EXTRAS}
    words = " ".join(said.split())
    assert ("Extras none is installed" in words) != any(f"{extra}" in words for extra, there in extras.items() if there)
    for extra, there in extras.items():
        assert (f"without {extra}, which " in words) is not there
        assert _EXTRAS[extra]


def test_what_is_needed_and_does_not_work_is_exit_code_1_with_a_way_out(cli, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("DEEPRESEARCH_HOME", str(tmp_path / "file" / "home"))

    said, object_ = cli("doctor", "--offline"), cli("doctor", "--offline", "--json")

    assert (said.code, object_.code) == (1, 1)
    assert "Needed, and not working: data directory." in said.out
    assert "DEEPRESEARCH_HOME" in said.out
    assert object_.json["ok"] is False


def test_with_all_defaults_nothing_is_set(cli, tmp_path, monkeypatch):
    monkeypatch.delenv("DEEPRESEARCH_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    assert "nothing: all settings are the defaults" in cli("doctor", "--offline").out


def test_a_setting_without_which_no_engine_can_be_asked_is_bad_input(cli):
    assert cli("doctor", "--offline", "--set", "search.engines=altavista").code == 2


def test_what_is_wanting_but_not_needed_is_told_with_its_remedy(capsys):
    from deepresearch_mcp.cli.checks import Check
    from deepresearch_mcp.cli.doctor import _show_checks

    _show_checks([Check("search x", ok=False, said="refused", action="Wait.", needed=False)], sound=True, offline=False)

    assert (
        capsys.readouterr().out == "failed    search x: refused\n          Wait.\n\nEverything that is needed works.\n"
    )


def test_on_a_terminal_the_doctor_says_that_he_is_at_work(cli):
    said = cli("doctor", "--offline", terminal=True)

    assert said.code == 0
    assert "Trying every part" in said.err


def test_clients_that_start_us_are_tried_too(cli, home):
    codex = home.parent / "user" / ".codex" / "config.toml"
    codex.parent.mkdir(parents=True)
    codex.write_text('[mcp_servers.deepresearch]\ncommand = "/gone/deepresearch-mcp"\n')
    cli("install", "cursor", "--yes")

    said = cli("doctor", "--offline")

    assert said.code == 0
    assert "ok        client cursor: starts " in said.out
    assert "failed    client codex: It starts /gone/deepresearch-mcp, which is not there" in said.out
    assert "Run: deepresearch-server install codex" in said.out
