"""Which collections a caller sees: its own, and those that the operator shares with all."""

from collections.abc import Collection

from deepresearch_mcp.exceptions import InvalidRequest, UnknownCollection
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.store.sql import Conn


def visible(conn: Conn, caller: str) -> dict[str, str]:
    """The ids of the collections that a caller sees, by name. Its own hides a shared one of the same name."""
    rows = conn.execute(
        "SELECT name, collection_id FROM collections WHERE owner = ? OR shared = 1 ORDER BY owner = ?, owner DESC",
        (caller, caller),
    )
    return dict(rows.fetchall())


def names_by_id(conn: Conn, caller: str, names: Collection[str] | None) -> dict[str, str]:
    """The names of these collections by their ids, of those that the caller sees; None: of all it sees."""
    ids = visible(conn, caller)
    return {ids[name]: name for name in (ids if names is None else names) if name in ids}


def id_of_own(conn: Conn, caller: str, name: str) -> str | None:
    """The id of a collection that the caller may change; None if there is none of this name.

    Raises:
        InvalidRequest: The name is that of a collection which is shared with this caller.
    """
    found = conn.execute(
        "SELECT collection_id FROM collections WHERE owner = ? AND name = ?", (caller, name)
    ).fetchone()
    if found is None and name in visible(conn, caller):
        raise InvalidRequest(
            f"Collection {name!r} is shared by the operator of this service, who alone can change it.",
            "Choose another name, or ask the operator.",
        )
    return found and found[0]


def check_known(conn: Conn, caller: str, names: Collection[str]) -> None:
    """Refuse names of collections that this caller does not see.

    Raises:
        UnknownCollection: The error lists those it sees.
    """
    there = sorted(visible(conn, caller))
    if missing := [name for name in names if name not in there]:
        have = f"There are: {', '.join(there)}." if there else "There is none yet."
        # A caller of a service cannot give its commands.
        adding = " Add a folder with `deepresearch-server library add FOLDER --name NAME`."
        how = adding if caller == LOCAL_CALLER else ""
        raise UnknownCollection(f"There is no collection {missing[0][:60]!r}.", f"{have}{how}")
