"""Digests, which no model wrote, and the full report that a client's own model writes from one."""

from deepresearch_mcp.jobs.attempts import fork_of, fork_run
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import fingerprint
from deepresearch_mcp.llm.client import CLIENT
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow
from deepresearch_mcp.thinkers.base import EXTRACTIVE


def is_digest(run: Run) -> bool:
    """Whether this is an ended research that no model worked on."""
    return (
        run.status in ENDED
        and run.provenance is not None
        and run.provenance.thinker == EXTRACTIVE
        # A check of citations has no effort.
        and "effort" in run.provenance.request
    )


def lacked_a_model(run: Run, use: str) -> bool:
    """Whether a digest is one only because no model is configured; `use` is the setting `model.use`."""
    request = run.provenance.request if run.provenance else {}
    return is_digest(run) and use == request.get("model") == "auto"


async def written_by_client(jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER) -> RunRow:
    """Start the run in which the client's model writes the report of a digest, or return the one there is.

    It shares the digest's plan, the answers of its engines and its pages. Only what was read in which order is decided
    anew: the client reads all pages of a round together.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It has not ended, or is no research.
    """
    return await fork_run(jobs, run_id, "reader", {"model": CLIENT}, caller, again=steps.PACED, join=True)


async def client_run_of(jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER) -> RunRow | None:
    """The run that writes the report of a digest, or has written it; None if there is none."""
    row = await jobs.get(run_id, caller)
    if not isinstance(row.request, ResearchRequest):
        return None
    mark = fingerprint(row.request.model_copy(update={"model": CLIENT}), caller)
    found = await jobs.runtime.store.runs.joinable(caller, mark, 0.0)
    return found if found and found.ended is None else await fork_of(jobs, row, mark)
