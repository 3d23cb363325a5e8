import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.settings.reading import all_settings, describe, read_settings, variable
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.settings.services import VENDOR_NAMES

SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory of our own, for whoever walks up from it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def quiet(folder: Path, flags: dict[str, Any] | None = None, **env: str) -> Any:
    """Read from nothing but what the test gives."""
    return read_settings(flags or {}, env=env, config_dir=folder)


def refusal(folder: Path, flags: dict[str, Any] | None = None, **env: str) -> str:
    with pytest.raises(ValueError, match=r"^(The|There) ") as caught:
        quiet(folder, flags, **env)
    assert caught.value.__cause__ is None
    assert SECRET not in str(caught.value)
    return str(caught.value)


def test_without_any_source_all_knobs_have_their_defaults_and_no_origin(tmp_path: Path) -> None:
    loaded = quiet(tmp_path)

    assert loaded.settings == Settings()
    assert loaded.origins == {}
    assert loaded.files == ()
    assert loaded.notes == ()


def test_the_data_directory_is_the_users_own_unless_another_is_named(tmp_path: Path) -> None:
    assert quiet(tmp_path).settings.home.name == "deepresearch-mcp"
    assert quiet(tmp_path, DEEPRESEARCH_HOME=str(tmp_path / "kept")).settings.home == tmp_path / "kept"


def test_a_relative_or_tilde_data_directory_becomes_absolute(here: Path) -> None:
    assert quiet(here, DEEPRESEARCH_HOME="kept").settings.home == here / "kept"
    assert quiet(here, DEEPRESEARCH_HOME="~/kept").settings.home == Path.home() / "kept"


def test_a_data_directory_of_a_user_who_does_not_exist_is_refused(tmp_path: Path) -> None:
    told = refusal(tmp_path, DEEPRESEARCH_HOME="~nobody-of-this-name/kept")

    assert "home" in told
    assert "folder" in told


def test_each_stronger_source_wins_and_is_named_as_the_origin(here: Path) -> None:
    file = config(here, "[search]\ntimeout = 1.0\nwindow = 1.0\nkeep_days = 1\nconcurrency = 1\n")
    env_file = here / "vars"
    env_file.write_text(
        "DEEPRESEARCH_SEARCH__WINDOW=2\nDEEPRESEARCH_SEARCH__KEEP_DAYS=2\nDEEPRESEARCH_SEARCH__CONCURRENCY=2\n"
    )
    env = {
        "DEEPRESEARCH_ENV_FILE": str(env_file),
        "DEEPRESEARCH_SEARCH__KEEP_DAYS": "3",
        "DEEPRESEARCH_SEARCH__CONCURRENCY": "3",
    }

    loaded = read_settings({"search": {"concurrency": 4}}, env=env, config_dir=here)

    search = loaded.settings.search
    assert (search.timeout, search.window, search.keep_days, search.concurrency) == (1.0, 2.0, 3, 4)
    assert loaded.origins == {
        "search.timeout": f"config.toml {file}",
        "search.window": f".env {env_file}",
        "search.keep_days": "environment DEEPRESEARCH_SEARCH__KEEP_DAYS",
        "search.concurrency": "flag",
    }
    assert loaded.files == (file, env_file)


def test_flags_may_be_nested_or_dotted_and_none_means_not_given(tmp_path: Path) -> None:
    loaded = quiet(
        tmp_path, {"search.timeout": 3, "web": {"timeout": "4"}, "research": None, "search": {"keep_days": None}}
    )

    assert loaded.settings.search.timeout == 3
    assert loaded.settings.web.timeout == 4
    assert loaded.origins == {"search.timeout": "flag", "web.timeout": "flag"}


@pytest.mark.parametrize(
    ("setting", "name"), [(setting, name) for setting, names in VENDOR_NAMES.items() for name in names]
)
def test_a_vendors_own_variable_is_taken_and_named(setting: str, name: str, tmp_path: Path) -> None:
    given = "http://127.0.0.1:8080" if setting.endswith("_url") else SECRET

    loaded = read_settings(env={name: given}, config_dir=tmp_path)

    assert loaded.origins == {setting: f"environment {name}"}


def test_our_variable_goes_before_the_vendors_and_an_empty_one_does_not_count(tmp_path: Path) -> None:
    ours = variable("search.brave_key")

    assert quiet(tmp_path, **{ours: "a", "BRAVE_API_KEY": "b"}).settings.search.brave_key.get_secret_value() == "a"
    assert quiet(tmp_path, **{ours: " ", "BRAVE_API_KEY": "b\n"}).settings.search.brave_key.get_secret_value() == "b"


