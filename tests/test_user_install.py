"""`make install` and `make uninstall`: what they leave where, and once for real."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, EXTRAS
from deepresearch_mcp.version import __version__
from foreign import program

ROOT = Path(__file__).parents[1]


@cache
def tool() -> ModuleType:
    found = importlib.util.spec_from_file_location("user_install", ROOT / "tools" / "install.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def place(tmp_path: Path):
    """A prefix with an environment that holds our two programs."""
    there = tool().Place(tmp_path / "prefix")
    (there.environment / "bin").mkdir(parents=True)
    for command in COMMANDS:
        there.program(command).touch(mode=0o755)
    return there


def test_it_knows_the_names_and_extras_that_the_package_has() -> None:
    found = (tool().NAME, tool().COMMANDS, tool().EXTRAS)

    assert found == (DISTRIBUTION, COMMANDS, tuple(sorted(EXTRAS)))


def test_both_commands_are_linked_and_the_path_is_told(place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    program, notes = tool().link(place)
    again, _ = tool().link(place)

    assert program == again == place.links / DISTRIBUTION
    assert [(place.links / command).readlink() for command in COMMANDS] == [place.program(one) for one in COMMANDS]
    assert any("is not on your PATH" in note for note in notes)
    assert any(note.endswith(f"make uninstall PREFIX={place.links.parent}") for note in notes)


def test_on_the_path_nothing_is_said_of_it(place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place.links))

    _, notes = tool().link(place)

    assert not any("PATH" in note for note in notes)


def test_another_partys_program_of_our_name_is_left_alone_and_told_of(place, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = place.links / "deepresearch-mcp"
    place.links.mkdir()
    theirs.write_text("theirs")

    program, notes = tool().link(place)
    tool().uninstall(place.links.parent)

    assert program == place.links / DISTRIBUTION
    assert f"{theirs} is another program: left as it is. It is not this one." in notes
    assert theirs.read_text() == "theirs"


def test_a_program_that_the_path_finds_first_is_told_of(place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / DISTRIBUTION).touch(mode=0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "first"), str(place.links)]))

    _, notes = tool().link(place)

    assert any(f"{tmp_path / 'first' / DISTRIBUTION} comes first" in note for note in notes)


def test_what_was_installed_goes_and_everything_beside_it_stays(place) -> None:
    other = place.links / "other"
    place.environment.with_name("other").mkdir()
    tool().link(place)
    other.touch()

    told = tool().uninstall(place.links.parent)

    assert f"Removed {place.environment}" in told[0]
    assert sorted(one.name for one in place.links.parent.rglob("*")) == ["bin", "other", "other", "share"]
    assert "Nothing is installed" in tool().uninstall(place.links.parent)[0]


def test_a_failed_installation_leaves_the_older_one_as_it_was(place, capsys: pytest.CaptureFixture[str]) -> None:
    (place.environment / "mark").write_text("older")

    code = tool().main(["--prefix", str(place.links.parent), "--uv", "/nowhere/uv"])

    assert code == 1
    assert "/nowhere/uv cannot be started" in capsys.readouterr().err
    assert (place.environment / "mark").read_text() == "older"
    assert [one.name for one in place.environment.parent.iterdir()] == [DISTRIBUTION]


def test_an_extra_that_does_not_exist_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool().main(["--prefix", str(tmp_path), "--extras", "pdf, nonsense"]) == 2
    assert "no extra 'nonsense'. Known are: keyring, pdf, postgres" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.interop
@pytest.mark.timeout(900)
def test_what_make_installs_from_a_clone_runs_from_anywhere_and_goes_again(tmp_path: Path, child_env) -> None:
    make, git = program("make"), program("git")
    clone, home = tmp_path / "clone", tmp_path / "home"
    home.mkdir()
    subprocess.run([git, "clone", "--quiet", str(ROOT), str(clone)], check=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DEEPRESEARCH_", "COV_"))}
    env |= {"HOME": str(home), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"}

    def said(*command: str, where: Path = home) -> str:
        done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False, timeout=800)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    told = said(make, "install", f"PYTHON={sys.executable}", f"UV={shutil.which('uv') or ''}", where=clone)

    ours = home / ".local" / "bin" / DISTRIBUTION
    assert f"    {ours}\n" in told
    [wheel] = (clone / "dist").iterdir()
    assert wheel.name == f"{DISTRIBUTION.replace('-', '_')}-{__version__}-py3-none-any.whl"
    assert said(str(ours), "--version").strip() == __version__
    assert "quotes verified" in said(str(ours), "demo")
    shown = json.loads(said(str(ours), "install", "claude-code", "--dry-run", "--json"))
    assert any(str(ours) in line for line in shown["change"])

    assert "Removed" in said(make, "uninstall", f"PYTHON={sys.executable}", where=clone)
    assert not list((home / ".local" / "bin").iterdir())
    assert not (home / ".local" / "share" / DISTRIBUTION).exists()
