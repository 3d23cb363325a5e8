"""Copies the store of one machine into a shared database."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.records.sources import Document, DocumentCard
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.connection import connect_sqlite
from deepresearch_mcp.store.documents import put_reading, with_text
from deepresearch_mcp.store.errors import store_errors
from deepresearch_mcp.store.locks import owner_lives
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.reports import report_dir
from deepresearch_mcp.store.sql import Conn

_OF_A_RUN: dict[str, str] = {
    "steps": "run_id, key, kind, status, attempt, fence, needs, request, result, error, cost, started, ended, used",
    "claims": "run_id, claim_id, claim",
    "events": "run_id, at, kind, data, hash",
    "inquiries": "run_id, inquiry_id, asked, inquiry, replied, reply",
    "webhooks": "run_id, url, state, attempts, due, reason",
    "shares": "share_id, digest, run_id, created, expires, revoked",
    "prompts": "run_id, key, at, model, role, system, prompt",
}
_RUN = (
    "run_id, caller, question, request, fingerprint, status, stage, owner, fence, cancel, created, updated, ended, "
    "error, progress, setup, origin, deaths, dying, handed"
)
_BY_THEMSELVES: dict[str, tuple[str, str]] = {
    "judgements": ("subject, verdict, reason, judge, kept", "subject"),
    "answers": ("subject, hits, kept, most", "subject"),
    "vectors": ("snapshot, first, beyond, model, vector", "snapshot, first, beyond, model"),
    "sessions": ("session_id, caller, config, created, run_id", "session_id"),
    "spent": ("run_id, key, fence, caller, at, used", "run_id, key"),
}
_REPORTS = ("report.md", "report.json")


@dataclass(slots=True)
class Moved:
    """Counts of what was copied and what already existed."""

    copied: dict[str, int] = field(default_factory=dict[str, int])
    """Kind of row, such as `runs` or `pages` → number copied."""
    known: int = 0
    """Runs that the database already had; they are unchanged."""

    def count(self, word: str, number: int = 1) -> None:
        """Add to the number of copied rows of one kind."""
        if number:
            self.copied[word] = self.copied.get(word, 0) + number


def copy_file(home: Path, target: Conn, emit: Callable[[int, int], None]) -> Moved:
    """Copy everything in a data directory. The source file changes only by migration to the newest schema.

    Each run is copied in one transaction, and runs that the database already has are skipped, so an interrupted copy
    can be repeated. `emit` is called with the number of runs done and the total.

    Raises:
        StoreError: The file is missing, or a process is working on one of its runs.
    """
    if not (home / FILE).is_file():
        raise StoreError(f"There is no {FILE} in {home}.", "Name the data directory with --from.")
    with store_errors(FILE), closing(connect_sqlite(str(home / FILE))) as source:
        schema.apply_migrations(source)
        _check_idle(source, home)
        moved = Moved()
        runs = [run_id for (run_id,) in source.execute("SELECT run_id FROM runs ORDER BY created, run_id").fetchall()]
        for number, run_id in enumerate(runs):
            emit(number, len(runs))
            _copy_run(source, target, home, run_id, moved)
        emit(len(runs), len(runs))
        _copy_collections(source, target, moved)
        _copy_cache(source, target, moved)
        for table, (columns, key) in _BY_THEMSELVES.items():
            _copy_rows(source, target, table, columns, moved, conflict=f"ON CONFLICT({key}) DO NOTHING")
    return moved


def _check_idle(source: Conn, home: Path) -> None:
    live = source.execute("SELECT run_id, owner FROM runs WHERE ended IS NULL").fetchall()
    busy = [run_id for run_id, owner in live if owner_lives(home / "locks", owner)]
    if busy:
        count = f"{len(busy)} runs are" if len(busy) > 1 else f"Run {busy[0]} is"
        raise StoreError(f"{count} being worked on.", "Wait until the work ends, or cancel it, then copy.")


def _copy_run(source: Conn, target: Conn, home: Path, run_id: str, moved: Moved) -> None:
    with target.transaction():
        row = source.execute(f"SELECT {_RUN} FROM runs WHERE run_id = ?", (run_id,)).fetchone()  # noqa: S608 - our own columns
        made = target.execute(f"{_insert('runs', _RUN)} ON CONFLICT(run_id) DO NOTHING", row).rowcount
        if not made:
            moved.known += 1
            return
        moved.count("runs")
        for table, columns in _OF_A_RUN.items():
            _copy_rows(source, target, table, columns, moved, of=run_id)
        for document in _read(source, run_id):
            put_reading(target, document, run_id=run_id)
            moved.count("pages")
        for name in _REPORTS:
            path = report_dir(home, run_id) / name
            if path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                target.execute("INSERT INTO reports(run_id, name, text) VALUES(?, ?, ?)", (run_id, name, text))
                moved.count("reports", int(name == _REPORTS[0]))


def _copy_collections(source: Conn, target: Conn, moved: Moved) -> None:
    own = "collection_id, owner, name, shared, path, updated"
    for row in source.execute(f"SELECT {own} FROM collections ORDER BY collection_id").fetchall():  # noqa: S608 - our own columns
        files = source.execute(
            "SELECT f.path, f.size, f.modified_ns, f.content, f.facts, r.card, d.text FROM collection_files f"
            " JOIN readings r ON r.number = f.reading JOIN documents d ON d.snapshot = r.snapshot"
            " WHERE f.collection_id = ?",
            (row[0],),
        ).fetchall()
        with target.transaction():
            if not target.execute(f"{_insert('collections', own)} ON CONFLICT DO NOTHING", row).rowcount:
                continue
            moved.count("collections")
            for *stamp, card, text in files:
                reading = put_reading(target, _whole(card, text), collection=row[0])
                columns = "collection_id, path, size, modified_ns, content, facts, reading"
                target.execute(_insert("collection_files", columns), (row[0], *stamp, reading))


def _copy_cache(source: Conn, target: Conn, moved: Moved) -> None:
    rows = source.execute(
        "SELECT c.url, c.validators, c.kept, r.card, d.text FROM cache c JOIN readings r ON r.number = c.reading"
        " JOIN documents d ON d.snapshot = r.snapshot ORDER BY c.url"
    ).fetchall()
    for url, validators, kept, card, text in rows:
        with target.transaction():
            if target.execute("SELECT 1 FROM cache WHERE url = ?", (url,)).fetchone():
                continue
            reading = put_reading(target, _whole(card, text))
            target.execute(_insert("cache", "url, reading, validators, kept"), (url, reading, validators, kept))
            moved.count("cached pages")


def _copy_rows(
    source: Conn, target: Conn, table: str, columns: str, moved: Moved, *, of: str = "", conflict: str = ""
) -> None:
    where, values = ("WHERE run_id = ? ORDER BY number", (of,)) if of else ("", ())
    rows = source.execute(f"SELECT {columns} FROM {table} {where}", values).fetchall()  # noqa: S608 - our own tables
    if rows:
        moved.count(table, target.executemany(f"{_insert(table, columns)} {conflict}", rows).rowcount)


def _read(source: Conn, run_id: str) -> list[Document]:
    found = source.execute(
        "SELECT r.card, d.text FROM readings r JOIN documents d ON d.snapshot = r.snapshot"
        " WHERE r.run_id = ? ORDER BY r.number",
        (run_id,),
    )
    return [_whole(card, text) for card, text in found]


def _whole(card: str, text: str) -> Document:
    return with_text(DocumentCard.model_validate_json(card), text)


def _insert(table: str, columns: str) -> str:
    return f"INSERT INTO {table}({columns}) VALUES({', '.join('?' * len(columns.split(',')))})"
