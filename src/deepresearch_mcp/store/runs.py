"""Runs: who owns them, how far they are, and who may change them."""

import logging
import sqlite3
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import ENDED, RunRow, RunStatus, Stage, may_follow
from deepresearch_mcp.store.connection import Database
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.keeping import copy_steps, delete_run
from deepresearch_mcp.store.locks import Ownership
from deepresearch_mcp.store.run_rows import NEW, SELECT, escaped, json_or_none, rows_of, values_of

_log = logging.getLogger(__name__)

_TAKE = """
UPDATE runs SET owner = ?, fence = fence + 1, status = 'queued', stage = 'created', cancel = 0, ended = NULL,
  error = NULL, request = ?, setup = ?, updated = ? WHERE run_id = ? AND fence = ?
"""
_STATE = "SELECT status, stage FROM runs WHERE run_id = ? AND owner = ? AND fence = ? AND ended IS NULL"
_MOVE = """
UPDATE runs SET status = ?, stage = ?, error = COALESCE(?, error), progress = COALESCE(?, progress), updated = ?,
  ended = ? WHERE run_id = ?
"""
_UNFINISHED = {"interrupted", "partial", "failed", "cancelled"}
_LONGEST_PATTERN = 50_000
"""Bytes that SQLite takes in a LIKE; no question is as long."""


