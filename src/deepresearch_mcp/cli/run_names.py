"""How a person names a run: by its id, by the beginning of it, or as `last`."""

from typing import TYPE_CHECKING

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs

LAST = "last"
SHORTEST = 3
"""Fewest characters of an id that name a run; with fewer a typing error could."""
_SHOWN = 3


def short_id(run_id: str) -> str:
    """The beginning of an id that is enough to name the run: of a million runs, no other begins with these 40 bits."""
    return run_id[:8]


async def whole_id(jobs: "Jobs", name: str) -> str:
    """The whole id of the run that is named.

    For the command line alone, where all runs are one person's: elsewhere an id is a secret, and is given whole.

    Raises:
        UnknownRun: No run begins like this.
        InvalidRequest: Several runs do, or there is none yet.
    """
    name = name.strip().lower()
    if name == LAST:
        rows = await jobs.find(limit=1)
        if not rows:
            raise InvalidRequest("There is no run yet.", "Start one with `research`.")
        return rows[0].run_id
    found = (
        await jobs.runtime.store.runs.beginning(name, lazy.naming.LOCAL_CALLER, _SHOWN + 1)
        if name and name.isascii()
        else []
    )
    if name in found:
        return name
    if not found or len(name) < SHORTEST:
        raise UnknownRun(name)
    if len(found) > 1:
        several = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise InvalidRequest(f"Several runs begin with {name!r}: {several}.", "Give more of the id.")
    return found[0]
