import io
import stat
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import keyring
import pytest

from deepresearch_mcp.cli.checks import Check
from deepresearch_mcp.cli.keys import prompt_for_settings
from deepresearch_mcp.settings.asking import asked_first
from drawers import Drawer
from terminals import typed_at
from wires import Fault, Scripted
from wires import serve as serve_model

WELL = Check("search brave", ok=True, said="answered")
BAD = Check("search brave", ok=False, said="the key was refused", action="Look at it again.")


@pytest.fixture
def file(home: Path) -> Path:
    return home.parent / "no-config" / "deepresearch-mcp" / "config.toml"


def kept(file: Path) -> dict:
    return tomllib.loads(file.read_text())


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_key_from_standard_input_is_kept_for_its_owner_alone(cli, file, monkeypatch):
    file.parent.mkdir(parents=True)
    file.write_text("# Mine\n[search]\ntimeout = 5 # slow line\n")
    stdin(monkeypatch, "sesame\n")

    said = cli("config", "init", "--key-from-stdin", "brave", "--offline")

    assert said.code == 0, said.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept(file) == {"search": {"timeout": 5, "brave_key": "sesame"}}
    assert "# Mine" in file.read_text()
    assert "timeout = 5 # slow line" in file.read_text()
    assert "sesame" not in said.out + said.err
    assert "search.brave_key = set  [config.toml" in cli("config", "show", "search.brave_key").out


