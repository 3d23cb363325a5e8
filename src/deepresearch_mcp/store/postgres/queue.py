"""The tables of procrastinate, which tells workers of runs, kept at the form that the installed version wants."""

from pathlib import Path

from procrastinate.schema import SchemaManager

from deepresearch_mcp.store.postgres.connection import PostgresConn

_APPLIED = "CREATE TABLE deepresearch_queue_migrations(name TEXT PRIMARY KEY)"


def migrate_queue(conn: PostgresConn, folder: Path | None = None) -> int:
    """Make the tables, or apply those of procrastinate's own migrations that came since; how many scripts that took.

    The caller is alone with the schema. `folder` holds the migrations, in the place of those that are installed.
    """
    scripts = sorted((folder or Path(SchemaManager.get_migrations_path())).glob("*.sql"))
    if conn.execute("SELECT to_regclass('deepresearch_queue_migrations')").fetchone()[0] is None:
        # Not "IF NOT EXISTS": a user who may make no tables may work with those that are there.
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
