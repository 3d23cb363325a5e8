"""Stored runs: creation, lookup, state changes by the owner, forks, deletion and cancellation."""

import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from typing_extensions import override

from deepresearch_mcp.events import Ended
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.store import Runs
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import ENDED, RunRow, RunStatus, Stage, may_follow
from deepresearch_mcp.store.claims_events import append
from deepresearch_mcp.store.queue import SqlQueue
from deepresearch_mcp.store.run_copies import copy_steps, delete_run
from deepresearch_mcp.store.run_rows import (
    NEW,
    SELECT,
    escape_like,
    json_or_none,
    of_status,
    rows_of,
    values_of,
    with_shown_status,
)
from deepresearch_mcp.store.sessions import bind_new
from deepresearch_mcp.store.sql import Conn, among

_log = logging.getLogger(__name__)

_STATE = "SELECT status, stage FROM runs WHERE run_id = ? AND owner = ? AND fence = ? AND ended IS NULL$update"
_OWNER = "SELECT owner, ended FROM runs WHERE run_id = ?$update"
_MOVE = """
UPDATE runs SET status = ?, stage = ?, error = COALESCE(?, error), progress = COALESCE(?, progress), updated = ?,
  ended = ? WHERE run_id = ?
"""
_BEGINNING = (
    "SELECT run_id FROM runs WHERE caller = ? AND substr(run_id, 1, ?) = ? ORDER BY created DESC, run_id DESC LIMIT ?"
)
# Compares event numbers, not times, because events are numbered in order of arrival whatever the clock says.
_ENDED_BEFORE = """
SELECT run_id FROM runs WHERE ended < ? AND NOT EXISTS(
  SELECT 1 FROM events WHERE events.run_id = runs.run_id
  AND number > (SELECT number FROM events WHERE at >= ? AND at <= ? ORDER BY number LIMIT 1))
ORDER BY ended LIMIT ?
"""
_LONGEST_PATTERN = 50_000
"""SQLite's limit for a LIKE pattern, in bytes. No question is that long, so a longer pattern finds nothing."""


