"""More lives for a run that has ended or lost its server: it is gone on with, made again, or forked."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, get_args

import anyio

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.asking import request_of
from deepresearch_mcp.jobs.background import background_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import LOCAL_CALLER, fingerprint, new_run_id
from deepresearch_mcp.records.request import Limits, ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow

ForkStage = Literal["planner", "searcher", "reader", "verifier", "analyst", "writer"]

STEPS: Mapping[ForkStage, tuple[str, ...]] = MappingProxyType(
    {
        "planner": ("estimate", "plan"),
        "searcher": ("search", "earlier", "fuse", "admit", "batch", "fetch"),
        "reader": ("unread", "shown", "read", "follow"),
        "verifier": ("verify", "pairs", "compare"),
        "analyst": ("assess", "reflect", "pace", "gaps"),
        "writer": ("outline", "write", "critique", "revise", "conclude", "audit", "direct"),
    }
)
"""What the keys of each stage's steps begin with; a stage's are followed by those of the stages behind it."""


def steps_from(stage: ForkStage) -> tuple[str, ...]:
    """What the keys begin with of all steps that a fork from this stage does anew."""
    stages = get_args(ForkStage)
    return tuple(prefix for one in stages[stages.index(stage) :] for prefix in STEPS[one])


async def resume(
    jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER, *, limits: Limits | None = None, complete: bool = False
) -> RunRow:
    """Go on with a run that is queued, was interrupted, or ended before it was complete: partial, failed, cancelled.

    What is done is not done again. `limits` replace ceilings of the run; they count what it has used before. With
    `complete` a complete run is taken too: as all its steps are done, only its report is made again.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It is complete, or somebody works on it.
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
        f"Run {row.run_id} {state}, so there is nothing to go on with.",
        "Read it with get_report, or start anew with fresh=true.",
    )


async def fork(
    jobs: Jobs,
    run_id: str,
    stage: ForkStage,
    changes: Mapping[str, Any] | None = None,
    caller: str = LOCAL_CALLER,
    *,
    asks: bool = False,
) -> RunRow:
    """Begin a run that shares an ended run's steps before `stage`, and does that stage and those behind it anew.

    Args:
        jobs: Those of this process, which will carry it out.
        run_id: The run it is a fork of.
        stage: The first that is done anew.
        changes: Arguments of `deep_research` that are to be others, as `drafts` or `model`; None: as they were.
        caller: To whom the run belongs.
        asks: The surface can show its user questions; the forked run's surface is not asked.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It has not ended, is no research, or a change is wrong.
    """
    row = await jobs.get(run_id, caller)
    if not isinstance(row.request, ResearchRequest):
        raise InvalidRequest(f"Run {row.run_id} is a check of citations, of which there are no forks.", "Check anew.")
    if row.status not in ENDED:
        raise InvalidRequest(f"Run {row.run_id} has not ended.", "Wait for its report, or cancel it.")
    given = {name: value for name, value in (changes or {}).items() if value is not None}
    request = request_of({**row.request.model_dump(exclude={"asks"}), **given}, asks=asks)
    runtime = jobs.runtime
    await runtime.check(request, caller)
    await background_of(request, partial(jobs.result, caller=caller))
    name, mark, without = new_run_id(), fingerprint(request, caller), steps_from(stage)
    async with jobs.starting:
        now, begin = runtime.clock.now().timestamp(), runtime.store.runs.fork
        with anyio.CancelScope(shield=True):
            made = await begin(row.run_id, name, request, mark, runtime.setup, now, without, queued=True)
            if made:
                return await jobs.queued(made)
    raise UnknownRun(run_id)