def test_settings_are_kept_in_their_own_kind_and_taken_out(cli, file):
    cli(
        "config",
        "init",
        "--set",
        "search.engines=brave,wikipedia",
        "--set",
        "search.timeout=7.5",
        "--set",
        "web.robots=false",
    )
    assert kept(file) == {
        "search": {"engines": ["brave", "wikipedia"], "timeout": 7.5}, "web": {"robots": False}
    }  # fmt: skip

    said = cli("config", "init", "--unset", "search.timeout", "--json")

    assert said.json["taken_out"] == ["search.timeout"]
    assert "timeout" not in kept(file)["search"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "model.openai_key=sesame"], "--key-from-stdin model.openai_key"),
        (["--set", "search.timeout=soon"], "search.timeout"),
        (["--set", "search.nonsense=1"], "no setting 'search.nonsense'"),
        (["--unset", "nonsense"], "no setting 'nonsense'"),
        (["--key-from-stdin", "nonsense"], "no key 'nonsense'"),
        (["--key-from-stdin", "brave"], "gave no key"),
        ([], "There is no terminal to ask on."),
        (["--set", "model.prices={"], "cannot be read"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(arguments, words, cli, file, monkeypatch):
    stdin(monkeypatch, "")

    said = cli("config", "init", *arguments)

    assert said.code == 2
    assert words in said.err
    assert "sesame" not in said.err
    assert not file.exists()


def test_a_file_that_is_no_toml_is_left_alone(cli, file):
    file.parent.mkdir(parents=True)
    file.write_text("a = \n")

    assert cli("config", "init", "--set", "search.timeout=5").code == 2
    assert file.read_text() == "a = \n"


@pytest.mark.parametrize(("reply", "code"), [("ready", 0), (Fault(401), 2)])
async def test_a_key_is_tried_by_one_real_call_before_it_is_kept(reply, code, cli, file, monkeypatch):
    import anyio

    stdin(monkeypatch, "sesame\n")
    async with serve_model(Scripted(lambda _: reply)) as base:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{base}/v1")

        said = await anyio.to_thread.run_sync(lambda: cli("config", "init", "--key-from-stdin", "openai", "--json"))

    assert said.code == code, said.out
    assert file.exists() is (code == 0)
    assert "sesame" not in said.out + said.err


ENGINES = "Which search engines do you have keys for?"


def test_each_key_is_asked_for_and_one_that_fails_is_asked_for_again(cli):
    lines = {
        "OpenAI key: ": ["right"],
        "Brave Search key: ": ["wrong", "odd"],
        "Tavily key: ": ["-"],
        "Id of a Google Programmable Search engine: ": ["cx"],
        "Google Programmable Search key: ": ["right"],
    }
    named = iter(["brave, bing", "Brave, tavily,google"])
    agreed = iter(["n", "y"])
    tried: list[Mapping[str, object]] = []

    def ask(prompt: str, hidden: bool) -> str | None:
        if "[y/N]" in prompt:
            return next(agreed)
        if prompt.startswith(ENGINES):
            assert not hidden
            return next(named)
        assert hidden is (not prompt.startswith(("Address", "Id ")))
        return lines[prompt].pop(0) if lines.get(prompt) else ""

    def trying(knob: str, given: Mapping[str, object]) -> Check:
        tried.append(given)
        return WELL if given[knob] == "right" else BAD

    found = prompt_for_settings(ask, trying)

    assert [given.get("search.brave_key") for given in tried] == [None, "wrong", "odd", "odd"]
    # Google's key is tried with the id that was given before it; the id alone cannot be tried.
    assert tried[-1]["search.google_engine_id"] == "cx"
    assert found.values == {
        "model.openai_key": "right",
        "search.brave_key": "odd",
        "search.tavily_key": None,
        "search.google_engine_id": "cx",
        "search.google_key": "right",
    }
    assert found.checks == (WELL, WELL)


@pytest.mark.parametrize(("typed", "engines"), [("", set()), ("searxng", {"searxng"}), (" YOU , exa", {"you", "exa"})])
def test_only_keys_of_engines_that_the_user_names_are_asked_for(cli, monkeypatch, typed, engines):
    monkeypatch.setenv("TAVILY_API_KEY", "sesame")
    prompts: list[str] = []

    def ask(prompt: str, hidden: bool) -> str | None:
        prompts.append(prompt)
        return typed if prompt.startswith(ENGINES) else ""

    found = prompt_for_settings(ask, None)

    models = {one.service for one in asked_first().values() if one.setting.startswith("model.")}
    titles = [one.title for one in asked_first().values() if one.service in models | engines]
    assert prompts[0].startswith(ENGINES)
    assert "tavily (set), exa" in prompts[0]
    assert [prompt.removesuffix(": ") for prompt in prompts[1:]] == titles
    assert found.values == {}


def test_leaving_while_keys_are_asked_for_writes_nothing(cli):
    with pytest.raises(KeyboardInterrupt):
        prompt_for_settings(lambda prompt, hidden: None, None)


def test_on_a_terminal_nothing_that_is_typed_for_a_key_is_shown(child_env):
    prompts = {f"{one.title}: ": "" for one in asked_first().values()} | {"Brave Search key: ": "sesame-7"}
    prompts |= {"Enter: no other) ": "brave"}
    command = [sys.executable, "-m", "deepresearch_mcp", "config", "init", "--offline"]

    code, shown = typed_at(command, prompts, child_env)

    file = Path(child_env["XDG_CONFIG_HOME"]) / "deepresearch-mcp" / "config.toml"
    assert code == 0, shown
    assert "sesame" not in shown
    assert kept(file) == {"search": {"brave_key": "sesame-7"}}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "Kept search.brave_key" in shown


def test_with_the_keyring_the_file_only_says_where_the_key_is(cli, file, monkeypatch):
    before, drawer = keyring.get_keyring(), Drawer()
    keyring.set_keyring(drawer)
    try:
        stdin(monkeypatch, "sesame\n")
        said = cli("config", "init", "--keyring", "--key-from-stdin", "search.brave_key", "--offline")
        assert said.code == 0, said.err
        assert list(drawer.held.values()) == ["sesame"]
        assert kept(file) == {"search": {"brave_key": "keyring"}}
        assert "[keyring, as config.toml" in cli("config", "show", "search.brave_key").out

        assert "in the system's keyring" in said.err

        # Without saying again where it is.
        cli("config", "init", "--unset", "search.brave_key")
        assert drawer.held == {}

        drawer.locked = True
        stdin(monkeypatch, "sesame\n")
        locked = cli("config", "init", "--keyring", "--key-from-stdin", "brave", "--offline")
        assert (locked.code, "It is locked" in locked.err) == (2, True)
    finally:
        keyring.set_keyring(before)
