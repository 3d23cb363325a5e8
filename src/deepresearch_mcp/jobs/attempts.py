"""Starts a new attempt at a run that has ended or lost its server: resume, rebuild or fork."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import anyio

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import fingerprint, new_run_id
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import Limits, ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow

_KNOWN_BY = 200
"""Characters of a question by which its runs are looked for."""
_LATEST = 50


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
    again: Collection[str] = (),
    join: bool = False,
) -> RunRow:
    """Start a run that shares an ended run's steps before `stage` and repeats that stage and the later ones.

    Args:
        jobs: Those of this process, which carries it out.
        run_id: The run it is a fork of.
        stage: The first to be repeated.
        changes: Arguments of `deep_research` to change, such as `drafts` or `model`; None: unchanged.
        caller: To whom the run belongs.
        asks: The surface can show its user questions; the forked run's surface is not asked.
        again: Kinds of steps before `stage` that are repeated too.
        join: Return the live run of the same request, or the fork that has a report, instead of a second one.

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
    # Another model takes the place of those that were named for single roles too.
    left = {"asks", "fresh", *(("roles",) if "model" in given else ())}
    request = checked_request({**row.request.model_dump(exclude=left), **given}, asks=asks)
    runtime = jobs.runtime
    await runtime.check(request, caller)
    await background_of(request, partial(jobs.result, caller=caller))
    name, mark, without = new_run_id(), fingerprint(request, caller), (*again, *steps.kinds_from(stage))
    async with jobs.starting:
        if join and (known := await jobs.joined(mark, caller, 0.0)) and known.ended is None:
            return known
        if join and (known := await fork_of(jobs, row, mark)):
            return known
        now, begin = runtime.clock.now().timestamp(), runtime.store.runs.fork
        with anyio.CancelScope(shield=True):
            made = await begin(row.run_id, name, request, mark, runtime.setup, now, without, queued=True)
            if made:
                return await jobs.queued(made)
    raise UnknownRun(run_id)


async def fork_of(jobs: Jobs, origin: RunRow, mark: str) -> RunRow | None:
    """The newest fork of a run with this fingerprint that lasts or has its report; None if there is none."""
    rows = await jobs.find(origin.caller, text=origin.request.question[:_KNOWN_BY], limit=_LATEST)
    alike = (row for row in rows if row.origin == origin.run_id and row.fingerprint == mark)
    return next((row for row in alike if row.status not in {"failed", "cancelled"}), None)
