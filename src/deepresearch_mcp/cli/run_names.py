"""Finds the run that a user names by its id, by the beginning of it, or as `last`."""

from typing import TYPE_CHECKING

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.records.principal import LOCAL_CALLER

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs

LAST = "last"
SHORTEST = 3
"""Fewest characters that name a run; a typing error could match with fewer."""
_SHOWN = 3


def short_id(run_id: str) -> str:
    """Return the first 8 characters of an id: 40 bits, which almost certainly name one run of a million."""
    return run_id[:8]


async def whole_id(jobs: "Jobs", name: str) -> str:
    """Return the whole id of the run that `name` names.

    Only for the command line, where all runs belong to one person. Elsewhere an id is a secret and must be given whole.

    Raises:
        UnknownRun: No run's id begins with the name.
        InvalidRequest: The ids of several runs do, or the name is `last` and there is no run.
    """
    name = name.strip().lower()
    if name == LAST:
        rows = await jobs.find(limit=1)
        if not rows:
            raise InvalidRequest("There is no run yet.", "Start one with `research`.")
        return rows[0].run_id
    found = await jobs.runtime.store.runs.beginning(name, LOCAL_CALLER, _SHOWN + 1) if name and name.isascii() else []
    if name in found:
        return name
    if not found or len(name) < SHORTEST:
        raise UnknownRun(name)
    if len(found) > 1:
        several = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise InvalidRequest(f"Several runs begin with {name!r}: {several}.", "Give more of the id.")
    return found[0]
