"""The protocol's official conformance suite, against a server with its fixtures."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE = "node@22"  # The suite asks for it, and what is installed may be older.
TESTS = Path(__file__).parents[1]
TASKS = 10
"""Scenarios of the tasks extension."""

pytestmark = [pytest.mark.interop, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the suite is installed."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("The conformance suite needs Node and npm, which are not installed here.")
    folder = tmp_path_factory.mktemp("conformance")
    (folder / "package.json").write_text(json.dumps({"private": True}))
    command = [npm, "install", "--no-audit", "--no-fund", "--loglevel", "error", SUITE, NODE]
    installed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stderr
    return folder


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
