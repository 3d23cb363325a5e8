"""Opens the store that several machines share: the PostgreSQL database named by `DEEPRESEARCH_DATABASE_URL`."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from procrastinate.schema import SchemaManager

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.postgres.connection import PostgresConn, PostgresDatabase, connect_postgres, open_pool
from deepresearch_mcp.store.postgres.errors import postgres_errors
from deepresearch_mcp.store.postgres.owners import GRACE, PostgresOwners
from deepresearch_mcp.store.reports import SqlReports
from deepresearch_mcp.store.whole import SqlStore

_QUEUE_MIGRATIONS = "CREATE TABLE deepresearch_queue_migrations(name TEXT PRIMARY KEY)"


@asynccontextmanager
async def open_postgres_store(url: str, home: Path, clock: Clock, *, grace: float = GRACE) -> AsyncGenerator[Store]:
    """Open the store in a database and bring it to the newest schema. Any number of processes may open it.

    Args:
        url: A libpq address such as `postgresql://USER:PASSWORD@HOST:PORT/NAME`, to the server itself or to a pooler
            in session mode.
        home: The data directory of this machine; no run needs it.
        clock: The clock for waiting and timestamps.
        grace: Seconds after the database's start in which no owner counts as dead.

    Raises:
        StoreError: The database cannot be used, or a newer version wrote it.
    """
    with postgres_errors():
        await anyio.to_thread.run_sync(partial(migrate_database, url))
    owners = PostgresOwners(url, clock, grace)
    failure: Exception | None = None
    try:
        await owners.take()
        async with open_pool(url) as pool, anyio.create_task_group() as keeping:
            keeping.start_soon(owners.keep)
            database = PostgresDatabase(pool, clock)
            try:
                yield SqlStore(home, database, owners, SqlReports(database), clock)
            except Exception as error:  # noqa: BLE001 - raised below, without the wrapping of the task group
                failure = error
            keeping.cancel_scope.cancel()
        if failure:
            raise failure
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(owners.release)


def migrate_database(url: str) -> int:
    """Bring the tables to the newest schema and return the number of migrations applied.

    Raises:
        StoreError: A newer version wrote them.
        psycopg.Error: The database cannot be used.
    """
    with connect_postgres(url) as session:
        conn = PostgresConn(session)
        # A session lock: a transaction that waited for the lock would not see tables created meanwhile.
        conn.execute("SELECT pg_advisory_lock(hashtextextended(current_schema() || '/schema', 0))")
        return schema.apply_migrations(conn) + migrate_queue(conn)


def migrate_queue(conn: PostgresConn, folder: Path | None = None) -> int:
    """Make procrastinate's tables, or apply those of its migrations that came since; how many scripts that took.

    procrastinate tells workers of runs. The caller is alone with the schema. `folder` replaces the folder of
    installed migrations.
    """
    scripts = sorted((folder or Path(SchemaManager.get_migrations_path())).glob("*.sql"))
    if conn.execute("SELECT to_regclass('deepresearch_queue_migrations')").fetchone()[0] is None:
        # Not "IF NOT EXISTS": a user who may make no tables may work with those that are there.
        conn.execute(_QUEUE_MIGRATIONS)
    known = {name for (name,) in conn.execute("SELECT name FROM deepresearch_queue_migrations").fetchall()}
    with conn.transaction():
        if not known:
            new = [SchemaManager.get_schema()]
        else:
            new = [path.read_text(encoding="utf-8") for path in scripts if path.name not in known]
        for script in new:
            conn.script(script)
        names = [(path.name,) for path in scripts if path.name not in known]
        conn.executemany("INSERT INTO deepresearch_queue_migrations(name) VALUES(?)", names)
    return len(new)
