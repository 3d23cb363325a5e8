from pathlib import Path

from deepresearch_mcp.store.postgres.connection import PostgresConn, connect_postgres
from deepresearch_mcp.store.postgres.opening import migrate_database
from deepresearch_mcp.store.postgres.queue import migrate_queue
from postgres_server import own_schema


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
