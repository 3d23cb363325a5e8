"""Copies the rows of a run for a fork, or deletes them, inside the caller's transaction."""

from collections.abc import Collection

from deepresearch_mcp.ports.journal import FORKED
from deepresearch_mcp.store.documents import drop_reading
from deepresearch_mcp.store.encoding import request_hash, to_json
from deepresearch_mcp.store.retention import remember_spending
from deepresearch_mcp.store.sql import Conn

_COPY_STEPS = """
INSERT INTO steps(run_id, key, kind, status, attempt, fence, needs, request, result, error, started, ended)
SELECT ?, key, kind, status, 1, 1, needs, request, result, error, started, ended FROM steps
WHERE run_id = ? AND status = 'done' ORDER BY number
"""
"""Omits cost and use, because the original run has paid for these steps."""

_COPY_READINGS = """
INSERT INTO readings(run_id, collection, source_id, snapshot, url, title, read_at, card)
SELECT ?, collection, source_id, snapshot, url, title, read_at, card FROM readings WHERE run_id = ? ORDER BY number
"""


_DELETIONS = {
    "steps": "DELETE FROM steps WHERE run_id = ?",
    "claims": "DELETE FROM claims WHERE run_id = ?",
    "events": "DELETE FROM events WHERE run_id = ?",
}


_FORKED = """
INSERT INTO steps(run_id, key, kind, status, attempt, fence, needs, request, result, started, ended)
VALUES (?, ?, 'decision', 'done', 1, 1, '[]', ?, ?, ?, ?)
"""


def copy_steps(conn: Conn, origin: str, fork: str, without: Collection[str], now: float) -> None:
    """Copy pages and finished steps from `origin` to `fork`, except steps at or below a key in `without`.

    The step `FORKED` records which steps are repeated, for the process that carries out the fork.
    """
    conn.execute(_COPY_STEPS, (fork, origin))
    for prefix in (*without, FORKED):
        conn.execute(
            "DELETE FROM steps WHERE run_id = ? AND (key = ? OR substr(key, 1, ?) = ?)",
            (fork, prefix, len(prefix) + 1, f"{prefix}/"),
        )
    conn.execute(_FORKED, (fork, FORKED, request_hash(None), to_json(list(without)), now, now))
    conn.execute(_COPY_READINGS, (fork, origin))


def delete_run(conn: Conn, run_id: str, now: float) -> dict[str, int]:
    """Delete a run with everything that only it holds; return the counts under the words shown to users."""
    remember_spending(conn, run_id, now)
    deleted: dict[str, int] = {}
    for word, statement in _DELETIONS.items():
        deleted[word] = conn.execute(statement, (run_id,)).rowcount
    readings = [number for (number,) in conn.execute("SELECT number FROM readings WHERE run_id = ?", (run_id,))]
    texts = _texts(conn)
    for number in readings:
        drop_reading(conn, number)
    deleted |= {"pages": len(readings), "texts": texts - _texts(conn)}
    for table in ("inquiries", "prompts", "ratings", "sessions", "shares", "traces", "webhooks"):
        conn.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - names are data
    conn.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))
    return deleted


def _texts(conn: Conn) -> int:
    return conn.execute("SELECT COUNT(*) FROM documents").fetchone()[0]