class SqliteRuns:
    """`ports.store.Runs` on SQLite."""

    def __init__(self, database: Database, ownership: Ownership) -> None:
        self._database = database
        self._ownership = ownership

    async def create(
        self,
        run_id: str,
        caller: str,
        request: AnyRequest,
        fingerprint: str,
        now: float,
        *,
        setup: str = "",
        origin: str = "",
    ) -> RunRow:
        """See `Runs.create`.

        Raises:
            StoreError: There is a run with this id already.
        """
        return await self._begin(run_id, caller, request, fingerprint, now, setup, origin)

    async def _begin(
        self,
        run_id: str,
        caller: str,
        request: AnyRequest,
        fingerprint: str,
        now: float,
        setup: str,
        origin: str,
        fill: Callable[[sqlite3.Connection], None] | None = None,
    ) -> RunRow:
        """Store a run and what `fill` adds to it in one transaction: whoever takes it up finds all of it."""
        row = RunRow(
            run_id=run_id,
            caller=caller,
            request=request,
            fingerprint=fingerprint,
            status="running",
            owner=self._ownership.owner,
            fence=1,
            created=now,
            updated=now,
            setup=setup,
            origin=origin,
        )

        def insert(conn: sqlite3.Connection) -> bool:
            made = conn.execute(NEW, values_of(row)).rowcount == 1
            if made and fill:
                fill(conn)
            return made

        if not await self._database.write(insert):
            raise StoreError(f"There is a run {run_id!r} already.", "Start again: it gets another id.")
        self._ownership.fences[run_id] = row.fence
        return row

    async def get(self, run_id: str) -> RunRow | None:
        """See `Runs.get`."""

        def look(conn: sqlite3.Connection) -> RunRow | None:
            rows = rows_of(conn.execute(f"{SELECT} WHERE run_id = ?", (run_id,)))
            return self._seen(rows[0]) if rows else None

        return await self._database.read(look)

    async def find(
        self,
        *,
        caller: str | None = None,
        status: RunStatus | None = None,
        text: str = "",
        limit: int = 20,
        before: tuple[float, str] | None = None,
    ) -> list[RunRow]:
        """See `Runs.find`; case does not matter in `text`."""
        conditions: list[str] = []
        values: list[object] = []
        if caller is not None:
            conditions.append("caller = ?")
            values.append(caller)
        if text:
            pattern = f"%{escaped(text.casefold())}%"
            if len(pattern.encode("utf-8", "replace")) > _LONGEST_PATTERN:
                return []
            conditions.append("question LIKE ? ESCAPE '!'")
            values.append(pattern)
        if before:
            conditions.append("(created, run_id) < (?, ?)")
            values.extend(before)

        def look(conn: sqlite3.Connection) -> list[RunRow]:
            where, wanted = self._of_status(conn, status)
            whole = " AND ".join([*conditions, *where]) or "1 = 1"
            found = conn.execute(
                f"{SELECT} WHERE {whole} ORDER BY created DESC, run_id DESC LIMIT ?",
                (*values, *wanted, limit),
            )
            return [self._seen(run) for run in rows_of(found)]

        return await self._database.read(look)

    async def joinable(self, caller: str, fingerprint: str, since: float) -> RunRow | None:
        """See `Runs.joinable`; a run that is being cancelled is left alone."""

        def look(conn: sqlite3.Connection) -> RunRow | None:
            found = conn.execute(
                f"{SELECT} WHERE fingerprint = ? AND caller = ? AND ("
                "(ended IS NULL AND cancel = 0) OR (status = 'completed' AND ended > ?)"
                ") ORDER BY ended IS NOT NULL, ended DESC, created DESC, run_id DESC",
                (fingerprint, caller, since),
            )
            return next(
                (run for run in rows_of(found) if run.ended or not run.owner or self._ownership.lives(run.owner)), None
            )

        return await self._database.read(look)

    async def move(
        self,
        run_id: str,
        now: float,
        *,
        status: RunStatus | None = None,
        stage: Stage | None = None,
        error: dict[str, str] | None = None,
        progress: dict[str, Any] | None = None,
    ) -> bool:
        """See `Runs.move`; a run that ends enters the stage `ended` unless another is named."""
        ends = status in ENDED
        ours = (run_id, self._ownership.owner, self._ownership.fences.get(run_id))

        def change(conn: sqlite3.Connection) -> bool:
            found = conn.execute(_STATE, ours).fetchone()
            if found is None:
                return False
            then = (status or found[0], stage or ("ended" if ends else found[1]))
            if not may_follow(found, then):
                _log.error("Run %s may not go from %s to %s", run_id, "/".join(found), "/".join(then))
                return False
            ended = now if ends else None
            conn.execute(_MOVE, (*then, json_or_none(error), json_or_none(progress), now, ended, run_id))
            return True

        changed = await self._database.write(change)
        if ends:
            self._ownership.fences.pop(run_id, None)
        return changed

    async def adopt(self, setup: str, now: float, limit: int, fingerprint: str = "") -> list[RunRow]:
        """See `Runs.adopt`."""

        def orphans(conn: sqlite3.Connection) -> list[RunRow]:
            found = rows_of(
                conn.execute(
                    f"{SELECT} WHERE ended IS NULL AND cancel = 0 AND status <> 'input_required' AND setup = ?"
                    " AND ? IN ('', fingerprint) ORDER BY created",
                    (setup, fingerprint),
                )
            )
            return [row for row in found if not self._ownership.lives(row.owner)][:limit]

        # Looked for without the write lock: most of the time there is none.
        found = await self._database.read(orphans)
        taken = [await self._take(row, row.request, setup, now) for row in found]
        return [row for row in taken if row]

    async def revive(
        self, run_id: str, request: AnyRequest, setup: str, now: float, *, complete: bool = False
    ) -> RunRow | None:
        """See `Runs.revive`."""
        row = await self.get(run_id)
        wanted = _UNFINISHED | ({"completed"} if complete else set[str]())
        if row is None or not (row.status in wanted or (row.status == "queued" and row.owner is None)):
            return None
        return await self._take(row, request, setup, now)

    async def _take(self, row: RunRow, request: AnyRequest, setup: str, now: float) -> RunRow | None:
        """Compare and set on the fence: of two that see the same dead owner, one gets the run."""
        owner = self._ownership.owner
        values = (owner, to_json(request), setup, now, row.run_id, row.fence)
        if not await self._database.change(_TAKE, values):
            return None
        self._ownership.fences[row.run_id] = row.fence + 1
        return await self.get(row.run_id)

    async def fork(
        self, origin: str, run_id: str, request: AnyRequest, mark: str, setup: str, now: float, without: Collection[str]
    ) -> RunRow | None:
        """See `Runs.fork`."""
        row = await self.get(origin)
        if row is None:
            return None
        fill = partial(copy_steps, origin=origin, fork=run_id, without=without)
        return await self._begin(run_id, row.caller, request, mark, now, setup, origin, fill)

    async def delete(self, run_id: str) -> dict[str, int] | None:
        """See `Runs.delete`."""

        def forget(conn: sqlite3.Connection) -> dict[str, int] | None:
            found = conn.execute("SELECT owner, ended FROM runs WHERE run_id = ?", (run_id,)).fetchone()
            if found is None or (found[1] is None and self._ownership.lives(found[0])):
                return None
            return delete_run(conn, run_id)

        return await self._database.write(forget)

    async def ended_before(self, moment: float, limit: int) -> list[str]:
        """See `Runs.ended_before`."""
        found = await self._database.rows(
            "SELECT run_id FROM runs WHERE ended < ? ORDER BY ended LIMIT ?", moment, limit
        )
        return [run_id for (run_id,) in found]

    async def request_cancel(self, run_id: str, now: float) -> bool:
        """See `Runs.request_cancel`; False for an unknown run too."""

        def ask(conn: sqlite3.Connection) -> bool:
            found = conn.execute("SELECT owner FROM runs WHERE run_id = ? AND ended IS NULL", (run_id,)).fetchone()
            if found is None:
                return False
            conn.execute("UPDATE runs SET cancel = 1, updated = ? WHERE run_id = ?", (now, run_id))
            if not self._ownership.lives(found[0]):
                # The fence rises, so that an owner wrongly taken for dead cannot write on.
                conn.execute(
                    "UPDATE runs SET status = 'cancelled', stage = 'ended', ended = ?, fence = fence + 1"
                    " WHERE run_id = ?",
                    (now, run_id),
                )
            return True

        return await self._database.write(ask)

    async def cancel_requested(self, run_ids: Collection[str]) -> set[str]:
        """See `Runs.cancel_requested`."""
        found = await self._database.rows(
            "SELECT run_id FROM runs WHERE cancel = 1 AND run_id IN (SELECT value FROM json_each(?))",
            to_json(sorted(run_ids)),
        )
        return {run_id for (run_id,) in found}

    def _seen(self, run: RunRow) -> RunRow:
        """The run as it is to be shown: one whose owner has died is not running."""
        if run.status in {"queued", "running"} and run.owner and not self._ownership.lives(run.owner):
            return run.model_copy(update={"status": "interrupted"})
        return run

    def _of_status(self, conn: sqlite3.Connection, status: RunStatus | None) -> tuple[list[str], list[object]]:
        """Conditions and values that pick the runs shown with a status."""
        if status is None:
            return [], []
        if status not in {"queued", "running", "interrupted"}:
            return ["status = ?"], [status]
        owners = conn.execute(
            "SELECT DISTINCT owner FROM runs"
            " WHERE ended IS NULL AND status IN ('queued', 'running') AND owner IS NOT NULL"
        )
        dead = to_json([owner for (owner,) in owners if not self._ownership.lives(owner)])
        among = "IN (SELECT value FROM json_each(?))"
        if status == "interrupted":
            return ["ended IS NULL", "status IN ('queued', 'running')", f"owner {among}"], [dead]
        return ["ended IS NULL", "status = ?", f"(owner IS NULL OR owner NOT {among})"], [status, dead]
