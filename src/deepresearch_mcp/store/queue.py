"""The queue of runs: rows without an owner, taken by compare-and-set."""

import sqlite3
from collections import Counter
from collections.abc import Collection

from deepresearch_mcp.ports.queue import Standing
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.store.connection import Database
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.locks import Ownership
from deepresearch_mcp.store.run_rows import SELECT, json_or_none, rows_of

_WAITS = "ended IS NULL AND status = 'queued' AND owner IS NULL AND cancel = 0 AND setup = ?"

_CLAIM = (
    "UPDATE runs SET owner = ?, fence = fence + 1, status = 'running', updated = ?"
    " WHERE ended IS NULL AND status = 'queued' AND owner IS NULL AND cancel = 0 AND setup = ? AND run_id = ?"
)

_STANDING = """
SELECT SUM(CASE WHEN (created, run_id) <= (?, ?) THEN 1 ELSE 0 END), SUM(CASE WHEN run_id = ? THEN 1 ELSE 0 END),
  COUNT(*) FROM runs WHERE ended IS NULL AND status = 'queued' AND owner IS NULL AND cancel = 0 AND setup = ?
"""

_TAKE = """
UPDATE runs SET owner = ?, fence = fence + 1, status = 'running', stage = 'created', cancel = 0, ended = NULL,
  error = NULL, request = ?, setup = ?, updated = ? WHERE run_id = ? AND fence = ?
"""
_UNFINISHED = {"interrupted", "partial", "failed", "cancelled"}

_REQUEUE = """
UPDATE runs SET owner = NULL, fence = fence + 1, status = 'queued', stage = 'created', cancel = 0, ended = NULL,
  error = NULL, progress = ?, request = ?, setup = ?, updated = ? WHERE run_id = ? AND fence = ?
"""

_OWNED = """
SELECT caller, owner, COUNT(*) FROM runs
WHERE ended IS NULL AND owner IS NOT NULL AND status IN ('queued', 'running') GROUP BY caller, owner
"""


