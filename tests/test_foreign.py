"""What is missing to test with is told in either place: on somebody's machine and in CI."""

import subprocess
from pathlib import Path

import pytest

from foreign import installed_by_pip, missing, newer, program

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("value", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_what_is_missing_is_skipped_on_a_machine_and_a_fault_in_ci(
    monkeypatch: pytest.MonkeyPatch, value: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", value)

    with pytest.raises(outcome, match="no-such-program is not installed"):
        program("no-such-program", "nor-such-a-one")
    with pytest.raises(outcome, match="The registry is not there"):
        missing("The registry is not there.")


def test_what_is_not_needed_may_be_missing_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")

    with pytest.raises(pytest.skip.Exception):
        program("no-such-program", needed=False)


def test_foreign_programs_are_installed_without_our_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uv, seen = tmp_path / "uv", tmp_path / "seen"
    uv.write_text(f"#!/bin/sh\nenv >> {seen}\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for name in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT", "UV_BUILD_CONSTRAINT"):
        monkeypatch.setenv(name, "constraints.txt")

    installed_by_pip(tmp_path / "made", "some-client==1.0")

    assert "PATH=" in seen.read_text()
    assert "constraints.txt" not in seen.read_text()


def test_make_interop_skips_nothing_that_cannot_be_installed() -> None:
    recipe = subprocess.run(["make", "-n", "interop"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [line] = [line for line in recipe.splitlines() if "pytest -m interop" in line]
    setting = line.strip().partition("pytest")[0].partition(" ")[0]

    def value(env: dict[str, str]) -> str:
        command = ["sh", "-c", f"{setting} env"]
        lines = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.splitlines()
        return next(line.partition("=")[2] for line in lines if line.startswith("CI="))

    path = {"PATH": "/usr/bin:/bin"}
    assert (value(path), value(path | {"CI": "false"})) == ("true", "false")


@pytest.mark.parametrize(
    ("pinned", "there", "told"),
    [("2.1.330", "2.1.331", "2.1.331"), ("2.1.330", "2.1.330", ""), ("0.169.0", "0.99.0", ""), ("1.0.0", "", "")],
)
def test_a_newer_version_in_the_registry_is_told(
    pinned: str, there: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\necho {there}\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    assert newer(f"@some/client@{pinned}") == told
