"""The open database: one connection that writes, one that reads, each on a thread of its own."""

import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import aiosqlite
import anyio

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.orphans import FILE

T = TypeVar("T")


BUSY_SECONDS = 30.0
"""How long a write waits for another process; eight writing at once waited 61 ms at most."""


def connect(path: str) -> sqlite3.Connection:
    """Open a database file in autocommit: transactions are begun by name, in `transaction`."""
    conn = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, cached_statements=256)
    # With the write-ahead log, FULL is what makes a commit outlive a power cut.
    conn.execute("PRAGMA synchronous=FULL")
    return conn


@contextmanager
def transaction(conn: sqlite3.Connection) -> Generator[None]:
    """All or nothing. Takes the write lock at once: one that is upgraded later can fail without waiting."""
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        conn.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself where the disk was full.
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise


class Connection(aiosqlite.Connection):
    """A connection whose thread runs whole functions.

    A transaction is one function, so no other task's statement can fall into it, a cancelled caller never leaves it
    half done, and a busy event loop never holds the write lock.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
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

    async def run(self, fn: Callable[[sqlite3.Connection], T]) -> T:
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


class Database:
    """One file: reads never wait for writes."""

    def __init__(self, writer: Connection, reader: Connection) -> None:
        self._writer = writer
        self._reader = reader

    async def read(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function that only reads; it sees everything that was written before."""
        return await self._reader.run(fn)

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of one query."""
        return await self._reader.run(lambda conn: conn.execute(sql, values).fetchall())

    async def write(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function in one transaction: everything it wrote is kept, or, when it raises, nothing."""

        def whole(conn: sqlite3.Connection) -> T:
            with transaction(conn):
                return fn(conn)

        return await self._writer.run(whole)

    async def change(self, sql: str, values: Sequence[object]) -> int:
        """Run one writing statement, committed by itself, and tell how many rows it changed."""
        return await self._writer.run(lambda conn: conn.execute(sql, values).rowcount)

    async def close(self) -> None:
        """Close both; a cancelled caller waits for it too."""
        with anyio.CancelScope(shield=True):
            try:
                await self._reader.finish()
            finally:
                # Last, so that it can fold the write-ahead log into the file.
                await self._writer.finish()
