import errno
import os
import sqlite3
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.errors import store_errors


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "access is denied"),
        (errno.EROFS, "it is on a read-only disk"),
        (errno.ENOTDIR, "leads through a file"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_what_the_system_refuses_is_one_sentence_with_what_to_do_and_no_path(number: int, sentence: str) -> None:
    with pytest.raises(StoreError) as caught, store_errors("The data directory"):
        raise OSError(number, os.strerror(number), "/home/somebody/secret")

    assert sentence in caught.value.message
    assert "DEEPRESEARCH_HOME" in caught.value.action
    assert "/home" not in str(caught.value)


def test_a_system_error_without_a_number_still_has_a_name() -> None:
    with pytest.raises(StoreError, match="The file cannot be used: TimeoutError"), store_errors("The file"):
        raise TimeoutError


def test_a_file_that_is_no_database_is_told_from_one_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("This is no database, but it is long enough to be read as one." * 99)

    with (
        pytest.raises(StoreError, match=r"text\.db cannot be used: it is not one of our databases"),
        store_errors("text.db"),
    ):
        sqlite3.connect(tmp_path / "text.db").execute("SELECT * FROM runs")
    with pytest.raises(StoreError, match=r"x\.db cannot be used: it cannot be opened"), store_errors("x.db"):
        sqlite3.connect(tmp_path / "text.db" / "x.db")


def test_a_read_only_database_says_so(tmp_path: Path) -> None:
    conn = sqlite3.connect(tmp_path / "x.db")
    conn.execute("PRAGMA query_only=ON")

    with pytest.raises(StoreError, match="it is read-only"), store_errors("x.db"):
        conn.execute("CREATE TABLE t(x)")
    conn.close()


def test_a_lock_held_too_long_names_the_other_process(tmp_path: Path) -> None:
    holder, waiter = sqlite3.connect(tmp_path / "x.db"), sqlite3.connect(tmp_path / "x.db", timeout=0)
    holder.execute("BEGIN EXCLUSIVE")

    with pytest.raises(StoreError, match="another process has kept it locked"), store_errors("x.db"):
        waiter.execute("BEGIN IMMEDIATE")
    holder.close()
    waiter.close()


def test_an_error_no_one_foresaw_keeps_its_name() -> None:
    with pytest.raises(StoreError, match=r"refused \(SQLITE_ERROR\)"), store_errors("x.db"):
        sqlite3.connect(":memory:").execute("SELECT FROM")
    with pytest.raises(StoreError, match=r"refused \(ProgrammingError\)"), store_errors("x.db"):
        sqlite3.connect(":memory:").execute("SELECT ?")


@pytest.mark.parametrize("value", ["\ud800", 1 << 64])
def test_a_value_that_no_database_holds_is_refused_in_a_sentence(value: object) -> None:
    with pytest.raises(StoreError, match="cannot hold a value"), store_errors("x.db"):
        sqlite3.connect(":memory:").execute("SELECT ?", (value,))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("SQLITE_IOERR_SHMSIZE", "the disk is full; what was stored before is kept"),
        ("SQLITE_IOERR_READ", "the disk failed to read or write"),
        ("SQLITE_FULL", "the disk is full"),
    ],
)
def test_a_disk_that_is_full_is_told_from_one_that_fails(code: str, sentence: str) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = code

    with pytest.raises(StoreError, match=sentence), store_errors("x.db"):
        raise error
