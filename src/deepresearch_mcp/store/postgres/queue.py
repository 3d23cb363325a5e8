"""Migrates the tables of procrastinate, which notifies workers of runs, to the schema of its installed version."""

from pathlib import Path

from procrastinate.schema import SchemaManager

from deepresearch_mcp.store.postgres.connection import PostgresConn

_APPLIED = "CREATE TABLE deepresearch_queue_migrations(name TEXT PRIMARY KEY)"


def migrate_queue(conn: PostgresConn, folder: Path | None = None) -> int:
    """Create the tables, or apply procrastinate's migrations since then; return the number of scripts run.

    The caller must hold the schema's lock. `folder` replaces the installed migrations.
    """
    scripts = sorted((folder or Path(SchemaManager.get_migrations_path())).glob("*.sql"))
    if conn.execute("SELECT to_regclass('deepresearch_queue_migrations')").fetchone()[0] is None:
        # Not "IF NOT EXISTS": a user without the right to create tables may still use existing ones.
        conn.execute(_APPLIED)
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
