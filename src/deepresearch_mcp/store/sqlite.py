"""Opens the store of one machine: a SQLite file, and a lock that proves that the process is alive."""

import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from pathlib import Path

import anyio

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.connection import FILE, Connection, SqliteConn, SqliteDatabase, connect_sqlite
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.filesystems import network_kind
from deepresearch_mcp.store.locks import Ownership, alone
from deepresearch_mcp.store.reports import FileReports
from deepresearch_mcp.store.rights import check_directory, check_file
from deepresearch_mcp.store.whole import SqlStore


@asynccontextmanager
async def open_sqlite_store(home: Path, clock: Clock) -> AsyncGenerator[Store]:
    """Open the store in `home`; a missing directory is created with access for this user only.

    Open it once per process: all runs share it. Several processes may have the same `home` open.

    Raises:
        StoreError: The directory or the file in it cannot be used, or a newer version wrote it.
    """
    database, ownership = await _open(home)
    try:
        yield SqlStore(home, database, ownership, FileReports(home), clock)
    finally:
        try:
            await database.close()
        finally:
            ownership.release()


async def _open(home: Path) -> tuple[SqliteDatabase, Ownership]:
    locks = home / "locks"
    taken: list[Ownership] = []

    def opened() -> SqliteConn:
        _prepare(home, locks)
        with ExitStack() as undo:
            conn = _current(home / FILE, locks / "opening")
            undo.callback(conn.close)
            ownership = Ownership.take(locks)
            undo.callback(ownership.release)
            _sweep(conn, ownership)
            undo.pop_all()
        taken.append(ownership)
        return conn

    def reading() -> SqliteConn:
        conn = connect_sqlite(str(home / FILE))
        conn.execute("PRAGMA query_only=ON")
        return conn

    # Shielded, since it takes milliseconds, and a connection that opened after a cancellation would never be closed.
    writer, reader = Connection(opened), Connection(reading)
    with anyio.CancelScope(shield=True):
        async with AsyncExitStack() as undo:
            await writer.start()
            undo.callback(taken[0].release)
            undo.push_async_callback(writer.finish)
            await reader.start()
            undo.pop_all()
    return SqliteDatabase(writer, reader), taken[0]


def _prepare(home: Path, locks: Path) -> None:
    """Create missing folders and the database file with access for this user only; SQLite's other files inherit that.

    Raises:
        StoreError: The directory is on a network file system, or cannot be used.
    """
    if kind := network_kind(home):
        raise StoreError(
            f"The data directory is on a network file system ({kind}), where locks cannot be trusted.",
            "Set DEEPRESEARCH_HOME to a local directory.",
        )
    with store_errors("The data directory"):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_directory(home)
        locks.mkdir(mode=0o700, exist_ok=True)
        # Never open and close an existing file: on POSIX that would release this process's SQLite locks on it.
        with suppress(FileExistsError):
            os.close(os.open(home / FILE, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        check_file(home / FILE)


def _current(file: Path, gate: Path) -> SqliteConn:
    """Open the file and bring it to the newest schema."""
    conn = connect_sqlite(str(file))
    try:
        if not _is_ready(conn):
            # Switching to the write-ahead log does not wait for other processes, so only one may do it at a time.
            with alone(gate):
                conn.execute("PRAGMA journal_mode=WAL")
                schema.apply_migrations(conn)
    except BaseException:
        conn.close()
        raise
    return conn


def _is_ready(conn: SqliteConn) -> bool:
    return schema.is_current(conn) and conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def _sweep(conn: SqliteConn, ownership: Ownership) -> None:
    live = {owner for (owner,) in conn.execute("SELECT owner FROM runs WHERE ended IS NULL")}
    ownership.sweep(lambda owner: owner in live)
