"""The protocol's official conformance suite, against a server with its fixtures."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreign import CONFORMANCE, installed_by_npm

TESTS = Path(__file__).parents[1]
TASKS = 10
"""Scenarios of the tasks extension."""

pytestmark = [pytest.mark.interop, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the suite is installed."""
    return installed_by_npm(tmp_path_factory.mktemp("conformance"), CONFORMANCE)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the suite's fixtures, in a process of its own."""
    command = [sys.executable, str(TESTS / "everything.py"), str(tmp_path_factory.mktemp("home"))]
    with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.kill()


def conforming(suite: Path, address: str, *options: str) -> tuple[int, dict[str, tuple[int, int]]]:
    """The suite's exit code, and for each scenario how many checks passed and failed."""
    bin_dir = suite / "node_modules" / ".bin"
    env = os.environ | {"PATH": f"{bin_dir}{os.pathsep}{os.environ['PATH']}"}
    command = [str(bin_dir / "conformance"), "server", "--url", address, *options]
    ran = subprocess.run(command, cwd=suite, env=env, capture_output=True, text=True, check=False)
    lines = re.findall(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", ran.stdout, re.MULTILINE)
    assert lines, ran.stdout + ran.stderr
    return ran.returncode, {name: (int(passed), int(failed)) for name, passed, failed in lines}


def faults(found: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return {name: counts for name, counts in found.items() if counts[1]}


@pytest.mark.parametrize(("revision", "least"), [("2026-07-28", 196), ("2025-11-25", 81)])
def test_every_check_of_a_revision_passes(suite: Path, address: str, revision: str, least: int) -> None:
    code, found = conforming(suite, address, "--requirements", revision)

    assert (code, faults(found)) == (0, {})
    assert sum(passed for passed, _ in found.values()) >= least


def test_every_check_of_the_tasks_extension_passes(suite: Path, address: str) -> None:
    _, found = conforming(suite, address, "--requirements", "2026-07-28")
    tasks = {name: counts for name, counts in found.items() if name.startswith("tasks-")}

    assert faults(tasks) == {}
    assert len(tasks) == TASKS
    # Of status notifications the suite itself says that it cannot look at them yet.
    assert [name for name, (passed, _) in tasks.items() if not passed] == ["tasks-status-notifications"]
