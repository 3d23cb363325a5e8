import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.connection import FILE, Connection, SqliteDatabase, connect_sqlite
from deepresearch_mcp.store.locks import Ownership
from deepresearch_mcp.store.reports import FileReports
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.store.whole import SqlStore

Create = Callable[..., Any]


@pytest.fixture
def place(sqlite_place: Any) -> Any:
    return sqlite_place


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def files(folder: Path, pattern: str = "*") -> list[Path]:
    return [path for path in folder.glob(pattern) if path.is_file()]


def spoil(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / FILE).write_bytes(content)


async def test_everything_made_is_for_the_user_alone(store: Store, home: Path, create: Create) -> None:
    await create(store)

    assert store.home == home
    assert mode(home) == mode(home / "locks") == 0o700
    assert {path.name: mode(path) for path in files(home)} == {
        FILE: 0o600,
        f"{FILE}-wal": 0o600,
        f"{FILE}-shm": 0o600,
    }


async def test_a_file_that_others_could_read_is_closed_to_them(home: Path, clock: HandClock) -> None:
    async with open_sqlite_store(home, clock):
        pass
    (home / FILE).chmod(0o644)

    async with open_sqlite_store(home, clock):
        assert mode(home / FILE) == 0o600


@pytest.fixture
def linked(home: Path, tmp_path: Path) -> Path:
    """What a link in the place of the database leads to."""
    target = tmp_path / "precious"
    target.write_text("mine")
    target.chmod(0o644)
    home.mkdir()
    (home / FILE).symlink_to(target)
    return target


async def test_a_link_in_the_place_of_the_database_is_not_followed(home: Path, clock: HandClock, linked: Path) -> None:
    assert "is not a regular file" in str(await refused(home, clock))

    assert mode(linked) == 0o644


@pytest.fixture
def open_home(home: Path) -> Path:
    home.mkdir()
    home.chmod(0o777)
    return home


async def test_a_data_directory_that_others_may_write_is_closed_to_them(open_home: Path, clock: HandClock) -> None:
    async with open_sqlite_store(open_home, clock):
        assert mode(open_home) == 0o755


async def test_closing_leaves_one_file_no_lock_and_no_thread(home: Path, clock: HandClock, create: Create) -> None:
    before = set(threading.enumerate())

    async with open_sqlite_store(home, clock) as store:
        await create(store)
        assert len(files(home / "locks", "*.lock")) == 1

    assert set(threading.enumerate()) <= before
    assert [path.name for path in files(home)] == [FILE]
    assert files(home / "locks", "*.lock") == []
    with pytest.raises(StoreError, match="closed"):
        await store.runs.get("r1")


async def test_a_cancelled_owner_still_closes_its_store(home: Path, clock: HandClock) -> None:
    before = set(threading.enumerate())

    async with anyio.create_task_group() as tasks:

        async def hold() -> None:
            async with open_sqlite_store(home, clock):
                tasks.cancel_scope.cancel()
                await anyio.sleep_forever()

        tasks.start_soon(hold)

    assert set(threading.enumerate()) <= before
    assert files(home / "locks", "*.lock") == []


async def test_what_was_stored_is_there_at_the_next_opening(home: Path, clock: HandClock, create: Create) -> None:
    async with open_sqlite_store(home, clock) as store:
        await create(store)
        await store.runs.move("r1", 101.0, status="completed")

    async with open_sqlite_store(home, clock) as store:
        row = await store.runs.get("r1")

    assert row
    assert row.status == "completed"


async def test_locks_of_the_dead_are_swept_at_opening_unless_a_live_run_names_them(
    home: Path, clock: HandClock, create: Create
) -> None:
    async with open_sqlite_store(home, clock) as store:
        row = await create(store)
    for owner in (row.owner, "dead"):
        (home / "locks" / f"{owner}.lock").touch()

    async with open_sqlite_store(home, clock):
        names = {path.stem for path in files(home / "locks", "*.lock")}

    assert row.owner in names
    assert "dead" not in names


OWNER = """
import sys
from pathlib import Path
import anyio
from clocks import HandClock
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store

async def main():
    async with open_sqlite_store(Path(sys.argv[1]), HandClock()) as store:
        await store.runs.create("r1", "me", ResearchRequest(question="Why?"), "f", 1.0)
        async with store.journal("r1") as journal:
            async def answer():
                return "paid"
            await journal.step(Step("done"), answer, kind="model", result=str)
            async def hang():
                print("under way", flush=True)
                await anyio.sleep_forever()
            await journal.step(Step("in doubt"), hang, kind="model", result=str)

anyio.run(main)
"""


@pytest.fixture
def tests_env(child_env: dict[str, str]) -> dict[str, str]:
    return child_env | {"PYTHONPATH": str(Path(__file__).parents[1])}


async def test_a_run_whose_process_was_killed_is_interrupted_and_keeps_what_was_paid_for(
    store: Store, home: Path, tests_env: dict[str, str]
) -> None:
    async with await anyio.open_process([sys.executable, "-c", OWNER, str(home)], env=tests_env) as process:
        assert process.stdout
        assert (await process.stdout.receive()).startswith(b"under way")
        row = await store.runs.get("r1")
        assert row
        assert row.status == "running"

        process.send_signal(signal.SIGKILL)
        await process.wait()

    row = await store.runs.get("r1")
    assert row
    assert row.status == "interrupted"
    assert [row.run_id for row in await store.runs.find(status="interrupted")] == ["r1"]
    assert await store.runs.joinable("me", "f", since=0.0) is None
    conn = sqlite3.connect(home / FILE)
    steps = conn.execute("SELECT key, status, result FROM steps ORDER BY number").fetchall()
    conn.close()
    assert steps == [("done", "done", '"paid"'), ("in doubt", "started", None)]


