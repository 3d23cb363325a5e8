"""What may befall the data on a disk, as the command line tells it: one clear sentence, what to do, nothing lost."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deepresearch_mcp.store.orphans import FILE

MADE = """
import sys, anyio
from pathlib import Path
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock

async def main():
    async with open_sqlite_store(Path(sys.argv[1]), SystemClock()) as store:
        for number in range(60):
            request = checked_request({"question": f"Why is {number} so? " + "Really? " * 40})
            await store.runs.create(f"r{number}", "local", request, f"f{number}", float(number))
            await store.runs.move(f"r{number}", float(number), status="completed")

anyio.run(main)
"""

COMMANDS = (("runs", "list"), ("runs", "verify", "r1"), ("research", "Why?", "--quiet"), ("library", "search", "ice"))


@pytest.fixture
def made(home: Path) -> Path:
    subprocess.run([sys.executable, "-c", MADE, str(home)], check=True)
    return home


@pytest.mark.parametrize("command", COMMANDS)
def test_the_data_of_a_newer_version_is_refused_by_every_command_and_left_alone(cli, made, command):
    with closing(sqlite3.connect(made / FILE)) as conn:
        conn.execute("PRAGMA user_version=99")
    before = (made / FILE).read_bytes()

    said = cli(*command)

    assert (said.code, said.out) == (1, "")
    assert "written by a newer version of deepresearch-server" in said.err
    assert "Upgrade deepresearch-server" in said.err
    assert str(made) not in said.err
    assert (made / FILE).read_bytes() == before


def test_a_damaged_file_is_told_as_such_and_left_alone(cli, made):
    data = bytearray((made / FILE).read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 64] = b"\xee" * 64
    (made / FILE).write_bytes(data)

    said = cli("runs", "list", "--json")

    assert said.code == 1
    assert said.error["message"] == f"{FILE} cannot be used: the database is damaged."
    assert "Put back a copy" in said.error["action"]
    assert (made / FILE).read_bytes() == bytes(data)


def test_one_damaged_run_is_named_and_the_others_are_listed(cli, made):
    with closing(sqlite3.connect(made / FILE)) as conn, conn:
        conn.execute("UPDATE runs SET request = '{' WHERE run_id = 'r59'")

    said, shown = cli("runs", "list"), cli("runs", "show", "r59")

    assert said.code == 0
    assert "Why is 58 so?" in said.out
    assert "Run r59 is left out: its stored data is damaged" in said.err
    assert shown.code == 1
    assert "The stored data of run r59 is damaged and cannot be read." in shown.err


WEAK = """
import os, sys, anyio
from pathlib import Path
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock

async def main():
    place = Path(sys.argv[1])
    async with open_sqlite_store(place / "warm", SystemClock()):
        pass  # All that is imported late is there now: another user may not read it.
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    try:
        async with open_sqlite_store(place / "home", SystemClock()) as store:
            print(len(await store.runs.find(limit=100)))
    except StoreError as error:
        print(error)

anyio.run(main)
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """Where another user may go: pytest's own folder is closed to others."""
    with tempfile.TemporaryDirectory(prefix="deepresearch-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
@pytest.mark.parametrize(
    ("closed", "sentence"),
    [
        (("home", f"home/{FILE}", "home/locks"), "deepresearch.db cannot be used: it is read-only."),
        (("home/locks",), "deepresearch.db cannot be used: access is denied."),
    ],
)
def test_a_directory_that_may_only_be_read_is_told_as_such(made, place, closed, sentence):
    shutil.copytree(made, place / "home")
    everything = [place / "home", *(place / "home").rglob("*")]
    for path in everything:
        path.chmod(0o700 if path.is_dir() else 0o600)
        if os.geteuid() == 0:
            os.chown(path, 65534, 65534)
    for name in closed:
        (place / name).chmod(0o555 if (place / name).is_dir() else 0o444)
    before = (place / "home" / FILE).read_bytes()

    done = subprocess.run([sys.executable, "-c", WEAK, str(place)], capture_output=True, text=True, check=True)

    assert done.stdout.startswith(sentence), done.stdout
    assert "Give yourself the right to write there, or set DEEPRESEARCH_HOME" in done.stdout
    assert (place / "home" / FILE).read_bytes() == before
