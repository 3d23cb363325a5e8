"""The open database: one connection that writes, one that reads, each on a thread of its own."""

import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import aiosqlite
import anyio

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.fulltext import Fts5
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.sql import Conn, Dialect

T = TypeVar("T")


BUSY_SECONDS = 30.0
"""How long a write waits for another process; eight writing at once waited 61 ms at most."""

SQLITE = Dialect(
    "sqlite",
    # There is one writer at a time, so no row need be locked.
    {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "keyed": "WITHOUT ROWID", "share": "", "update": ""},
    number=lambda column, field: f"COALESCE({column} ->> '{field}', 0.0)",
    fulltext=Fts5(),
    guard=lambda _conn, _name, _alone: None,
    version=lambda conn: conn.execute("PRAGMA user_version").fetchone()[0],
    mark=lambda conn, number: conn.execute(f"PRAGMA user_version={number}"),
)


class SqliteConn(sqlite3.Connection):
    """`store.sql.Conn` on SQLite."""

    dialect = SQLITE

    @contextmanager
    def transaction(self) -> Generator[None]:
        """See `Conn.transaction`. Takes the write lock at once: one that is upgraded later can fail without waiting."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # SQLite has rolled back by itself where the disk was full.
            if self.in_transaction:
                self.execute("ROLLBACK")
            raise


def connect(path: str) -> SqliteConn:
    """Open a database file in autocommit: transactions are begun by name, in `SqliteConn.transaction`."""
    # No prepared statement is kept for a next cursor. Python resets a kept one when a cursor that used it is collected,
    # on any thread (CPython issues 94028 and 118172), and bench/crowd.py once saw a run end with SQLITE_MISUSE. To
    # prepare one anew takes 20 µs.
    conn = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, cached_statements=0, factory=SqliteConn)
    # With the write-ahead log, FULL is what makes a commit outlive a power cut.
    conn.execute("PRAGMA synchronous=FULL")
    return conn


class Connection(aiosqlite.Connection):
    """A connection whose thread runs whole functions.

    A transaction is one function, so no other task's statement can fall into it, a cancelled caller never leaves it
    half done, and a busy event loop never holds the write lock.
    """

    def __init__(self, connector: Callable[[], SqliteConn]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A program that dies without closing us must be able to exit.
        self._thread.daemon = True

    async def start(self) -> None:
        """Open, or leave no thread behind."""
        with store_errors(FILE):
            try:
                await self
            except BaseException:
                self._thread.join()
                raise

    async def run(self, fn: Callable[[SqliteConn], T]) -> T:
        """Call `fn` with the connection on its thread; once begun it is finished, even when the caller is cancelled.

        Raises:
            StoreError: The database failed, or is closed.
        """
        if self._connection is None:
            raise StoreError("The store is closed.", "Open it again.")
        with store_errors(FILE):
            return await self._execute(fn, self._connection)  # pyright: ignore[reportUnknownMemberType] - aiosqlite leaves it untyped

    async def finish(self) -> None:
        """Close, once everything asked for is done; the thread is gone afterwards."""
        with store_errors(FILE):
            try:
                await self.close()
            finally:
                self._thread.join()


class SqliteDatabase:
    """`store.sql.Database` on one file: reads never wait for writes."""

    dialect = SQLITE

    def __init__(self, writer: Connection, reader: Connection) -> None:
        self._writer = writer
        self._reader = reader

    async def read(self, fn: Callable[[Conn], T]) -> T:
        """See `Database.read`."""
        return await self._reader.run(fn)

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """See `Database.rows`."""
        statement = SQLITE.of(sql)
        return await self._reader.run(lambda conn: conn.execute(statement, values).fetchall())

    async def write(self, fn: Callable[[Conn], T]) -> T:
        """See `Database.write`."""

        def whole(conn: SqliteConn) -> T:
            with conn.transaction():
                return fn(conn)

        return await self._writer.run(whole)

    async def change(self, sql: str, values: Sequence[object]) -> int:
        """See `Database.change`."""
        statement = SQLITE.of(sql)
        return await self._writer.run(lambda conn: conn.execute(statement, values).rowcount)

    async def close(self) -> None:
        """Close both; a cancelled caller waits for it too."""
        with anyio.CancelScope(shield=True):
            try:
                await self._reader.finish()
            finally:
                # Last, so that it can fold the write-ahead log into the file.
                await self._writer.finish()
