"""Reads and writes rows of the table `runs`, with the status that readers are shown."""

import json
from collections.abc import Callable
from typing import Any

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.records.run import RunRow, RunStatus
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.sql import Conn, Owners, Rows, among

Living = Callable[[Conn], Callable[[str | None], bool]]
"""One of the two ways of `Owners` to say which are alive."""

NEW = """
INSERT INTO runs(run_id, caller, question, request, fingerprint, status, stage, owner, fence, created, updated, setup,
  origin) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(run_id) DO NOTHING
"""
SELECT = """
SELECT run_id, caller, request, fingerprint, status, stage, owner, fence, cancel,
  created, updated, ended, error, progress, setup, origin, deaths, dying, handed
  FROM runs
"""


def rows_of(found: Rows, damaged: list[str] | None = None) -> list[RunRow]:
    """The runs found by a statement that begins with `SELECT`.

    A row that cannot be read is skipped, so that the others stay readable; its id is appended to `damaged`.
    """
    names = [column[0] for column in found.description or ()]
    runs: list[RunRow] = []
    for row in found:
        fields = dict(zip(names, row, strict=True))
        try:
            for name in ("request", "error", "progress"):
                fields[name] = fields[name] and json.loads(fields[name])
            runs.append(RunRow.model_validate(fields))
        except ValueError:
            if damaged is not None:
                damaged.append(str(fields["run_id"]))
    return runs


def row_in(conn: Conn, run_id: str, living: Living) -> RunRow | None:
    """One run, with the status that readers see.

    Raises:
        StoreError: The stored row is damaged.
    """
    damaged: list[str] = []
    rows = rows_of(conn.execute(f"{SELECT} WHERE run_id = ?", (run_id,)), damaged)
    if damaged:
        raise StoreError(
            f"The stored data of run {run_id} is damaged and cannot be read.",
            "Restore it from a backup. Other runs are not affected.",
        )
    return with_shown_status(living, conn)(rows[0]) if rows else None


def values_of(run: RunRow) -> tuple[object, ...]:
    """The values of a run for `NEW`."""
    return (
        *(run.run_id, run.caller, run.request.question.casefold(), to_json(run.request), run.fingerprint),
        *(run.status, run.stage, run.owner, run.fence, run.created, run.updated, run.setup, run.origin),
    )


def json_or_none(value: dict[str, Any] | None) -> str | None:
    """JSON of a value, or None for SQL NULL."""
    return None if value is None else to_json(value)


def escape_like(text: str) -> str:
    """Escape a text so that LIKE … ESCAPE '!' matches it literally."""
    for special in "!%_":
        text = text.replace(special, "!" + special)
    return text


def with_shown_status(living: Living, conn: Conn) -> Callable[[RunRow], RunRow]:
    """Return a function that gives a run the status that readers see: interrupted if its owner died."""
    lives: Callable[[str | None], bool] | None = None

    def look(run: RunRow) -> RunRow:
        nonlocal lives
        if run.status not in {"queued", "running"} or not run.owner:
            return run
        lives = lives or living(conn)
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