def test_the_environment_of_the_process_is_read_when_no_other_is_given(tmp_path: Path) -> None:
    code = (
        "from deepresearch_mcp.settings.reading import read_settings; import sys;"
        " sys.stdout.write(str(read_settings().settings.home))"
    )
    env = os.environ | {"DEEPRESEARCH_HOME": str(tmp_path), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)

    assert told.stdout == str(tmp_path)


def test_an_empty_secret_is_none(tmp_path: Path) -> None:
    loaded = quiet(tmp_path, {"search.brave_key": "", "search.tavily_key": "t"})

    assert loaded.settings.search.brave_key is None
    assert loaded.settings.search.tavily_key.get_secret_value() == "t"


@pytest.mark.parametrize("text", ["brave, wikipedia", '["brave", "wikipedia"]', " brave,wikipedia, "])
def test_a_list_is_written_with_commas_or_as_json(text: str, tmp_path: Path) -> None:
    loaded = quiet(tmp_path, DEEPRESEARCH_SEARCH__ENGINES=text, DEEPRESEARCH_WEB__PORTS="80,8081")

    assert loaded.settings.search.engines == ("brave", "wikipedia")
    assert loaded.settings.web.ports == (80, 8081)


def test_a_table_is_written_as_json_and_stands_in_toml_as_a_table(tmp_path: Path) -> None:
    roles = '{"reader": "fast", "writer": "openai:gpt-6.1-sol"}'
    config(tmp_path, '[model.prices."openai:gpt-6.1-sol"]\ninput = 2\noutput = 10\n')

    loaded = quiet(tmp_path, DEEPRESEARCH_MODEL__ROLES=roles)

    assert loaded.settings.model.roles["writer"] == "openai:gpt-6.1-sol"
    assert loaded.settings.model.prices["openai:gpt-6.1-sol"].output == 10


def test_an_unknown_variable_of_ours_is_noted_with_a_suggestion_and_others_are_left_alone(tmp_path: Path) -> None:
    loaded = quiet(tmp_path, DEEPRESEARCH_SEARCH__BRAVE_KEI=SECRET, OTHER="1", DEEPRESEARCH_ZZ="1")

    assert loaded.settings == Settings()
    assert loaded.notes == (
        "DEEPRESEARCH_SEARCH__BRAVE_KEI in the environment is not a setting and was ignored. "
        "Did you mean DEEPRESEARCH_SEARCH__BRAVE_KEY?",
        "DEEPRESEARCH_ZZ in the environment is not a setting and was ignored.",
    )


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SEARCH__TIMEOUT", "soon", ["search.timeout", "'soon'", "environment DEEPRESEARCH_SEARCH__TIMEOUT", "number"]),
        ("SEARCH__TIMEOUT", "0", ["search.timeout", "'0'", "greater than 0"]),
        ("SEARCH__TIMEOUT", "nan", ["search.timeout", "finite"]),
        ("WEB__PARSE_TIMEOUT", "inf", ["web.parse_timeout", "finite"]),
        ("SEARCH__CONCURRENCY", "101", ["search.concurrency", "'101'", "100"]),
        ("WEB__ROBOTS", "perhaps", ["web.robots", "boolean"]),
        ("WEB__PORTS", "80,http", ["web.ports", "integer", "at 1"]),
        ("MODEL__OPENAI_API", "soap", ["model.openai_api", "'auto', 'responses' or 'chat'"]),
        ("MODEL__ROLES", "reader=fast", ["model.roles", '{"name": "value"}']),
        ("MODEL__ROLES", '["a"]', ["model.roles", "dictionary"]),
        (
            "MODEL__PRICES",
            '{"a:b": {"input": -1, "output": 1}}',
            ["model.prices", "at a:b.input", "greater than or equal"],
        ),
        ("SEARCH__ENGINES", "[brave", ["search.engines", '["a", "b"] or a, b']),
        ("WEB__PROXY", "nonsense", ["web.proxy", "http://host:port"]),
        ("WEB__PROXY", "ftp://proxy.example", ["web.proxy", "http://host:port"]),
        ("WEB__PROXY", "socks5://proxy.example:1080", ["web.proxy", "http://host:port"]),
        ("WEB__PROXY", "http://127.0.0.1:99999", ["web.proxy", "http://host:port"]),
        ("WEB__PROXY", "http://[::1", ["web.proxy", "http://host:port"]),
    ],
)
def test_a_wrong_value_is_refused_with_knob_value_origin_and_what_is_wanted(
    name: str, value: str, words: list[str], tmp_path: Path
) -> None:
    told = refusal(tmp_path, **{f"DEEPRESEARCH_{name}": value})

    assert [word for word in words if word not in told] == []
    assert "Correct it" in told
    assert "\n" not in told


def test_a_wrong_secret_is_refused_without_its_value(tmp_path: Path) -> None:
    told = refusal(tmp_path, {"search": {"brave_key": [SECRET]}})

    assert told.startswith("The setting search.brave_key = (a secret) (flag) is wrong: it should be a valid string")


