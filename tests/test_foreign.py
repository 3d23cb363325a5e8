"""What is missing to test with is told in either place: on somebody's machine and in CI."""

from pathlib import Path

import pytest

from foreign import missing, newer, program


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
