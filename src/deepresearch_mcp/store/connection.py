"""The open SQLite database: one connection for writes and one for reads, each on its own thread."""

import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import aiosqlite
import anyio
from typing_extensions import override

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.fulltext import Fts5
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.sql import Conn, Database, Dialect

T = TypeVar("T")


BUSY_SECONDS = 30.0
"""Seconds that a write waits for another process. Measured: with eight writers at once the longest wait was 61 ms."""

SQLITE = Dialect(
    "sqlite",
    # SQLite has one writer at a time, so rows need no locks.
    {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "keyed": "WITHOUT ROWID", "share": "", "update": ""},
    number=lambda column, field: f"COALESCE({column} ->> '{field}', 0.0)",
    fulltext=Fts5(),
    guard=lambda _conn, _name, _alone: None,
    version=lambda conn: conn.execute("PRAGMA user_version").fetchone()[0],
    mark=lambda conn, number: conn.execute(f"PRAGMA user_version={number}"),
)


class SqliteConn(sqlite3.Connection, Conn):
    """`store.sql.Conn` on SQLite."""

    dialect = SQLITE

    @contextmanager
    @override
    def transaction(self) -> Generator[None]:
        """Take the write lock at the start: upgrading a read lock later can fail without waiting."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # Also when the process exits: half a transaction must never be committed later.
            # On a full disk SQLite has already rolled back.
            if self.in_transaction:
                self.execute("ROLLBACK")
            raise


def connect_sqlite(path: str) -> SqliteConn:
    """Open a database file in autocommit mode; `SqliteConn.transaction` starts transactions explicitly."""
    # Prepared statements are not cached. Python resets a cached one when a cursor that used it is collected, on any
    # thread (CPython issues 94028 and 118172), and bench/crowd.py once saw a run end with SQLITE_MISUSE. Preparing a
    # statement again takes 20 µs.
    conn = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, cached_statements=0, factory=SqliteConn)
    # With the write-ahead log, a commit survives a power cut only at FULL.
    conn.execute("PRAGMA synchronous=FULL")
    return conn


class Connection(aiosqlite.Connection):
    """A connection whose thread runs whole functions.

    A transaction is one function. So no other task's statement can end up in it, a cancelled caller never leaves it
    half done, and a busy event loop never holds the write lock.
    """

    def __init__(self, connector: Callable[[], SqliteConn]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A program must be able to exit even if it never closes the store.
        self._thread.daemon = True

    async def start(self) -> None:
        """Open the file. After a failure the thread has ended.

        Raises:
            StoreError: The file cannot be opened.
        """
        with store_errors(FILE):
            try:
                await self
            except BaseException:
                # Also after a cancellation: the thread would outlive the store.
                self._thread.join()
                raise

    async def run(self, fn: Callable[[SqliteConn], T]) -> T:
        """Call `fn` with the connection, on its thread. Once started it finishes, even if the caller is cancelled.

        Raises:
            StoreError: The database failed, or is closed.
        """
        if self._connection is None:
            raise StoreError("The store is closed.", "Open it again.")
        with store_errors(FILE):
            return await self._execute(fn, self._connection)  # pyright: ignore[reportUnknownMemberType] - aiosqlite leaves it untyped

    async def finish(self) -> None:
        """Close after all pending calls; the thread has ended on return."""
        with store_errors(FILE):
            try:
                await self.close()
            finally:
                self._thread.join()


class SqliteDatabase(Database):
    """`store.sql.Database` on one SQLite file; reads never wait for writes."""

    dialect = SQLITE

    def __init__(self, writer: Connection, reader: Connection) -> None:
        self._writer = writer
        self._reader = reader

    @override
    async def read(self, fn: Callable[[Conn], T]) -> T:
        return await self._reader.run(fn)

    @override
    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        statement = SQLITE.of(sql)
        return await self._reader.run(lambda conn: conn.execute(statement, values).fetchall())

    @override
    async def write(self, fn: Callable[[Conn], T]) -> T:
        def whole(conn: SqliteConn) -> T:
            with conn.transaction():
                return fn(conn)

        return await self._writer.run(whole)

    @override
    async def change(self, sql: str, values: Sequence[object]) -> int:
        statement = SQLITE.of(sql)
        return await self._writer.run(lambda conn: conn.execute(statement, values).rowcount)

    async def close(self) -> None:
        """Close both connections; even a cancelled caller waits for it."""
        with anyio.CancelScope(shield=True):
            try:
                await self._reader.finish()
            finally:
                # Last, so that it can merge the write-ahead log into the file.
                await self._writer.finish()