WRITER = """
import sys
from pathlib import Path
import anyio
from clocks import HandClock
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store

async def main():
    name = sys.argv[2]
    sys.stdin.readline()
    async with open_sqlite_store(Path(sys.argv[1]), HandClock()) as store:
        await store.runs.create(name, "me", ResearchRequest(question="Why?"), name, 1.0)
        async with store.journal(name) as journal, anyio.create_task_group() as tasks:
            for number in range(40):
                async def answer(number=number):
                    return f"{name} {number}"
                async def step(number=number, answer=answer):
                    await journal.step(Step(f"k/{number}"), answer, kind="model", result=str)
                tasks.start_soon(step)
        await store.runs.move(name, 2.0, status="completed")

anyio.run(main)
"""


def test_processes_that_make_and_fill_one_file_at_once_lose_nothing(home: Path, tests_env: dict[str, str]) -> None:
    names = ["a", "b", "c"]
    with ExitStack() as ends:
        processes = [
            ends.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", WRITER, str(home), name],
                    env=tests_env,
                    stdin=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            )
            for name in names
        ]
        told = [process.communicate(b"go\n", timeout=60)[1] for process in processes]

    assert told == [b"", b"", b""]
    conn = sqlite3.connect(home / FILE)
    runs = conn.execute("SELECT run_id, status FROM runs ORDER BY run_id").fetchall()
    steps = conn.execute("SELECT run_id, key, result FROM steps WHERE status = 'done'").fetchall()
    conn.close()
    assert runs == [(name, "completed") for name in names]
    assert {(run, key): result for run, key, result in steps} == {
        (name, f"k/{number}"): f'"{name} {number}"' for name in names for number in range(40)
    }


async def refused(home: Path, clock: HandClock) -> StoreError:
    threads = set(threading.enumerate())
    with pytest.raises(StoreError) as caught:
        async with open_sqlite_store(home, clock):
            pass
    assert set(threading.enumerate()) <= threads
    assert "\n" not in str(caught.value)
    assert str(home.parent) not in str(caught.value)
    return caught.value


async def test_a_home_below_a_file_is_refused_with_the_setting_to_change(tmp_path: Path, clock: HandClock) -> None:
    (tmp_path / "file").write_text("")

    error = await refused(tmp_path / "file" / "home", clock)
    assert str(error) == (
        "The data directory cannot be used: its path leads through a file, not a directory. "
        "Set DEEPRESEARCH_HOME to a directory that can be used."
    )
    assert "there is a file where a directory is needed" in str(await refused(tmp_path / "file", clock))


async def test_a_damaged_file_is_refused_and_left_as_it_is(home: Path, clock: HandClock) -> None:
    spoil(home, b"no database " * 1000)

    error = await refused(home, clock)

    assert f"{FILE} cannot be used: it is not one of our databases, or it is damaged" in str(error)
    assert (home / FILE).read_bytes() == b"no database " * 1000
    assert files(home / "locks", "*.lock") == []


async def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(home: Path, clock: HandClock) -> None:
    async with open_sqlite_store(home, clock):
        pass
    conn = sqlite3.connect(home / FILE)
    conn.execute(f"PRAGMA user_version={len(schema.MIGRATIONS) + 1}")
    conn.close()
    before = (home / FILE).read_bytes()

    assert "newer version of deepresearch-server" in str(await refused(home, clock))

    assert (home / FILE).read_bytes() == before


async def test_a_damaged_page_found_later_is_one_sentence(home: Path, clock: HandClock, create: Create) -> None:
    async with open_sqlite_store(home, clock) as store:
        for number in range(50):
            await create(store, f"r{number}", "Why? " * 100)
    data = bytearray((home / FILE).read_bytes())
    data[4096:] = b"\xee" * (len(data) - 4096)
    (home / FILE).write_bytes(data)

    assert "the database is damaged" in str(await refused(home, clock))


async def test_a_directory_in_the_place_of_a_lock_folder_or_file_is_refused(home: Path, clock: HandClock) -> None:
    (home / FILE).mkdir(parents=True)

    assert "is not a regular file" in str(await refused(home, clock))


async def test_a_full_disk_is_one_sentence_and_what_was_stored_is_kept(
    home: Path, clock: HandClock, create: Create, document: Any
) -> None:
    async with open_sqlite_store(home, clock) as store:
        await create(store, "r1")
    ownership = Ownership.take(home / "locks")
    writer = Connection(lambda: connect_sqlite(str(home / FILE)))
    reader = Connection(lambda: connect_sqlite(str(home / FILE)))
    await writer.start()
    await reader.start()
    await writer.run(lambda conn: conn.execute("PRAGMA max_page_count=1").fetchone())
    database = SqliteDatabase(writer, reader)
    store = SqlStore(home, database, ownership, FileReports(home), clock)

    with pytest.raises(StoreError, match=r"the disk is full; what was stored before is kept\. Free some space"):
        await store.documents.save(document("Ice floats. " * 20_000), "r1")

    assert await store.documents.cards("r1") == []
    assert (await store.runs.get("r1")) is not None

    await writer.run(lambda conn: conn.execute("PRAGMA max_page_count=1000000").fetchone())
    await store.documents.save(document("Ice floats. " * 20_000), "r1")
    assert len(await store.documents.cards("r1")) == 1
    await database.close()
    ownership.release()
