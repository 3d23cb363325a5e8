"""The queue of runs: rows without an owner, claimed by compare-and-set."""

from collections import Counter
from collections.abc import Callable, Collection

from typing_extensions import override

from deepresearch_mcp.events import Ended
from deepresearch_mcp.ports.queue import DEATHS, MAX_DEATHS, SPAN, Queue, QueuePosition
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.principal import CallerLimits
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.store.claims_events import append
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.run_rows import SELECT, Living, json_or_none, row_in, rows_of
from deepresearch_mcp.store.sql import Conn, Database, Owners, among
from deepresearch_mcp.store.tokens import limits_of_callers

_WAITS = "ended IS NULL AND status = 'queued' AND owner IS NULL AND setup = ?"

_CLAIM = (
    "UPDATE runs SET owner = ?, fence = fence + 1, status = 'running', handed = 0, updated = ?"
    " WHERE ended IS NULL AND status = 'queued' AND owner IS NULL AND setup = ? AND run_id = ?"
)

_HELD = """
LEFT JOIN (
  SELECT caller AS holder, COUNT(*) AS held FROM runs
  WHERE ended IS NULL AND owner IS NOT NULL AND status IN ('queued', 'running') GROUP BY caller
) AS holders ON holder = caller
"""
"""Joins what each caller has at work. What dead servers left counts until it is adopted: this is about order alone."""
_TURN = "COALESCE(held, 0) + ROW_NUMBER() OVER (PARTITION BY caller ORDER BY created, run_id)"
"""Callers take turns: a run is preceded by what its caller has at work, and by its caller's older ones."""

_POSITION = f"""
SELECT MAX(CASE WHEN run_id = ? THEN place ELSE 0 END), COUNT(*) FROM (
  SELECT run_id, ROW_NUMBER() OVER (ORDER BY turn, created, run_id) AS place FROM (
    SELECT run_id, created, {_TURN} AS turn FROM runs {_HELD} WHERE {_WAITS}
  ) AS turns
) AS places
"""  # noqa: S608 - our own words alone
_WAITING_OF = "SELECT COUNT(*) FROM runs WHERE ended IS NULL AND status = 'queued' AND owner IS NULL AND caller = ?"

_UNFINISHED = {"interrupted", "partial", "failed", "cancelled"}

_REQUEUE = """
UPDATE runs SET owner = NULL, fence = ?, status = 'queued', stage = 'created', cancel = 0, ended = NULL,
  error = NULL, progress = ?, request = ?, setup = ?, deaths = ?, dying = ?, handed = 0, updated = ? WHERE run_id = ?
  AND (fence = ? OR (fence = ? AND owner IS NULL AND status = 'queued' AND updated = ?))
"""

_GIVE_UP = """
UPDATE runs SET status = 'failed', stage = 'ended', ended = ?, updated = ?, error = ?, deaths = ?, dying = ?,
  fence = fence + 1 WHERE run_id = ? AND fence = ? AND ended IS NULL
"""
_HAND_OVER = "UPDATE runs SET handed = 1 WHERE run_id = ? AND owner = ? AND fence = ? AND ended IS NULL"
_ADVANCED = "SELECT 1 FROM steps WHERE run_id = ? AND fence = ? AND status = 'done' LIMIT 1"
"""Finds a step that this attempt finished; a replayed step keeps the fence of the attempt that paid for it."""
_ON_TRIAL = """
SELECT 1 FROM runs WHERE ended IS NULL AND owner = ? AND deaths > 0 AND NOT EXISTS(
  SELECT 1 FROM steps WHERE steps.run_id = runs.run_id AND steps.fence = runs.fence AND steps.status = 'done')
LIMIT 1
"""
"""Finds a run of this process whose last server died and which has not finished a step since."""

_OWNED = """
SELECT caller, owner, COUNT(*) FROM runs
WHERE ended IS NULL AND owner IS NOT NULL AND status IN ('queued', 'running') GROUP BY caller, owner
"""


