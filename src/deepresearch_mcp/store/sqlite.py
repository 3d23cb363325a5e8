"""The store of one machine: a SQLite file, a lock that proves who lives, and the ports on top of them."""

import os
import stat
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from pathlib import Path

import anyio

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.connection import FILE, Connection, SqliteConn, SqliteDatabase, connect
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.filesystems import network_kind
from deepresearch_mcp.store.locks import Ownership, alone
from deepresearch_mcp.store.reports import FileReports
from deepresearch_mcp.store.whole import SqlStore


@asynccontextmanager
async def open_store(home: Path, clock: Clock) -> AsyncGenerator[Store]:
    """Open the store in `home`, which is made (for the user alone) where it is missing.

    Once a process is enough: all runs share it. Several processes may have the same `home` open.

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
        conn = connect(str(home / FILE))
        conn.execute("PRAGMA query_only=ON")
        return conn

    # Milliseconds, and a connection that opens while nobody waits for it any more would never be closed.
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
    """Make what is missing, for the user alone: SQLite gives its other files the rights of the first.

    Raises:
        StoreError: The directory lies on a network, or cannot be used.
    """
    if kind := network_kind(home):
        raise StoreError(
            f"The data directory lies on a network file system ({kind}), where locks cannot be trusted.",
            "Set DEEPRESEARCH_HOME to a directory of this machine.",
        )
    with store_errors("The data directory"):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_rights(home)
        locks.mkdir(mode=0o700, exist_ok=True)
        # Never open and close a file that is there: that would free the locks SQLite holds on it in this process.
        with suppress(FileExistsError):
            os.close(os.open(home / FILE, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        found = (home / FILE).lstat()
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(
                f"{FILE} in the data directory is a link or no file, and is not followed.",
                "Move it away, or set DEEPRESEARCH_HOME to another directory.",
            )
        if found.st_mode & 0o077:
            (home / FILE).chmod(0o600)


def _check_rights(home: Path) -> None:
    """Take other users' right to write into the data directory away.

    Raises:
        StoreError: They have it, and it is not ours to take.
    """
    found = home.stat()
    if os.name != "posix" or not found.st_mode & 0o022:
        return
    try:
        # Who may write there can put a file of their own in the place of ours.
        home.chmod(stat.S_IMODE(found.st_mode) & ~0o022)
    except OSError as error:
        raise StoreError(
            "Other users may write into the data directory, so they could replace what is stored in it.",
            "Set DEEPRESEARCH_HOME to a directory of your own.",
        ) from error


def _current(file: Path, gate: Path) -> SqliteConn:
    """Open the file, brought to the newest schema."""
    conn = connect(str(file))
    try:
        if not _is_ready(conn):
            # The change to the write-ahead log does not wait for others, so one process at a time makes it.
            with alone(gate):
                conn.execute("PRAGMA journal_mode=WAL")
                schema.migrate(conn)
    except BaseException:
        conn.close()
        raise
    return conn


def _is_ready(conn: SqliteConn) -> bool:
    return schema.is_current(conn) and conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def _sweep(conn: SqliteConn, ownership: Ownership) -> None:
    live = {owner for (owner,) in conn.execute("SELECT owner FROM runs WHERE ended IS NULL")}
    ownership.sweep(lambda owner: owner in live)