def test_a_wrong_address_is_refused_without_its_password(tmp_path: Path) -> None:
    told = refusal(tmp_path, {"web.proxy": [f"http://me:{SECRET}@proxy.example"]})

    assert "web.proxy" in told


def test_a_very_long_wrong_value_is_cut(tmp_path: Path) -> None:
    assert len(refusal(tmp_path, DEEPRESEARCH_SEARCH__CONCURRENCY="9" * 5000)) < 300


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"serch": {"timeout": 3}}, ["'serch'", "a flag"]),
        ({"search": {"timeot": 3}}, ["'search.timeot'", "Did you mean search.timeout?"]),
        ({"search": 3}, ["'search' (a flag) is a group", "search.NAME"]),
        ({"search": {"prices": {"braev": 1}}}, ["there is no search engine 'braev'. Did you mean brave? Correct"]),
        ({"search": {"prices": {"x": 1}}}, [f"There are: {', '.join(ENGINE_NAMES)}. "]),
    ],
)
def test_an_unknown_flag_is_refused(flags: dict[str, Any], words: list[str], tmp_path: Path) -> None:
    told = refusal(tmp_path, flags)

    assert [word for word in words if word not in told] == []


def test_an_unknown_key_of_the_settings_file_is_refused_with_key_and_file(tmp_path: Path) -> None:
    file = config(tmp_path, "[search]\nbrave_kei = 'x'\n")

    told = refusal(tmp_path)

    assert "'search.brave_kei'" in told
    assert str(file) in told
    assert "search.brave_key" in told


@pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are POSIX's")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_settings_file_with_a_key_that_others_may_open_is_refused_with_the_command(mode: int, tmp_path: Path) -> None:
    folder = tmp_path / "my config"
    folder.mkdir()
    file = config(folder, f"[search]\nbrave_key = '{SECRET}'\n", mode)

    assert refusal(folder).endswith(f"Run: chmod 600 '{file}'")


def test_a_settings_file_that_only_its_owner_may_open_gives_its_keys(tmp_path: Path) -> None:
    config(tmp_path, f"[search]\nbrave_key = '{SECRET}'\n", 0o600)

    assert quiet(tmp_path).settings.search.brave_key.get_secret_value() == SECRET


def test_a_settings_file_without_keys_may_be_open_to_all(tmp_path: Path) -> None:
    config(tmp_path, "[search]\nkeep_days = 3\nbrave_key = ''\n", 0o644)

    assert quiet(tmp_path).settings.search.keep_days == 3


def test_another_settings_file_can_be_named(tmp_path: Path) -> None:
    config(tmp_path, "[search]\nkeep_days = 3\n")
    other = tmp_path / "other.toml"
    other.write_text("[search]\nkeep_days = 4\n")

    loaded = quiet(tmp_path, DEEPRESEARCH_CONFIG=str(other))

    assert loaded.settings.search.keep_days == 4
    assert loaded.files == (other,)


def test_a_named_env_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    told = refusal(tmp_path, DEEPRESEARCH_ENV_FILE=str(tmp_path / "absent"))

    assert "No such file" in told
    assert "Correct DEEPRESEARCH_ENV_FILE" in told


