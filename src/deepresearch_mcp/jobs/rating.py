"""Keeps how its user rates a run."""

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.ports.figures import Rated, Rating
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import ENDED
from deepresearch_mcp.text.markdown import visible

LONGEST_NOTE = 2_000
"""Characters of a note."""


async def rate_run(jobs: Jobs, run_id: str, rated: Rated, note: str = "", caller: str = LOCAL_CALLER) -> Rating:
    """Rate a run that has ended; a later rating replaces an earlier one. The note is deleted with the run.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run has not ended, or the note is too long.
    """
    row = await jobs.get(run_id, caller)
    if row.status not in ENDED:
        raise InvalidRequest(f"Run {row.run_id} has not ended.", "Rate it when it has its report.")
    if len(note) > LONGEST_NOTE:
        raise InvalidRequest(
            f"The note has {len(note)} characters.", f"Write at most {LONGEST_NOTE}; the rest belongs elsewhere."
        )
    await jobs.settle()
    rating = Rating(rated, visible(note).strip(), jobs.runtime.clock.now().timestamp())
    await jobs.runtime.store.figures.rate(row.run_id, rating)
    return rating
