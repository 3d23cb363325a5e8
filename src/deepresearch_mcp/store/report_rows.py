"""Finished reports in the database, for machines that share no folder."""

from typing_extensions import override

from deepresearch_mcp.ports.store import ReportFile, Reports
from deepresearch_mcp.store.sql import Conn, Database

_PUT = """
INSERT INTO reports(run_id, name, text) VALUES(?, ?, ?)
ON CONFLICT(run_id, name) DO UPDATE SET text = excluded.text
"""


class SqlReports(Reports):
    """`ports.store.Reports` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    def place(self, run_id: str) -> str:
        del run_id
        return ""

    @override
    async def write(self, run_id: str, markdown: str, json_text: str) -> None:
        """Write both formats, or neither."""
        rows = [(run_id, "report.md", _clean(markdown)), (run_id, "report.json", _clean(json_text))]
        await self._database.write(lambda conn: conn.executemany(_PUT, rows))

    @override
    async def read(self, run_id: str, name: ReportFile) -> str | None:
        found = await self._database.rows("SELECT text FROM reports WHERE run_id = ? AND name = ?", run_id, name)
        return found[0][0] if found else None

    @override
    async def remove(self, run_id: str) -> bool:
        def forget(conn: Conn) -> bool:
            return conn.execute("DELETE FROM reports WHERE run_id = ?", (run_id,)).rowcount > 0

        return await self._database.write(forget)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
