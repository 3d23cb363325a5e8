def test_every_setting_is_shown_with_where_it_came_from(cli, home):
    said = cli("config", "show")

    assert said.code == 0
    assert f"home = {home}  [environment DEEPRESEARCH_HOME]" in said.out
    assert "search.timeout = 15\n" in said.out
    assert "search.searxng_url (empty)" in said.out


def test_a_secret_is_never_shown(cli, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")

    shown, object_ = cli("config", "show", "model"), cli("config", "show", "--json")

    assert "model.openai_key = set  [environment OPENAI_API_KEY]" in shown.out
    assert "sk-very-secret" not in shown.out + shown.err + object_.out + object_.err


def test_a_part_is_shown_alone(cli):
    said = cli("config", "show", "web", "--json")

    assert {row["setting"].partition(".")[0] for row in said.json["settings"]} == {"web"}
    assert said.json["settings"][0]["variable"].startswith("DEEPRESEARCH_WEB__")


def test_a_part_that_is_none_is_bad_input(cli):
    assert cli("config", "show", "nonsense").code == 2


def test_a_key_is_never_proposed_for_the_command_line(cli):
    assert "--set" not in cli("config", "show", "search.brave_key").out
    assert "config init" in cli("config", "show", "search.brave_key").out
    assert "--set search.engines" in cli("config", "show", "search.engines").out


def test_a_program_finds_the_name_of_a_setting_under_its_older_key_too(cli, home):
    said = cli("config", "show", "web", "--json")

    assert all(row["knob"] == row["setting"] for row in said.json["settings"])