class SqlQueue(Queue):
    """`ports.queue.Queue` in a database."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self._database = database
        self._owners = owners

    @override
    async def waiting(
        self, setup: str, *, per_caller: int = 0, limit: int = 20, of: Collection[str] | None = None
    ) -> list[RunRow]:
        conditions, values = [_WAITS], [setup]
        if of is not None:
            conditions.append(f"run_id IN {among(of)}")
            values += of

        def look(conn: Conn) -> list[RunRow]:
            own = limits_of_callers(conn)

            def is_full(caller: str) -> bool:
                most = _places(own.get(caller), per_caller)
                return most > 0 and busy[caller] >= most

            busy = self.at_work(conn) if per_caller or own else Counter[str]()
            free: list[RunRow] = []
            damaged: list[str] = []
            on_trial = self._on_trial(conn)
            while len(free) < limit:
                # Runs that may not start now must not hide later ones that may.
                full = [caller for caller in busy if is_full(caller)]
                known, before = [*(row.run_id for row in free), *damaged], len(damaged)
                where = [*conditions, f"caller NOT IN {among(full)}", f"run_id NOT IN {among(known)}"]
                if on_trial:
                    where.append("deaths = 0")
                found = rows_of(
                    conn.execute(
                        f"{SELECT} {_HELD} WHERE {' AND '.join(where)} ORDER BY {_TURN}, created, run_id LIMIT ?",
                        (*values, *full, *known, limit - len(free)),
                    ),
                    damaged,
                )
                if not found and len(damaged) == before:
                    break
                for row in found:
                    if is_full(row.caller) or (on_trial and row.deaths):
                        continue
                    busy[row.caller] += 1
                    on_trial = on_trial or row.deaths > 0
                    free.append(row)
            return free

        return await self._database.read(look)

    @override
    async def claim(self, run_id: str, setup: str, now: float, *, per_caller: int = 0) -> RunRow | None:
        def take(conn: Conn) -> RunRow | None:
            rows = rows_of(conn.execute(f"{SELECT} WHERE run_id = ?", (run_id,)))
            ours = rows and rows[0].owner == self._owners.owner and rows[0].ended is None
            if ours and run_id not in self._owners.fences:
                return rows[0]  # Claimed before the connection broke.
            if rows and rows[0].deaths and self._on_trial(conn):
                return None
            most = _places(limits_of_callers(conn).get(rows[0].caller), per_caller) if rows else 0
            if rows and most:
                # Without this lock two processes could both find the caller's last place free.
                conn.dialect.guard(conn, f"places/{rows[0].caller}", "alone")
                if self.at_work(conn)[rows[0].caller] >= most:
                    return None
            if not conn.execute(_CLAIM, (self._owners.owner, now, setup, run_id)).rowcount:
                return None
            return rows_of(conn.execute(f"{SELECT} WHERE run_id = ?", (run_id,)))[0]

        row = await self._database.write(take)
        if row:
            self._owners.fences[run_id] = row.fence
        return row

    @override
    async def position(self, row: RunRow) -> QueuePosition:
        def look(conn: Conn) -> QueuePosition:
            place, waiting = conn.execute(_POSITION, (row.run_id, row.setup)).fetchone()
            return QueuePosition(place or 0, waiting, self.at_work(conn, self._owners.lately_living).total())

        return await self._database.read(look)

    @override
    async def waiting_of(self, caller: str) -> int:
        [(count,)] = await self._database.rows(_WAITING_OF, caller)
        return count

    @override
    async def adopt(
        self,
        setup: str,
        now: float,
        limit: int,
        fingerprint: str = "",
        *,
        hopeless: Callable[[str], dict[str, str]] | None = None,
    ) -> list[RunRow]:
        def orphans(conn: Conn) -> list[RunRow]:
            found = rows_of(
                conn.execute(
                    f"{SELECT} WHERE ended IS NULL AND cancel = 0 AND owner IS NOT NULL AND setup = ?"
                    " AND ? IN ('', fingerprint) ORDER BY created",
                    (setup, fingerprint),
                )
            )
            lives = self._owners.living(conn) if found else None
            dead = [row for row in found if lives and not lives(row.owner)][:limit]
            return [row.model_copy(update=_deaths(conn, row, now)) for row in dead]

        # Read without the write lock, because usually no run is orphaned.
        found = await self._database.read(orphans)
        taken: list[RunRow | None] = []
        for row in found:
            if hopeless and _is_hopeless(row, now):
                taken.append(await self._give_up(row, hopeless(row.run_id), now))
            else:
                taken.append(await self._requeue(row, row.request, setup, now))
        return [row for row in taken if row]

    async def _give_up(self, row: RunRow, error: dict[str, str], now: float) -> RunRow | None:
        """Fail an orphaned run by compare-and-set on its fence; None if another process owns or ended it."""

        def fail(conn: Conn) -> bool:
            values = (now, now, to_json(error), row.deaths, row.dying, row.run_id, row.fence)
            if not conn.execute(_GIVE_UP, values).rowcount:
                return False
            # In the same transaction: no other process will record this event.
            end = Ended("failed", error["message"], report=False)
            append(conn, row.run_id, now, end.kind, end.data())
            return True

        return await self.get(row.run_id) if await self._database.write(fail) else None

    @override
    async def hand_over(self, run_id: str) -> None:
        ours = (run_id, self._owners.owner, self._owners.fences.get(run_id, -1))
        await self._database.change(_HAND_OVER, ours)

    @override
    async def revive(
        self,
        run_id: str,
        request: AnyRequest,
        setup: str,
        now: float,
        *,
        complete: bool = False,
    ) -> RunRow | None:
        row = await self._database.read(lambda conn: row_in(conn, run_id, self._owners.living))
        if row is None or not (
            row.status in _UNFINISHED
            or (row.status == "queued" and row.owner is None)
            or (complete and row.status == "completed")
        ):
            return None
        row = row.model_copy(update={"deaths": 0, "dying": None})
        if row.status == "completed":
            row = row.model_copy(update={"progress": None})
        return await self._requeue(row, request, setup, now)

    async def _requeue(self, row: RunRow, request: AnyRequest, setup: str, now: float) -> RunRow | None:
        """Queue a run again by compare-and-set on its fence; None if another process owns it or was faster."""
        fence, progress = row.fence + 1, json_or_none(row.progress)
        # The last two match if the row was already put back before the connection broke.
        values = (
            fence,
            progress,
            to_json(request),
            setup,
            row.deaths,
            row.dying,
            now,
            row.run_id,
            row.fence,
            fence,
            now,
        )
        if not await self._database.change(_REQUEUE, values):
            return None
        again = {"owner": None, "fence": fence, "status": "queued", "stage": "created", "cancel": False}
        ends = {"ended": None, "error": None, "request": request, "setup": setup, "updated": now}
        again |= {"handed": False}
        return row.model_copy(update=again | ends)

    async def get(self, run_id: str) -> RunRow | None:
        """Read a run; its status is `interrupted` if its owner is gone.

        Raises:
            StoreError: The stored row is damaged.
        """
        return await self._database.read(lambda conn: row_in(conn, run_id, self._owners.lately_living))

    def _on_trial(self, conn: Conn) -> bool:
        """Whether this process is working on a run that may have killed its last server.

        A second such run waits until the first has finished a step; else both would be blamed for the next death.
        """
        return conn.execute(_ON_TRIAL, (self._owners.owner,)).fetchone() is not None

    def at_work(self, conn: Conn, living: Living | None = None) -> Counter[str]:
        """Count the runs that a living process is working on, by caller."""
        count, owned = Counter[str](), conn.execute(_OWNED).fetchall()
        lives = (living or self._owners.living)(conn) if owned else None
        for caller, owner, runs in owned:
            if lives and lives(owner):
                count[caller] += runs
        return count


def _places(own: CallerLimits | None, per_caller: int) -> int:
    """Runs that a caller may have at work; 0: as many as there is room for."""
    return own.runs_at_once if own and own.runs_at_once is not None else per_caller


def _deaths(conn: Conn, row: RunRow, now: float) -> dict[str, float | None]:
    """The new `deaths` and `dying` of an orphaned run, counting the death of its last server."""
    if conn.execute(_ADVANCED, (row.run_id, row.fence)).fetchone():
        return {"deaths": 0, "dying": None}
    deaths = row.deaths if row.handed else row.deaths + 1
    return {"deaths": deaths, "dying": (row.dying or now) if deaths else None}


def _is_hopeless(row: RunRow, now: float) -> bool:
    return row.deaths >= MAX_DEATHS or (row.deaths >= DEATHS and now - (row.dying or now) >= SPAN)
