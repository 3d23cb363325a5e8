import sqlite3
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.connection import connect_sqlite


def tables(conn: sqlite3.Connection) -> set[str]:
    return {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_every_migration_has_a_name_of_its_own() -> None:
    assert len({migration.name for migration in schema.MIGRATIONS}) == len(schema.MIGRATIONS)


def test_an_empty_file_gets_all_tables_and_the_newest_number() -> None:
    conn = connect_sqlite(":memory:")
    assert not schema.is_current(conn)

    schema.apply_migrations(conn)

    assert schema.is_current(conn)
    wanted = {"runs", "steps", "claims", "events", "documents", "readings", "passages", "passages_fts", "cache"}
    assert wanted | {"collections", "collection_files", "judgements"} <= tables(conn)
    conn.close()


def test_migrating_twice_changes_nothing() -> None:
    conn = connect_sqlite(":memory:")
    schema.apply_migrations(conn)
    conn.execute("INSERT INTO events(run_id, at, kind, data) VALUES('r', 1, 'k', '{}')")

    schema.apply_migrations(conn)

    assert conn.execute("SELECT COUNT(*) FROM events").fetchone() == (1,)
    conn.close()


def test_a_migration_that_fails_leaves_the_earlier_ones_and_can_be_repeated() -> None:
    conn = connect_sqlite(":memory:")
    conn.execute("CREATE TABLE collections(x)")

    with pytest.raises(sqlite3.OperationalError):
        schema.apply_migrations(conn)

    assert conn.execute("PRAGMA user_version").fetchone() == (1,)
    assert "documents" not in tables(conn)
    conn.execute("DROP TABLE collections")
    schema.apply_migrations(conn)
    assert schema.is_current(conn)
    conn.close()


def test_a_newer_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    conn = connect_sqlite(str(tmp_path / "new.db"))
    conn.execute("PRAGMA user_version=99")

    for refused in (schema.is_current, schema.apply_migrations):
        with pytest.raises(StoreError, match=r"newer version.*number 99.*Upgrade deepresearch-server"):
            refused(conn)

    assert tables(conn) == set()
    conn.close()


def test_no_run_can_be_stored_as_interrupted() -> None:
    conn = connect_sqlite(":memory:")
    schema.apply_migrations(conn)

    with pytest.raises(sqlite3.IntegrityError):
        conn.execute(
            "INSERT INTO runs(run_id, caller, question, request, fingerprint, status, stage, fence, created, updated)"
            " VALUES('r', 'c', 'q', '{}', 'f', 'interrupted', 'created', 1, 1, 1)"
        )
    conn.close()


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT * FROM runs WHERE caller = ? ORDER BY created DESC, run_id DESC", "runs_by_caller"),
        ("SELECT * FROM runs ORDER BY created DESC, run_id DESC", "runs_by_age"),
        ("SELECT DISTINCT owner FROM runs WHERE ended IS NULL AND status IN (?, ?)", "runs_live"),
        ("SELECT * FROM runs WHERE fingerprint = ? AND caller = ?", "runs_by_fingerprint"),
        ("SELECT * FROM events WHERE run_id = ? AND number > ? ORDER BY number", "events_by_run"),
        ("SELECT 1 FROM readings WHERE snapshot = ? AND collection = ?", "readings_by_snapshot"),
        ("SELECT * FROM passages WHERE snapshot = ?", "passages_by_snapshot"),
    ],
)
def test_questions_asked_often_have_an_index(query: str, index: str) -> None:
    conn = connect_sqlite(":memory:")
    schema.apply_migrations(conn)

    plan = " ".join(row[3] for row in conn.execute("EXPLAIN QUERY PLAN " + query, ["x"] * query.count("?")))

    assert index in plan
    assert "FOR ORDER BY" not in plan
    conn.close()


def test_collections_of_an_older_store_belong_to_this_machine_s_own_user_and_keep_their_files() -> None:
    conn = connect_sqlite(":memory:")
    owners = next(at for at, one in enumerate(schema.MIGRATIONS) if one.name == "owners of collections")
    for statement in (one for migration in schema.MIGRATIONS[:owners] for one in migration.of(conn.dialect)):
        conn.execute(statement)
    conn.dialect.mark(conn, owners)
    conn.execute("INSERT INTO collections(name, path, updated) VALUES('notes', '/notes', 1)")
    conn.execute(
        "INSERT INTO readings(run_id, collection, source_id, snapshot, url, title, read_at, card)"
        " VALUES('', 'notes', 's1', 'x', 'library://notes/a.md', '', 1, '{}'), ('r1', '', 's2', 'x', '', '', 1, '{}')"
    )
    conn.execute(
        "INSERT INTO collection_files(name, path, size, modified_ns, reading) VALUES('notes', 'a.md', 1, 1, 1)"
    )

    schema.apply_migrations(conn)

    assert conn.execute("SELECT owner, name, shared, path FROM collections").fetchall() == [
        ("local", "notes", 0, "/notes")
    ]
    joined = "SELECT f.path FROM collections c JOIN collection_files f USING(collection_id) JOIN readings r"
    assert conn.execute(f"{joined} ON r.number = f.reading AND r.collection = c.collection_id").fetchall() == [
        ("a.md",)
    ]
    assert conn.execute("SELECT collection FROM readings WHERE run_id = 'r1'").fetchall() == [("",)]
    conn.close()