class SqlRuns(SqlQueue, Runs):
    """`ports.store.Runs` in a database."""

    @override
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
        queued: bool = False,
        session: str = "",
    ) -> RunRow:
        """Store a new run, owned by this process and running.

        Raises:
            StoreError: A run with this id already exists.
            SessionTaken: Another run carries the session out.
        """
        bind = partial(bind_new, session_id=session, run_id=run_id) if session else None
        return await self._begin(run_id, caller, request, fingerprint, now, setup, origin, bind, queued=queued)

    async def _begin(
        self,
        run_id: str,
        caller: str,
        request: AnyRequest,
        fingerprint: str,
        now: float,
        setup: str,
        origin: str,
        fill: Callable[[Conn], None] | None = None,
        *,
        queued: bool,
    ) -> RunRow:
        """Store a run and what `fill` adds in one transaction, so that a process that claims it finds it complete."""
        row = RunRow(
            run_id=run_id,
            caller=caller,
            request=request,
            fingerprint=fingerprint,
            status="queued" if queued else "running",
            owner=None if queued else self._owners.owner,
            fence=0 if queued else 1,
            created=now,
            updated=now,
            setup=setup,
            origin=origin,
        )

        ours = run_id in self._owners.fences

        def insert(conn: Conn) -> bool:
            if conn.execute(NEW, values_of(row)).rowcount == 1:
                if fill:
                    fill(conn)
                return True
            # It may have been stored, completely, before the connection broke.
            found = conn.execute("SELECT owner, created FROM runs WHERE run_id = ?", (run_id,)).fetchone()
            return not ours and found is not None and tuple(found) == (row.owner, row.created)

        if not await self._database.write(insert):
            raise StoreError(f"There is a run {run_id!r} already.", "Start again: it gets another id.")
        if not queued:
            self._owners.fences[run_id] = row.fence
        return row

    @override
    async def find(
        self,
        *,
        caller: str | None = None,
        status: RunStatus | None = None,
        text: str = "",
        limit: int = 20,
        before: tuple[float, str] | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> list[RunRow]:
        """Find runs, newest first; `text` matches regardless of case, and one with a NUL matches none."""
        if "\0" in text:
            # To SQLite the pattern would end there and match every run; no question holds one.
            return []
        conditions: list[str] = []
        values: list[object] = []
        for condition, value in (("caller = ?", caller), ("created >= ?", since), ("created < ?", until)):
            if value is not None:
                conditions.append(condition)
                values.append(value)
        if text:
            pattern = f"%{escape_like(text.casefold())}%"
            if len(pattern.encode("utf-8", "replace")) > _LONGEST_PATTERN:
                return []
            conditions.append("question LIKE ? ESCAPE '!'")
            values.append(pattern)
        if before:
            conditions.append("(created, run_id) < (?, ?)")
            values.extend(before)

        def look(conn: Conn) -> list[RunRow]:
            where, wanted = of_status(self._owners, conn, status)
            whole = " AND ".join([*conditions, *where]) or "1 = 1"
            room, sql = limit, f"{SELECT} WHERE {whole} ORDER BY created DESC, run_id DESC LIMIT ?"
            while True:
                damaged.clear()
                rows = rows_of(conn.execute(sql, (*values, *wanted, room)), damaged)
                if len(rows) >= limit or len(rows) + len(damaged) < room:
                    return list(map(with_shown_status(self._owners.lately_living, conn), rows[:limit]))
                room = limit + len(damaged)

        damaged: list[str] = []
        rows = await self._database.read(look)
        for run_id in damaged:
            _log.warning("Run %s is left out: its stored data is damaged", run_id)
        return rows

    @override
    async def joinable(self, caller: str, fingerprint: str, since: float) -> RunRow | None:
        """Find a run to join; runs that are being cancelled or have lost their owner do not count."""

        def look(conn: Conn) -> RunRow | None:
            found = conn.execute(
                f"{SELECT} WHERE fingerprint = ? AND caller = ? AND ("
                "(ended IS NULL AND cancel = 0) OR (status = 'completed' AND ended > ?)"
                ") ORDER BY ended IS NOT NULL, ended DESC, created DESC, run_id DESC",
                (fingerprint, caller, since),
            )
            look = with_shown_status(self._owners.living, conn)
            return next((run for run in rows_of(found) if look(run).status != "interrupted"), None)

        return await self._database.read(look)

    @override
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
        """Change a run of this process. A run that ends enters the stage `ended` unless `stage` says otherwise."""
        ends = status in ENDED
        ours = (run_id, self._owners.owner, self._owners.fences.get(run_id))

        def change(conn: Conn) -> bool:
            found = conn.execute(conn.dialect.of(_STATE), ours).fetchone()
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
            self._owners.fences.pop(run_id, None)
        return changed

    @override
    async def owns(self, run_id: str) -> bool:
        ours = (run_id, self._owners.owner, self._owners.fences.get(run_id, -1))
        return bool(await self._database.rows(_STATE.removesuffix("$update"), *ours))

    @override
    async def fork(
        self,
        origin: str,
        run_id: str,
        request: AnyRequest,
        mark: str,
        setup: str,
        now: float,
        without: Collection[str],
        *,
        queued: bool = False,
    ) -> RunRow | None:
        row = await self.get(origin)
        if row is None:
            return None
        fill = partial(copy_steps, origin=origin, fork=run_id, without=without, now=now)
        return await self._begin(run_id, row.caller, request, mark, now, setup, origin, fill, queued=queued)

    @override
    async def delete(self, run_id: str, now: float, *, ended_before: float | None = None) -> dict[str, int] | None:
        def forget(conn: Conn) -> dict[str, int] | None:
            found = conn.execute(conn.dialect.of(_OWNER), (run_id,)).fetchone()
            if found is None or (found[1] is None and self._owners.living(conn)(found[0])):
                return None
            if ended_before is not None and not (found[1] is not None and found[1] < ended_before):
                return None
            return delete_run(conn, run_id, now)

        return await self._database.write(forget)

    @override
    async def beginning(self, prefix: str, caller: str, limit: int) -> list[str]:
        found = await self._database.rows(_BEGINNING, caller, len(prefix), prefix, limit)
        return [run_id for (run_id,) in found]

    @override
    async def ended_before(self, moment: float, now: float, limit: int) -> list[str]:
        found = await self._database.rows(_ENDED_BEFORE, moment, moment, now, limit)
        return [run_id for (run_id,) in found]

    @override
    async def request_cancel(self, run_id: str, now: float) -> bool:
        """Set the cancel flag; False if the run is unknown or has ended."""

        def ask(conn: Conn) -> bool:
            found = conn.execute(conn.dialect.of(_OWNER), (run_id,)).fetchone()
            if found is None or found[1] is not None:
                return False
            conn.execute("UPDATE runs SET cancel = 1, updated = ? WHERE run_id = ?", (now, run_id))
            if not self._owners.living(conn)(found[0]):
                # The fence rises, so that an owner wrongly taken for dead can no longer write.
                conn.execute(
                    "UPDATE runs SET status = 'cancelled', stage = 'ended', ended = ?, fence = fence + 1"
                    " WHERE run_id = ?",
                    (now, run_id),
                )
                # In the same transaction: no other process will record this event.
                end = Ended("cancelled", report=False)
                append(conn, run_id, now, end.kind, end.data())
            return True

        return await self._database.write(ask)

    @override
    async def cancel_requested(self, run_ids: Collection[str]) -> set[str]:
        found = await self._database.rows(
            f"SELECT run_id FROM runs WHERE cancel = 1 AND run_id IN {among(run_ids)}",  # noqa: S608 - question marks alone
            *run_ids,
        )
        return {run_id for (run_id,) in found}
