"""The open PostgreSQL database: a pool of connections, and retries while the server restarts."""

import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from functools import cache
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import psycopg
from psycopg.errors import DeadlockDetected, SerializationFailure
from psycopg.types.string import StrDumperUnknown, TextLoader
from psycopg_pool import ConnectionPool
from typing_extensions import override

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.store.postgres.errors import is_outage, postgres_errors
from deepresearch_mcp.store.postgres.fulltext import TsVector
from deepresearch_mcp.store.sql import Conn, Database, Dialect, Held, Rows

T = TypeVar("T")

_log = logging.getLogger(__name__)

MOST_CONNECTIONS = 8
"""Most connections of one process; more would only wait for the processor."""
_READ_PATIENCE = 15.0
"""Seconds that a read waits for an unreachable server; short, because a caller waits for the answer."""
_WRITE_PATIENCE = 300.0
"""Seconds that a write waits; long, because its data was paid for."""
_PAUSES = (0.05, 0.2, 0.5, 1.0)
"""Seconds between tries; the last value repeats."""

_KEEPALIVE: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}

# PostgreSQL holds every character but the one with the number 0.
_MARK = "\ufffe"
"""No text has it: Unicode keeps it for programs. Where one has it all the same, it is written twice."""
_PAIR = re.compile(f"{_MARK}([0{_MARK}])")


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:  # noqa: ANN401 - as psycopg has it
        return super().dump(escape_nul(obj) if "\0" in obj or _MARK in obj else obj)


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:  # noqa: ANN401 - as psycopg has it
        text = super().load(data)
        return unescape_nul(text) if isinstance(text, str) and _MARK in text else text


def configure(conn: psycopg.Connection) -> None:
    """Make a connection store and return every text unchanged."""
    conn.adapters.register_dumper(str, _Dumper)
    conn.adapters.register_loader("text", _Loader)


def escape_nul(text: str) -> str:
    """Replace U+0000 by an escape sequence."""
    return text.replace(_MARK, _MARK * 2).replace("\0", f"{_MARK}0")


def unescape_nul(text: str) -> str:
    """What `escape_nul` was given."""
    return _PAIR.sub(lambda found: "\0" if found[1] == "0" else _MARK, text)


def _guard(conn: Conn, name: str, held: Held) -> None:
    kind = "_shared" if held == "together" else ""
    # Two schemas of one database are separate stores, so the schema is part of the lock's name.
    conn.execute(f"SELECT pg_advisory_xact_lock{kind}(hashtextextended(current_schema() || ?, 0))", (f"/{name}",))


def _version(conn: Conn) -> int:
    if conn.execute("SELECT to_regclass('deepresearch_version')").fetchone()[0] is None:
        return 0
    return conn.execute("SELECT number FROM deepresearch_version").fetchone()[0]


def _mark(conn: Conn, number: int) -> None:
    if number == 1:
        conn.execute("CREATE TABLE deepresearch_version(number INTEGER NOT NULL)")
        conn.execute("INSERT INTO deepresearch_version(number) VALUES(1)")
    conn.execute("UPDATE deepresearch_version SET number = ?", (number,))


POSTGRES = Dialect(
    "postgres",
    {"serial": "BIGSERIAL PRIMARY KEY", "keyed": "", "share": " FOR SHARE", "update": " FOR UPDATE"},
    number=lambda column, field: f"COALESCE(CAST(CAST({column} AS json) ->> '{field}' AS float8), 0.0)",
    fulltext=TsVector(),
    guard=_guard,
    version=_version,
    mark=_mark,
)


class PostgresConn(Conn):
    """`store.sql.Conn` on a connection in autocommit mode."""

    dialect = POSTGRES

    def __init__(self, conn: psycopg.Connection) -> None:
        self._conn = conn

    @override
    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        return self._conn.execute(_placed(sql), values)

    @override
    def executemany(self, sql: str, values: Iterable[Sequence[Any]], /) -> Rows:
        cursor = self._conn.cursor()
        cursor.executemany(_placed(sql), values)
        return cursor

    def script(self, sql: str) -> None:
        """Run several statements without values."""
        self._conn.execute(sql.encode())

    @override
    def transaction(self) -> AbstractContextManager[object]:
        return self._conn.transaction()


@cache
def _placed(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()


def connect_postgres(url: str, *, application_name: str | None = None) -> psycopg.Connection:
    """Open one connection outside the pool, which the server lists under that name.

    Raises:
        psycopg.Error: The connection failed.
    """
    conn = psycopg.connect(url, autocommit=True, application_name=application_name, **_KEEPALIVE)
    configure(conn)
    return conn


@asynccontextmanager
async def open_pool(url: str) -> AsyncGenerator["ConnectionPool[psycopg.Connection]"]:
    """A pool of connections for one process, opened on demand and closed at the end."""
    # The pool would log the server's address at every attempt.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    options = {"autocommit": True, "prepare_threshold": 3, **_KEEPALIVE}
    pool: ConnectionPool[psycopg.Connection] = ConnectionPool(
        url, kwargs=options, min_size=1, max_size=MOST_CONNECTIONS, timeout=30, open=False, configure=configure
    )
    await anyio.to_thread.run_sync(pool.open)
    try:
        yield pool
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(pool.close)


class PostgresDatabase(Database):
    """`store.sql.Database` on a server that many processes share.

    While the server is unreachable, calls are retried: reads for 15 seconds, writes for 5 minutes. A write whose answer
    was lost may have been done, so every writing function must tolerate running twice.
    """

    dialect = POSTGRES

    def __init__(self, pool: "ConnectionPool[psycopg.Connection]", clock: Clock) -> None:
        self._pool = pool
        self._clock = clock
        self._places = anyio.CapacityLimiter(MOST_CONNECTIONS)

    @override
    async def read(self, fn: Callable[[Conn], T]) -> T:
        return await self._run(fn, _READ_PATIENCE)

    @override
    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        statement = POSTGRES.of(sql)
        return await self.read(lambda conn: conn.execute(statement, values).fetchall())

    @override
    async def write(self, fn: Callable[[Conn], T]) -> T:
        def whole(conn: Conn) -> T:
            with conn.transaction():
                return fn(conn)

        return await self._run(whole, _WRITE_PATIENCE)

    @override
    async def change(self, sql: str, values: Sequence[object]) -> int:
        statement = POSTGRES.of(sql)
        return await self._run(lambda conn: conn.execute(statement, values).rowcount, _WRITE_PATIENCE)

    async def _run(self, fn: Callable[[Conn], T], patience: float) -> T:
        def once() -> T:
            with self._pool.connection() as conn:
                return fn(PostgresConn(conn))

        since = self._clock.monotonic()
        number = 0
        with postgres_errors():
            while True:
                try:
                    return await anyio.to_thread.run_sync(once, limiter=self._places)
                except psycopg.Error as error:
                    clashed = isinstance(error, DeadlockDetected | SerializationFailure)
                    if not (clashed or is_outage(error)) or self._clock.monotonic() - since > patience:
                        raise
                    if number == 1 and not clashed:
                        _log.warning("The database cannot be reached; calls wait for it")
                await self._clock.sleep(_PAUSES[min(number, len(_PAUSES) - 1)])
                number += 1
