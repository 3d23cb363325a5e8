"""The store that several machines share: a PostgreSQL database, named by `DEEPRESEARCH_DATABASE_URL`."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.postgres.connection import PostgresConn, PostgresDatabase, connect_postgres, open_pool
from deepresearch_mcp.store.postgres.errors import postgres_errors
from deepresearch_mcp.store.postgres.owners import GRACE, PostgresOwners
from deepresearch_mcp.store.postgres.queue import migrate_queue
from deepresearch_mcp.store.report_rows import SqlReports
from deepresearch_mcp.store.whole import SqlStore


@asynccontextmanager
async def open_postgres_store(url: str, home: Path, clock: Clock, *, grace: float = GRACE) -> AsyncGenerator[Store]:
    """Open the store in a database, which is brought to the newest schema; any number of processes may.

    Args:
        url: As libpq takes it: `postgresql://USER:PASSWORD@HOST:PORT/NAME`, straight to the server or through a
            pooler that keeps sessions.
        home: The data directory of this machine; no run needs it.
        clock: For what waits.
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
    """Bring the tables to the newest form; how many migrations that took.

    Raises:
        StoreError: A newer version wrote them.
        psycopg.Error: The database cannot be used.
    """
    with connect_postgres(url) as session:
        conn = PostgresConn(session)
        # Held by the session: within a transaction that waited, tables made meanwhile would not be seen.
        conn.execute("SELECT pg_advisory_lock(hashtextextended(current_schema() || '/schema', 0))")
        return schema.apply_migrations(conn) + migrate_queue(conn)
