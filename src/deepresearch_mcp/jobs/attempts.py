"""Starts a new attempt at a run that has ended or lost its server: resume, rebuild or fork."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import LOCAL_CALLER, fingerprint, new_run_id
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.request import Limits, ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow


async def resume_run(
    jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER, *, limits: Limits | None = None, complete: bool = False
) -> RunRow:
    """Resume a run that is queued, was interrupted, or ended as partial, failed or cancelled.

    Finished steps are not repeated. `limits` replace ceilings of the run; its earlier use counts against them. With
    `complete` a complete run is resumed too; all its steps are done, so only its report is rebuilt.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run is complete, waits for a reply, or a process is working on it.
    """
    runtime = jobs.runtime
    async with jobs.starting:
        row = await jobs.get(run_id, caller)
        await jobs.settle()
        request = row.request.model_copy(update=(limits or Limits()).over(row.request))
        await background_of(request, partial(jobs.result, caller=caller))
        await runtime.check(request, caller)
        now, revive = runtime.clock.now().timestamp(), runtime.store.runs.revive
        with anyio.CancelScope(shield=True):
            again = await revive(row.run_id, request, runtime.setup, now, complete=complete)
            if again:
                return await jobs.queued(again)
    if row.status == "input_required":
        raise InvalidRequest(f"Run {row.run_id} waits for an answer.", "Give it with continue_research.")
    state = "is complete" if row.status == "completed" else "is being worked on"
    raise InvalidRequest(
        f"Run {row.run_id} {state}, so there is nothing to resume.",
        "Read it with get_report, or start anew with fresh=true.",
    )


async def fork_run(
    jobs: Jobs,
    run_id: str,
    stage: steps.Stage,
    changes: Mapping[str, Any] | None = None,
    caller: str = LOCAL_CALLER,
    *,
    asks: bool = False,
) -> RunRow:
    """Start a run that shares an ended run's steps before `stage` and repeats that stage and the later ones.

    Args:
        jobs: The jobs of this process.
        run_id: The run to fork.
        stage: The first stage to repeat.
        changes: Arguments of `deep_research` to change, such as `drafts` or `model`; a value of None changes nothing.
        caller: The owner of the run.
        asks: Whether this call's surface can show its user questions; the setting of the forked run is ignored.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run has not ended, is not a research, or a change is invalid.
    """
    row = await jobs.get(run_id, caller)
    if not isinstance(row.request, ResearchRequest):
        raise InvalidRequest(f"Run {row.run_id} is a check of citations, which cannot be forked.", "Start a new check.")
    if row.status not in ENDED:
        raise InvalidRequest(f"Run {row.run_id} has not ended.", "Wait for its report, or cancel it.")
    given = {name: value for name, value in (changes or {}).items() if value is not None}
    request = checked_request({**row.request.model_dump(exclude={"asks"}), **given}, asks=asks)
    runtime = jobs.runtime
    await runtime.check(request, caller)
    await background_of(request, partial(jobs.result, caller=caller))
    name, mark, without = new_run_id(), fingerprint(request, caller), steps.kinds_from(stage)
    async with jobs.starting:
        now, begin = runtime.clock.now().timestamp(), runtime.store.runs.fork
        with anyio.CancelScope(shield=True):
            made = await begin(row.run_id, name, request, mark, runtime.setup, now, without, queued=True)
            if made:
                return await jobs.queued(made)
    raise UnknownRun(run_id)