class SqliteQueue:
    """`ports.queue.Queue` on SQLite."""

    def __init__(self, database: Database, ownership: Ownership) -> None:
        self._database = database
        self._ownership = ownership

    async def waiting(
        self, setup: str, *, per_caller: int = 0, limit: int = 20, among: Collection[str] | None = None
    ) -> list[RunRow]:
        """See `Queue.waiting`."""
        conditions, values = [_WAITS], [setup]
        if among is not None:
            conditions.append(f"run_id IN ({_places(among)})")
            values += among

        def look(conn: sqlite3.Connection) -> list[RunRow]:
            busy = self.at_work(conn) if per_caller else Counter[str]()
            free: list[RunRow] = []
            while len(free) < limit:
                # Those of callers who have all their places must not hide those behind them.
                full = [caller for caller, count in busy.items() if per_caller and count >= per_caller]
                known = [row.run_id for row in free]
                where = [*conditions, f"caller NOT IN ({_places(full)})", f"run_id NOT IN ({_places(known)})"]
                found = rows_of(
                    conn.execute(
                        f"{SELECT} WHERE {' AND '.join(where)} ORDER BY created, run_id LIMIT ?",
                        (*values, *full, *known, limit - len(free)),
                    )
                )
                if not found:
                    break
                for row in found:
                    if not per_caller or busy[row.caller] < per_caller:
                        busy[row.caller] += 1
                        free.append(row)
            return free

        return await self._database.read(look)

    async def claim(self, run_id: str, setup: str, now: float, *, per_caller: int = 0) -> RunRow | None:
        """See `Queue.claim`."""

        def take(conn: sqlite3.Connection) -> RunRow | None:
            if per_caller:
                found = conn.execute("SELECT caller FROM runs WHERE run_id = ?", (run_id,)).fetchone()
                if found is None or self.at_work(conn)[found[0]] >= per_caller:
                    return None
            if not conn.execute(_CLAIM, (self._ownership.owner, now, setup, run_id)).rowcount:
                return None
            return rows_of(conn.execute(f"{SELECT} WHERE run_id = ?", (run_id,)))[0]

        row = await self._database.write(take)
        if row:
            self._ownership.fences[run_id] = row.fence
        return row

    async def standing(self, row: RunRow) -> Standing:
        """See `Queue.standing`."""

        def look(conn: sqlite3.Connection) -> Standing:
            values = (row.created, row.run_id, row.run_id, row.setup)
            [(place, there, waiting)] = conn.execute(_STANDING, values).fetchall()
            return Standing(place if there else 0, waiting, self.at_work(conn).total())

        return await self._database.read(look)

    async def adopt(
        self, setup: str, now: float, limit: int, fingerprint: str = "", *, queued: bool = False
    ) -> list[RunRow]:
        """See `Queue.adopt`."""

        def orphans(conn: sqlite3.Connection) -> list[RunRow]:
            found = rows_of(
                conn.execute(
                    f"{SELECT} WHERE ended IS NULL AND cancel = 0 AND owner IS NOT NULL AND setup = ?"
                    " AND ? IN ('', fingerprint) ORDER BY created",
                    (setup, fingerprint),
                )
            )
            return [row for row in found if not self._ownership.lives(row.owner)][:limit]

        # Looked for without the write lock: most of the time there is none.
        found = await self._database.read(orphans)
        take = self._requeue if queued else self._take
        taken = [await take(row, row.request, setup, now) for row in found]
        return [row for row in taken if row]

    async def revive(
        self,
        run_id: str,
        request: AnyRequest,
        setup: str,
        now: float,
        *,
        complete: bool = False,
        queued: bool = False,
    ) -> RunRow | None:
        """See `Queue.revive`."""
        row = await self.get(run_id)
        if row is None or not (
            row.status in _UNFINISHED
            or (row.status == "queued" and row.owner is None)
            or (complete and row.status == "completed")
        ):
            return None
        if row.status == "completed":
            row = row.model_copy(update={"progress": None})
        return await (self._requeue if queued else self._take)(row, request, setup, now)

    async def _take(self, row: RunRow, request: AnyRequest, setup: str, now: float) -> RunRow | None:
        """Compare and set on the fence: of two that see the same dead owner, one gets the run."""
        owner = self._ownership.owner
        values = (owner, to_json(request), setup, now, row.run_id, row.fence)
        if not await self._database.change(_TAKE, values):
            return None
        self._ownership.fences[row.run_id] = row.fence + 1
        return await self.get(row.run_id)

    async def _requeue(self, row: RunRow, request: AnyRequest, setup: str, now: float) -> RunRow | None:
        """Put a run that nobody works on back into the queue, by compare-and-set on the fence; None: somebody does."""
        values = (json_or_none(row.progress), to_json(request), setup, now, row.run_id, row.fence)
        if not await self._database.change(_REQUEUE, values):
            return None
        again = {"owner": None, "fence": row.fence + 1, "status": "queued", "stage": "created", "cancel": False}
        ends = {"ended": None, "error": None, "request": request, "setup": setup, "updated": now}
        return row.model_copy(update=again | ends)

    async def get(self, run_id: str) -> RunRow | None:
        """See `Runs.get`."""

        def look(conn: sqlite3.Connection) -> RunRow | None:
            rows = rows_of(conn.execute(f"{SELECT} WHERE run_id = ?", (run_id,)))
            return self.seen(rows[0]) if rows else None

        return await self._database.read(look)

    def seen(self, run: RunRow) -> RunRow:
        """The run as it is to be shown: one whose owner has died is not running."""
        if run.status in {"queued", "running"} and run.owner and not self._ownership.lives(run.owner):
            return run.model_copy(update={"status": "interrupted"})
        return run

    def at_work(self, conn: sqlite3.Connection) -> Counter[str]:
        """Caller → how many of their runs a living process works on."""
        count = Counter[str]()
        for caller, owner, runs in conn.execute(_OWNED):
            if self._ownership.lives(owner):
                count[caller] += runs
        return count


def _places(values: Collection[object]) -> str:
    # A list without a member is no SQL.
    return ", ".join("?" * len(values)) if values else "''"