def test_only_who_asks_gets_an_env_file_found_by_walking_up(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / ".env").write_text(f"BRAVE_API_KEY={SECRET}\n")
    (here / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(here / "deep" / "down")

    assert read_settings(env={}, config_dir=here).origins == {}
    assert read_settings(env={}, config_dir=here, walk_env_file=True).origins == {
        "search.brave_key": f".env {here / '.env'}"
    }


def test_a_named_env_file_goes_before_one_that_walking_would_find(here: Path) -> None:
    (here / ".env").write_text("DEEPRESEARCH_SEARCH__KEEP_DAYS=1\n")
    (here / "named").write_text("DEEPRESEARCH_SEARCH__KEEP_DAYS=2\n")
    env = {"DEEPRESEARCH_ENV_FILE": str(here / "named")}

    assert read_settings(env=env, config_dir=here, walk_env_file=True).settings.search.keep_days == 2


def test_an_unreadable_env_file_met_on_the_way_is_noted_and_stops_nothing(here: Path) -> None:
    (here / ".env").write_bytes(b"A=\xff\xfe\xff\n")

    loaded = read_settings(env={}, config_dir=here, walk_env_file=True)

    assert loaded.settings == Settings()
    assert loaded.notes == (f"The file {here / '.env'} cannot be read: it is not UTF-8 text. It was not used.",)


def test_an_env_file_can_never_say_where_keys_and_data_go(here: Path) -> None:
    places = [setting for setting in all_settings() if setting.endswith("_url")]
    places += ["web.proxy", "web.ca_file", "home", "web.allow_private"]
    names = [name for setting in places for name in (variable(setting), *VENDOR_NAMES.get(setting, ()))]
    names += ["DEEPRESEARCH_CONFIG", "DEEPRESEARCH_ENV_FILE"]
    (here / ".env").write_text("".join(f"{name}=http://evil.example\n" for name in names))

    loaded = read_settings(env={}, config_dir=here, walk_env_file=True)

    assert loaded.settings == Settings()
    assert loaded.origins == {}
    assert {note.split()[0] for note in loaded.notes} == set(names)
    assert all("was ignored" in note for note in loaded.notes)


def test_an_env_file_copies_no_variable_of_ours(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKEN", SECRET)
    (here / ".env").write_text("DEEPRESEARCH_WEB__USER_AGENT=me ${TAKEN}\nBRAVE_API_KEY\n")

    loaded = read_settings(env={}, config_dir=here, walk_env_file=True)

    assert loaded.settings.web.user_agent == "me ${TAKEN}"
    assert loaded.settings.search.brave_key is None


def test_an_unknown_name_of_ours_in_an_env_file_is_noted(here: Path) -> None:
    (here / ".env").write_text("DEEPRESEARCH_SEARCH__HITZ=1\nUNRELATED=1\n")

    loaded = read_settings(env={}, config_dir=here, walk_env_file=True)

    [note] = loaded.notes
    assert note.startswith(f"DEEPRESEARCH_SEARCH__HITZ in {here / '.env'} is not a setting")


def test_what_is_described_shows_every_knob_with_its_origin_and_no_secret(tmp_path: Path) -> None:
    flags = {
        "model.openai_base_url": f"https://me:{SECRET}@models.example/v1?key={SECRET}",
        "model.prices": {"a:b": {"input": 1, "output": 2}},
    }
    loaded = quiet(tmp_path, flags, BRAVE_API_KEY=SECRET, DEEPRESEARCH_WEB__ROBOTS="off")

    rows = describe(loaded)

    shown = {row.setting: row for row in rows}
    assert list(shown) == list(all_settings())
    assert all(row.description for row in rows)
    assert SECRET not in repr(rows)
    assert SECRET not in repr(loaded.settings.search)
    assert shown["search.brave_key"][1:3] == ("set", "environment BRAVE_API_KEY")
    assert shown["search.tavily_key"][1:3] == ("not set", "default")
    assert shown["web.robots"][1:3] == ("false", "environment DEEPRESEARCH_WEB__ROBOTS")
    assert shown["model.openai_base_url"].value == "https://…@models.example/v1?…"
    assert shown["model.prices"].value == '{"a:b": {"input": 1.0, "output": 2.0, "cached_input": null}}'


def test_settings_cannot_be_changed_once_made() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().search.keep_days = 3  # pyright: ignore[reportAttributeAccessIssue] - the point of the test


@given(st.dictionaries(st.sampled_from(sorted(map(variable, all_settings()))), st.text(max_size=20), max_size=4))
def test_whatever_stands_in_the_environment_gives_settings_or_one_sentence(env: dict[str, str]) -> None:
    try:
        loaded = read_settings(env=env, config_dir=Path("/nowhere"))
    except ValueError as error:
        assert str(error).startswith("The setting ")  # noqa: PT017 - either outcome is right
    else:
        assert set(loaded.origins) <= set(all_settings())


def test_importing_the_settings_loads_no_reader_of_files() -> None:
    code = (
        "import sys; before = set(sys.modules); import deepresearch_mcp.settings.schema;"
        "late = {'tomllib', 'dotenv', 'pydantic_settings', 'difflib'};"
        "sys.exit(len((sys.modules.keys() - before) & late))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_repository_does_not_choose_whom_to_trust(tmp_path: Path) -> None:
    env_file = tmp_path / "vars"
    env_file.write_text(
        "DEEPRESEARCH_RESEARCH__QUALITY_FILE=/theirs.toml\nDEEPRESEARCH_RESEARCH__REQUIRE_PEER_REVIEW=1\n"
    )

    loaded = quiet(tmp_path, DEEPRESEARCH_ENV_FILE=str(env_file))

    assert (loaded.settings.research.quality_file, loaded.settings.research.require_peer_review) == ("", True)
    assert any("QUALITY_FILE" in note for note in loaded.notes)
    assert "min_source_quality" in refusal(tmp_path, {"research": {"min_source_quality": 1.5}})


def test_what_a_bundles_user_left_empty_is_no_key(tmp_path: Path) -> None:
    env = {"ANTHROPIC_API_KEY": "${user_config.anthropic_api_key}", "BRAVE_API_KEY": "k"}

    loaded = read_settings(env=env, config_dir=tmp_path)

    assert loaded.settings.model.anthropic_key is None
    assert loaded.origins.keys() >= {"search.brave_key"}
    assert "model.anthropic_key" not in loaded.origins
