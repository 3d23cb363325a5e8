"""Finished reports: as files, or in the database of machines without a common folder."""

import os
import re
import shutil
import tempfile
from pathlib import Path

import anyio.to_thread
from typing_extensions import override

from deepresearch_mcp.exceptions import UnknownRun
from deepresearch_mcp.ports.store import ReportFile, Reports
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.sql import Conn, Database

_WHAT = "The folder of reports"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PUT = """
INSERT INTO reports(run_id, name, text) VALUES(?, ?, ?)
ON CONFLICT(run_id, name) DO UPDATE SET text = excluded.text
"""


def report_dir(home: Path, run_id: str) -> Path:
    """The folder of a run's report, which need not exist.

    Raises:
        UnknownRun: `run_id` does not have the form of an id, so no path may be built from it.
    """
    if not _ID.fullmatch(run_id):
        raise UnknownRun(run_id)
    return home / "runs" / run_id


class FileReports(Reports):
    """`ports.store.Reports` as files: one folder per run, readable only by the user."""

    def __init__(self, home: Path) -> None:
        self._home = home

    @override
    def place(self, run_id: str) -> str:
        return str(report_dir(self._home, run_id))

    @override
    async def write(self, run_id: str, markdown: str, json_text: str) -> None:
        """Write both files; each is complete or missing, even if the machine stops in between.

        Raises:
            StoreError: The disk is full, or the directory is not writable.
        """
        folder = report_dir(self._home, run_id)

        def write() -> None:
            with store_errors(_WHAT):
                folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                folder.mkdir(mode=0o700, exist_ok=True)
                _replace(folder / "report.md", markdown)
                _replace(folder / "report.json", json_text)

        await anyio.to_thread.run_sync(write)

    @override
    async def read(self, run_id: str, name: ReportFile) -> str | None:
        """Read one format of a report; None if it does not exist.

        Raises:
            StoreError: The file exists but cannot be read.
        """
        path = report_dir(self._home, run_id) / name

        def read() -> str | None:
            with store_errors(_WHAT):
                try:
                    return path.read_text(encoding="utf-8")
                except FileNotFoundError:
                    return None

        return await anyio.to_thread.run_sync(read)

    @override
    async def remove(self, run_id: str) -> bool:
        """Delete a report; False if it did not exist.

        Raises:
            StoreError: The folder exists but cannot be removed.
        """
        folder = report_dir(self._home, run_id)

        def remove() -> bool:
            with store_errors(_WHAT):
                try:
                    shutil.rmtree(folder)
                except FileNotFoundError:
                    return False
                return True

        return await anyio.to_thread.run_sync(remove)


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
        return await self._database.read(lambda conn: report_in(conn, run_id, name))

    @override
    async def remove(self, run_id: str) -> bool:
        def forget(conn: Conn) -> bool:
            return conn.execute("DELETE FROM reports WHERE run_id = ?", (run_id,)).rowcount > 0

        return await self._database.write(forget)


def report_in(conn: Conn, run_id: str, name: ReportFile) -> str | None:
    """One form of a report; None if there is none."""
    found = conn.execute("SELECT text FROM reports WHERE run_id = ? AND name = ?", (run_id, name)).fetchone()
    return found[0] if found else None


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _replace(path: Path, text: str) -> None:
    # mkstemp creates the file with mode 0600.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with open(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        # On a full disk or at the end of the process, no half-written file may stay beside the reports.
        Path(name).unlink(missing_ok=True)
        raise
