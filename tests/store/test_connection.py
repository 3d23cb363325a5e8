import sqlite3
import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.connection import Connection, SqliteDatabase, connect_sqlite


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[SqliteDatabase]:
    path = str(tmp_path / "x.db")
    writer, reader = Connection(lambda: connect_sqlite(path)), Connection(lambda: connect_sqlite(path))
    await writer.start()
    await writer.run(lambda conn: conn.execute("PRAGMA journal_mode=WAL"))
    await writer.run(lambda conn: conn.execute("CREATE TABLE t(x INTEGER UNIQUE)"))
    await reader.start()
    database = SqliteDatabase(writer, reader)
    yield database
    await database.close()


def test_a_transaction_is_undone_whole_when_something_is_raised() -> None:
    conn = connect_sqlite(":memory:")
    conn.execute("CREATE TABLE t(x)")

    def interrupted() -> None:
        with conn.transaction():
            conn.execute("INSERT INTO t VALUES(1)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert not conn.in_transaction
    assert conn.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)
    conn.close()


def test_a_transaction_that_sqlite_has_undone_itself_is_not_undone_twice() -> None:
    conn = connect_sqlite(":memory:")
    conn.execute("CREATE TABLE t(x UNIQUE)")
    conn.execute("INSERT INTO t VALUES(1)")

    with pytest.raises(sqlite3.IntegrityError), conn.transaction():
        conn.execute("INSERT OR ROLLBACK INTO t VALUES(1)")

    conn.close()


async def test_every_commit_is_flushed_to_the_disk(database: SqliteDatabase) -> None:
    assert await database.rows("PRAGMA synchronous") == [(2,)]


async def test_what_is_written_is_read_at_once(database: SqliteDatabase) -> None:
    for number in range(20):
        assert await database.change("INSERT INTO t VALUES(?)", (number,)) == 1
        assert await database.rows("SELECT COUNT(*) FROM t") == [(number + 1,)]


async def test_a_failing_write_leaves_nothing_and_the_next_one_works(database: SqliteDatabase) -> None:
    def twice(conn: sqlite3.Connection) -> None:
        conn.execute("INSERT INTO t VALUES(1)")
        conn.execute("INSERT INTO t VALUES(1)")

    with pytest.raises(StoreError, match="the new data contradicts the stored data"):
        await database.write(twice)

    assert await database.rows("SELECT * FROM t") == []
    await database.change("INSERT INTO t VALUES(1)", ())


async def test_a_write_whose_caller_is_cancelled_is_done_whole(database: SqliteDatabase) -> None:
    held = threading.Event()

    def two(conn: sqlite3.Connection) -> None:
        conn.execute("INSERT INTO t VALUES(1)")
        held.wait(10)
        conn.execute("INSERT INTO t VALUES(2)")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(database.write, two)
        await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    held.set()
    await database.change("INSERT INTO t VALUES(3)", ())

    assert await database.rows("SELECT x FROM t ORDER BY x") == [(1,), (2,), (3,)]


async def test_reading_does_not_wait_for_a_long_write(database: SqliteDatabase) -> None:
    held = threading.Event()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(database.write, lambda conn: held.wait(10))
        await anyio.lowlevel.checkpoint()
        assert await database.rows("SELECT COUNT(*) FROM t") == [(0,)]
        assert await database.read(lambda conn: conn.total_changes) == 0
        held.set()


async def test_a_closed_connection_says_so_and_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    connection = Connection(lambda: connect_sqlite(str(tmp_path / "x.db")))
    await connection.start()
    assert len(set(threading.enumerate()) - before) == 1

    await connection.finish()

    assert set(threading.enumerate()) <= before
    with pytest.raises(StoreError, match="closed"):
        await connection.run(lambda conn: conn.total_changes)


async def test_an_opening_that_fails_leaves_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())

    with pytest.raises(StoreError, match="cannot be opened"):
        await Connection(lambda: connect_sqlite(str(tmp_path / "none" / "x.db"))).start()

    assert set(threading.enumerate()) <= before
