"""Stored sessions."""

from typing_extensions import override

from deepresearch_mcp.ports.sessions import SessionRow, Sessions, SessionTaken
from deepresearch_mcp.store.sql import Conn, Database

_NEW = (
    "INSERT INTO sessions(session_id, caller, config, created, run_id) VALUES(?, ?, ?, ?, ?)"
    " ON CONFLICT(session_id) DO NOTHING"
)
_GET = "SELECT session_id, caller, config, created, run_id FROM sessions WHERE session_id = ?"
_BIND = "UPDATE sessions SET run_id = ? WHERE session_id = ? AND run_id = ''"


def bind_new(conn: Conn, session_id: str, run_id: str) -> None:
    """Note the run that carries a session out, in the transaction that makes the run.

    Raises:
        SessionTaken: It has one, or is gone.
    """
    if conn.execute(_BIND, (run_id, session_id)).rowcount != 1:
        raise SessionTaken(session_id)


class SqlSessions(Sessions):
    """`ports.sessions.Sessions` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def create(self, row: SessionRow, expired: float) -> bool:
        await self._database.change("DELETE FROM sessions WHERE run_id = '' AND created < ?", (expired,))
        values = (row.session_id, row.caller, row.config, row.created, row.run_id)
        return await self._database.change(_NEW, values) == 1

    @override
    async def get(self, session_id: str) -> SessionRow | None:
        rows = await self._database.rows(_GET, session_id)
        return SessionRow(*rows[0]) if rows else None

    @override
    async def bind(self, session_id: str, run_id: str) -> str:
        await self._database.change(_BIND, (run_id, session_id))
        row = await self.get(session_id)
        return row.run_id if row else ""

    @override
    async def of_run(self, run_id: str) -> list[str]:
        rows = await self._database.rows("SELECT session_id FROM sessions WHERE run_id = ?", run_id)
        return [session_id for (session_id,) in rows]

    @override
    async def remove(self, session_id: str) -> bool:
        return await self._database.change("DELETE FROM sessions WHERE session_id = ?", (session_id,)) == 1
