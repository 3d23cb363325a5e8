"""A run's status as shown to readers: `interrupted` if its owner has died, although the row does not say so."""

from collections.abc import Callable

from deepresearch_mcp.records.run import RunRow, RunStatus
from deepresearch_mcp.store.sql import Conn, Owners, among


def with_shown_status(owners: Owners, conn: Conn) -> Callable[[RunRow], RunRow]:
    """Return a function that gives a run its status as shown to readers."""
    lives: Callable[[str | None], bool] | None = None

    def look(run: RunRow) -> RunRow:
        nonlocal lives
        if run.status not in {"queued", "running"} or not run.owner:
            return run
        lives = lives or owners.living(conn)
        return run if lives(run.owner) else run.model_copy(update={"status": "interrupted"})

    return look


def of_status(owners: Owners, conn: Conn, status: RunStatus | None) -> tuple[list[str], list[object]]:
    """SQL conditions and their values that select the runs shown with a status."""
    if status is None:
        return [], []
    if status not in {"queued", "running", "interrupted"}:
        return ["status = ?"], [status]
    found = conn.execute(
        "SELECT DISTINCT owner FROM runs WHERE ended IS NULL AND status IN ('queued', 'running') AND owner IS NOT NULL"
    )
    lives = owners.living(conn)
    dead = [owner for (owner,) in found if not lives(owner)]
    if status == "interrupted":
        return ["ended IS NULL", "status IN ('queued', 'running')", f"owner IN {among(dead)}"], [*dead]
    return ["ended IS NULL", "status = ?", f"(owner IS NULL OR owner NOT IN {among(dead)})"], [status, *dead]
