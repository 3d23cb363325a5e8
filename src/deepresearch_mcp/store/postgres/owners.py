"""Tells which processes are alive on all machines of a database: an open store holds an advisory lock in a session.

The server releases the lock when the session ends: moments after a kill -9, and within half a minute after a machine
disappears.
"""

import logging
import uuid
from collections.abc import Callable
from contextlib import suppress

import anyio
import anyio.to_thread
import psycopg
from typing_extensions import override

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.store.postgres.connection import connect_postgres
from deepresearch_mcp.store.postgres.errors import postgres_errors
from deepresearch_mcp.store.sql import Conn, Owners

_log = logging.getLogger(__name__)

_BEAT = 1.0
"""Seconds between checks that our own session still exists."""
GRACE = 5.0
"""Seconds after the server's start in which no process counts as dead, since all must take their locks again."""

# One question, as it is asked with each look at a run: the first row is there while the server is young.
_HELD = """
SELECT -1, -1 WHERE EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time()) < ?
UNION ALL SELECT classid::bigint, objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_YOUNG = (-1, -1)
_LATELY = 1.0
"""Seconds for which readers are shown an owner as alive that was found alive."""


class PostgresOwners(Owners):
    """`store.sql.Owners` with advisory locks. `keep` must run as long as the store is open."""

    def __init__(self, url: str, clock: Clock, grace: float) -> None:
        self.owner = uuid.uuid4().hex
        self.fences: dict[str, int] = {}
        self._url = url
        self._clock = clock
        self._grace = grace
        self._session: psycopg.Connection | None = None
        self._seen: tuple[float, Callable[[str | None], bool]] = (-_LATELY, lambda _: False)
        """When the owners were looked for, and which were alive."""

    @override
    def living(self, conn: Conn) -> Callable[[str | None], bool]:
        held = {(high, low) for high, low in conn.execute(_HELD, (self._grace,)).fetchall()}
        if _YOUNG in held:
            return lambda owner: owner is not None
        return lambda owner: owner is not None and (owner == self.owner or _parts(owner) in held)

    @override
    def lately_living(self, conn: Conn) -> Callable[[str | None], bool]:
        exact: Callable[[str | None], bool] | None = None

        def lives(owner: str | None) -> bool:
            nonlocal exact
            if exact is None:
                now, (then, lived) = self._clock.monotonic(), self._seen
                if now - then < _LATELY and lived(owner):
                    return True
                # One that was not there may have begun since.
                exact = self.living(conn)
                self._seen = now, exact
            return exact(owner)

        return lives

    async def take(self) -> None:
        """Take the lock that proves that this process is alive.

        Raises:
            StoreError: The database cannot be reached.
        """
        with postgres_errors():
            await anyio.to_thread.run_sync(self._take)

    async def keep(self) -> None:
        """Take the lock again whenever its session is lost; runs until cancelled."""
        while True:
            await self._clock.sleep(_BEAT)
            try:
                await anyio.to_thread.run_sync(self._beat)
            except psycopg.Error as error:
                _log.warning("The session that proves that this process is alive is lost: %s", type(error).__name__)
                await self._again()

    async def _again(self) -> None:
        try:
            await anyio.to_thread.run_sync(self._take)
        except psycopg.Error:
            return  # The next beat fails too and tries again.
        _log.info("The session that proves that this process is alive is restored")

    def release(self) -> None:
        """Release the lock and close its session."""
        session, self._session = self._session, None
        if session is not None:
            with suppress(psycopg.Error):
                # Other processes notice the end of a session only after moments, but an unlock at once.
                session.execute("SELECT pg_advisory_unlock_all()")
            session.close()

    def _take(self) -> None:
        self.release()
        session = connect_postgres(self._url, application_name="deepresearch-mcp")
        try:
            for name, value in (("idle", 10), ("interval", 5), ("count", 3)):
                # So that the server notices if our machine disappears.
                session.execute(f"SET tcp_keepalives_{name} = {value}".encode())
            session.execute("SET idle_session_timeout = 0")
            session.execute("SELECT pg_advisory_lock(%s)", (_signed(self.owner),))
        except BaseException:
            # After any failure: a session left open could hold the lock and make a dead owner look alive.
            session.close()
            raise
        self._session = session

    def _beat(self) -> None:
        if self._session is None:
            raise psycopg.OperationalError("there is none")
        self._session.execute("SELECT 1")


def _parts(owner: str) -> tuple[int, int]:
    """The two halves under which `pg_locks` shows an owner's lock: the first 64 of its 128 bits."""
    return int(owner[:8], 16), int(owner[8:16], 16)


def _signed(owner: str) -> int:
    return int.from_bytes(bytes.fromhex(owner[:16]), signed=True)
