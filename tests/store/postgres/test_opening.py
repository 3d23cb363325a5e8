import uuid
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.postgres.connection import PostgresConn, connect_postgres
from deepresearch_mcp.store.postgres.opening import migrate_database, migrate_queue, open_postgres_store
from postgres_server import own_schema


def test_an_empty_schema_gets_all_tables_once(database_url: str) -> None:
    with own_schema(database_url) as url:
        assert migrate_database(url) == len(schema.MIGRATIONS) + 1  # procrastinate's tables are one more.
        assert migrate_database(url) == 0


async def test_several_that_open_an_empty_schema_at_once_all_come_through(database_url: str, tmp_path: Path) -> None:
    async def come(url: str) -> None:
        async with open_postgres_store(url, tmp_path, HandClock()) as store:
            assert await store.runs.find() == []

    with own_schema(database_url) as url:
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(come, url)


async def test_what_a_newer_version_wrote_is_refused_with_what_to_do(database_url: str, tmp_path: Path) -> None:
    with own_schema(database_url) as url:
        migrate_database(url)
        with connect_postgres(url) as conn:
            conn.execute("UPDATE deepresearch_version SET number = 99")

        with pytest.raises(StoreError, match=r"its schema is number 99.*set DEEPRESEARCH_DATABASE_URL"):
            async with open_postgres_store(url, tmp_path, HandClock()):
                pass


async def test_a_version_number_that_was_set_back_is_one_sentence_and_changes_nothing(
    database_url: str, tmp_path: Path
) -> None:
    with own_schema(database_url) as url:
        migrate_database(url)
        with connect_postgres(url) as conn:
            conn.execute("UPDATE deepresearch_version SET number = 7")

        with pytest.raises(StoreError, match=r"its tables do not fit the version"):
            async with open_postgres_store(url, tmp_path, HandClock()):
                pass
        with connect_postgres(url) as conn:
            assert conn.execute("SELECT number FROM deepresearch_version").fetchone() == (7,)


async def test_a_user_who_may_make_no_tables_works_with_those_that_another_made(
    database_url: str, tmp_path: Path
) -> None:
    role = f"r{uuid.uuid4().hex[:12]}"
    with own_schema(database_url) as url:
        migrate_database(url)
        schema_name = url.rpartition("%3D")[2]
        with connect_postgres(url) as conn:
            if not conn.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()[0]:  # pyright: ignore[reportOptionalSubscript] - it has a row
                pytest.skip("the server that was named gives no right to make roles")
            conn.execute(f"CREATE ROLE {role}".encode())
            conn.execute(f"GRANT USAGE ON SCHEMA {schema_name} TO {role}".encode())
            for kind in ("TABLES", "SEQUENCES"):
                conn.execute(f"GRANT ALL ON ALL {kind} IN SCHEMA {schema_name} TO {role}".encode())
        try:
            async with open_postgres_store(f"{url}%20-crole%3D{role}", tmp_path, HandClock()) as store:
                row = await store.runs.create("r1", "me", ResearchRequest(question="Why?"), "f", 1.0)
                assert await store.runs.get("r1") == row
        finally:
            with connect_postgres(url) as conn:
                conn.execute(f"DROP OWNED BY {role}".encode())
                conn.execute(f"DROP ROLE {role}".encode())


async def test_an_address_that_leads_nowhere_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"it cannot be reached"):
        async with open_postgres_store("postgresql://127.0.0.1:1/none", tmp_path, HandClock()):
            pass


def test_the_tables_of_the_queue_are_made_once(database_url: str) -> None:
    with own_schema(database_url) as url:
        migrate_database(url)
        with connect_postgres(url) as session:
            assert migrate_queue(PostgresConn(session)) == 0
            assert session.execute("SELECT COUNT(*) FROM procrastinate_jobs").fetchone() == (0,)


def test_what_a_newer_procrastinate_brings_is_applied_once(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "99.00.00_01_newer.sql").write_text("CREATE TABLE newer(x integer); CREATE INDEX ON newer(x);")
    with own_schema(database_url) as url:
        migrate_database(url)
        with connect_postgres(url) as session:
            assert migrate_queue(PostgresConn(session), tmp_path) == 1
            assert migrate_queue(PostgresConn(session), tmp_path) == 0
            assert session.execute("SELECT COUNT(*) FROM newer").fetchone() == (0,)
