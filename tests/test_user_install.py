"""`make install` and `make uninstall`: what they leave where, and once for real."""

import contextlib
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
    assert f"{theirs} belongs to another program and was left as it is. Do not call it for this one." in notes
    assert theirs.read_text() == "theirs"


def test_a_program_that_the_path_finds_first_is_told_of(place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / DISTRIBUTION).touch(mode=0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "first"), str(place.links)]))

    _, notes = tool().link(place)

    first = tmp_path / "first" / DISTRIBUTION
    assert f"On your PATH, {first} comes first and is a different program: use the path above." in notes


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


def test_an_upgrade_after_a_killed_one_starts_from_the_installation_that_works(
    place, capsys: pytest.CaptureFixture[str]
) -> None:
    # As a killed upgrade leaves it: the working environment set aside, and half of a new one.
    (place.environment / "mark").write_text("works")
    place.environment.rename(place.environment.with_name(f"{DISTRIBUTION}.older"))
    place.environment.mkdir()
    (place.environment / "mark").write_text("half")

    code = tool().main(["--prefix", str(place.links.parent), "--uv", "/nowhere/uv"])

    assert code == 1
    assert "/nowhere/uv cannot be started" in capsys.readouterr().err
    assert (place.environment / "mark").read_text() == "works"
    assert [one.name for one in place.environment.parent.iterdir()] == [DISTRIBUTION]


@pytest.mark.parametrize("half", [True, False])
def test_uninstalling_after_a_killed_upgrade_leaves_nothing_of_either(half: bool, place) -> None:
    tool().link(place)
    place.environment.rename(place.environment.with_name(f"{DISTRIBUTION}.older"))
    place.environment.with_name(f"{DISTRIBUTION}.removed").mkdir()
    if half:
        place.environment.mkdir()

    told = tool().uninstall(place.links.parent)

    assert f"Removed {place.environment}" in told[0]
    assert list(place.environment.parent.iterdir()) == list(place.links.iterdir()) == []


def test_what_a_killed_uninstall_was_deleting_goes_with_the_next_one(place) -> None:
    place.environment.rename(place.environment.with_name(f"{DISTRIBUTION}.removed"))

    assert "Nothing is installed" in tool().uninstall(place.links.parent)[0]
    assert list(place.environment.parent.iterdir()) == []


def test_what_is_no_longer_needed_is_never_mistaken_for_a_working_installation(place) -> None:
    older = place.environment.with_name(f"{DISTRIBUTION}.older")
    older.mkdir()
    (older / "mark").touch()

    tool().discard(older)

    assert [one.name for one in place.environment.parent.iterdir()] == [DISTRIBUTION]


@pytest.mark.parametrize("flags", [[], ["--undo"]])
def test_a_place_that_cannot_be_used_is_told_in_one_sentence(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "share").write_text("a file where a folder belongs")
    place = tool().Place(tmp_path)
    with contextlib.suppress(OSError):
        place.environment.mkdir(parents=True)

    code = tool().main(["--prefix", str(tmp_path), *flags])

    said = capsys.readouterr()
    if flags:
        assert (code, said.err) == (0, "")
        assert "Nothing is installed" in said.out
    else:
        assert code == 1
        assert said.err.count("\n") == 1
        assert str(tmp_path / "share") in said.err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc")
def test_a_prefix_in_which_nothing_can_be_made_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code = tool().main(["--prefix", "/proc/nope"])

    said = capsys.readouterr().err
    assert code == 1
    assert said.startswith("/proc/nope")
    assert "cannot be used: no such file or directory. Choose another place with PREFIX" in said


@pytest.mark.parametrize("prefix", ["~nosuchuser/x"])
def test_a_prefix_of_a_user_who_does_not_exist_is_a_sentence(
    prefix: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert tool().main(["--prefix", prefix, "--undo"]) == 0
    assert "Nothing is installed" in capsys.readouterr().out


def test_what_cannot_be_removed_is_told_with_its_path(place, capsys: pytest.CaptureFixture[str]) -> None:
    tool().link(place)
    shutil.rmtree(place.environment)
    place.environment.write_text("a file, which cannot be removed as a folder")

    code = tool().main(["--prefix", str(place.links.parent), "--undo"])

    said = capsys.readouterr().err
    assert code == 1
    assert f"{place.environment}.removed cannot be used: not a directory." in said
    assert said.count("\n") == 1


def test_a_clone_that_is_read_only_can_be_installed_from(tmp_path: Path) -> None:
    wheel = tmp_path / "made" / "x.whl"
    wheel.parent.mkdir()
    wheel.touch()
    blocked = tmp_path / "clone"
    blocked.write_text("a file, in which no folder can be made")

    assert tool().kept(wheel, blocked / "dist") == wheel
    assert tool().kept(wheel, tmp_path / "dist") == tmp_path / "dist" / "x.whl"


def test_an_extra_that_does_not_exist_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool().main(["--prefix", str(tmp_path), "--extras", "pdf, nonsense"]) == 2
    assert (
        "no extra 'nonsense'. Known are: browser, export, keyring, ocr, otel, pdf, postgres" in capsys.readouterr().err
    )
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
