"""Tells whether any run waits for a server, without opening the store, because an idle server asks every second."""

import sqlite3
from contextlib import closing
from pathlib import Path

from deepresearch_mcp.store.locks import owner_lives

FILE = "deepresearch.db"
"""Name of the database file in the data directory."""


def has_orphans(home: Path) -> bool:
    """Whether a run in `home` is queued or has lost its owner; False if the file cannot be read.

    Runs that lost their owner while being cancelled do not count. The check reads only the file and the locks, changes
    nothing, and takes less than a millisecond.
    """
    path = home / FILE
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1.0)) as conn:
            owners = conn.execute(
                "SELECT DISTINCT owner FROM runs"
                " WHERE ended IS NULL AND (cancel = 0 OR owner IS NULL) AND status IN ('queued', 'running')"
            ).fetchall()
    except sqlite3.Error:
        return False
    return any(not owner_lives(home / "locks", owner) for (owner,) in owners)
