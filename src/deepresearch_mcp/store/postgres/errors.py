"""Translates errors of a PostgreSQL server into one sentence each, without the server's address."""

import re
from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg_pool import PoolClosed

from deepresearch_mcp.exceptions import StoreError

_URL = "DEEPRESEARCH_DATABASE_URL"
_FAULT = "This may be a fault of ours: please report it."

_ODD = "a value has characters or digits that no text or number may have."

_STATES: dict[str, tuple[str, str]] = {
    "28": ("it refused the user or the password.", f"Correct them in {_URL}."),
    "3D": ("it has no database of that name.", f"Create it (createdb), or correct the name in {_URL}."),
    "3F": ("it has no schema to write in.", f"Create the schema that search_path names, or correct {_URL}."),
    "42501": ("its user may not do that.", "Grant it the right to create and use tables in its schema."),
    "42P01": ("its tables are missing.", "Run: deepresearch-server store migrate"),
    "42P07": ("its tables do not fit the version that stands beside them.", "Put back a copy of all its tables."),
    "42703": ("its tables are older than this version.", "Run: deepresearch-server store migrate"),
    "53100": ("its disk is full; what was stored before is kept.", "Free some space on the database's machine."),
    "53200": ("it does not have enough memory.", "Give the server more, or research fewer questions at once."),
    "53300": ("it has no connection left for us.", "Raise max_connections there, or run fewer workers."),
    "25006": ("it is read-only: a replica, or configured so.", f"Name the primary server in {_URL}."),
    "57014": ("it cancelled the statement, as it took too long.", "Raise statement_timeout for this user."),
    "40": ("others kept changing the same rows.", "Try again."),
    "22": (_ODD, "Remove them and try again."),
    "23": ("the new data contradicts the stored data.", "This is a fault of ours: please report it."),
    "54": ("a text is too large to be stored.", "Leave that document out."),
}
"""Keys are SQLSTATE codes or classes (their first two characters)."""

_SAID: tuple[tuple[re.Pattern[str], tuple[str, str]], ...] = (
    (re.compile(r"password authentication failed|no password supplied|role .* does not exist|pg_hba"), _STATES["28"]),
    (re.compile(r"database .* does not exist"), _STATES["3D"]),
    (re.compile(r"too many (clients|connections)|remaining connection slots"), _STATES["53300"]),
    (re.compile(r"could not translate host name|Name or service not known"), (
        "its host name is not known.", f"Correct it in {_URL}.")),
    (re.compile(r"percent-encoded"), (
        f"{_URL} has a character that must be escaped.", "Write @ as %40, : as %3A, / as %2F and % as %25 in it.")),
    (re.compile(r"invalid (connection option|URI|port|integer)|missing \"=\"|unexpected .* in"), (
        f"{_URL} is not the address of a database.", "Write it as postgresql://USER:PASSWORD@HOST:5432/NAME.")),
    (re.compile(r"invalid response to SSL|invalid protocol|unexpected response"), (
        "the server there is not PostgreSQL.", f"Correct host and port in {_URL}.")),
    (re.compile(r"SSL|certificate"), ("no secure connection could be agreed on.", f"Check sslmode in {_URL}.")),
)  # fmt: skip
"""Patterns for failed connections, for which libpq gives only a text and no SQLSTATE."""

_AWAY = ("it cannot be reached.", f"Start it, or correct {_URL}; what was stored is kept.")
_HOPELESS = {entry[0] for _, entry in _SAID}


@contextmanager
def postgres_errors() -> Generator[None]:
    """Translate failures of the database into `StoreError`."""
    try:
        yield
    except psycopg.Error as error:
        reason, action = _told(error)
        raise StoreError(f"The PostgreSQL database cannot be used: {reason}", action) from error
    except UnicodeEncodeError as error:
        reason, action = _STATES["22"]
        raise StoreError(f"The PostgreSQL database cannot be used: {reason}", action) from error


def is_outage(error: psycopg.Error) -> bool:
    """Whether the failure may pass: the server restarts, or the network is down."""
    if isinstance(error, PoolClosed):
        return False
    state = error.sqlstate or ""
    if state:
        # Class 08: the connection failed. 57P0x: shut down by an administrator, crashed, or starting up.
        # 53300: no connection is free.
        return state.startswith("08") or state in {"57P01", "57P02", "57P03", "53300"}
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and _told(error)[0] not in _HOPELESS


def _told(error: psycopg.Error) -> tuple[str, str]:
    state = error.sqlstate or ""
    if state:
        known = _STATES.get(state) or _STATES.get(state[:2])
        if known is None and is_outage(error):
            return _AWAY
        return known or (f"it refused ({state}).", _FAULT)
    if said := next((entry for words, entry in _SAID if words.search(str(error))), None):
        return said
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return _AWAY
    if isinstance(error, psycopg.DataError):
        return _STATES["22"]
    return (f"the driver refused ({type(error).__name__}).", _FAULT)
