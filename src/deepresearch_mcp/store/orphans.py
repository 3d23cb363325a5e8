"""Whether any run waits for a server, without opening the store: an idle server asks once a second."""

import sqlite3
from contextlib import closing
from pathlib import Path

from deepresearch_mcp.store.locks import owner_lives

FILE = "deepresearch.db"
"""In the data directory."""


def has_orphans(home: Path) -> bool:
    """Whether a run there is queued or has lost its owner; False where nothing can be read.

    One that lost its owner while it was being cancelled is not looked for.

    Asks the file and the locks alone, changes nothing, and costs less than a millisecond.
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
