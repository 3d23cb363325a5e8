"""Translates errors of disks and SQLite into one sentence each."""

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from deepresearch_mcp.exceptions import StoreError

_FREE_SPACE = "Free some space, or set DEEPRESEARCH_HOME to a directory with more."
_ALLOW = "Give yourself the right to write there, or set DEEPRESEARCH_HOME to another directory."
_ELSEWHERE = "Set DEEPRESEARCH_HOME to a directory that can be used."

_SQLITE: dict[str, tuple[str, str]] = {
    "FULL": ("the disk is full; what was stored before is kept.", _FREE_SPACE),
    # The shared-memory index of the write-ahead log could not grow by its 32 kB.
    "IOERR_SHMSIZE": ("the disk is full; what was stored before is kept.", _FREE_SPACE),
    "NOTADB": (
        "it is not one of our databases, or it is damaged.",
        "Move it away and a new one is made, or set DEEPRESEARCH_HOME to another directory.",
    ),
    "CORRUPT": (
        "the database is damaged.",
        "Put back a copy, or move it away and a new one is made; finished reports lie beside it in runs/.",
    ),
    "READONLY": ("it is read-only.", _ALLOW),
    "PERM": ("access is denied.", _ALLOW),
    "AUTH": ("access is denied.", _ALLOW),
    "CANTOPEN": ("it cannot be opened.", _ALLOW),
    "BUSY": ("another process has kept it locked for too long.", "Try again once that process is done, or end it."),
    "LOCKED": ("another process has kept it locked for too long.", "Try again once that process is done, or end it."),
    "IOERR": (
        "the disk failed to read or write.",
        "Check the disk, or set DEEPRESEARCH_HOME to a directory on another.",
    ),
    "NOMEM": ("there is not enough memory.", "Close other programs, or research fewer questions at once."),
    "CONSTRAINT": ("the new data contradicts the stored data.", "This is a fault of ours: please report it."),
    "TOOBIG": ("a text is too large to be stored.", "Leave that document out."),
}
"""Keys are result codes without `SQLITE_`; the extended code is looked up first, then the primary one."""

_OS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: _SQLITE["FULL"],
    errno.EDQUOT: ("the quota for your files is used up.", _FREE_SPACE),
    errno.EACCES: ("access is denied.", _ALLOW),
    errno.EPERM: ("access is denied.", _ALLOW),
    errno.EROFS: ("it is on a read-only disk.", _ELSEWHERE),
    errno.ENOTDIR: ("its path leads through a file, not a directory.", _ELSEWHERE),
    errno.EEXIST: ("there is a file where a directory is needed.", _ELSEWHERE),
    errno.EISDIR: ("there is a directory where a file is needed.", _ELSEWHERE),
    errno.ENAMETOOLONG: ("its path is too long.", _ELSEWHERE),
}


@contextmanager
def store_errors(what: str) -> Generator[None]:
    """Translate failures of `what` (a file name, or "The data directory") into `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _of_sqlite(what, error) from error
    except OSError as error:
        reason, action = _OS.get(error.errno or 0, (f"{error.strerror or type(error).__name__}.", _ELSEWHERE))
        raise StoreError(f"{what} cannot be used: {reason}", action) from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise StoreError(
            f"{what} cannot hold a value: it has characters or digits that no text or number may have.",
            "Remove them and try again.",
        ) from error


def _of_sqlite(what: str, error: sqlite3.Error) -> StoreError:
    code: str = getattr(error, "sqlite_errorname", "") or type(error).__name__
    name = code.removeprefix("SQLITE_")
    unknown = (f"the database refused ({code}).", "This may be a fault of ours: please report it.")
    reason, action = _SQLITE.get(name) or _SQLITE.get(name.split("_")[0]) or unknown
    return StoreError(f"{what} cannot be used: {reason}", action)
