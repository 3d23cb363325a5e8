"""A run that waits is answered from the command line, and goes on: in a server, or here."""

from contextlib import suppress

from deepresearch_mcp.cli.console import command, say
from deepresearch_mcp.cli.running import Showing, watched
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.jobs.lives import resume
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.pipeline.waiting import at_most
from deepresearch_mcp.records.consent import Reply
from deepresearch_mcp.records.run import Run, RunRow
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings import Settings

_LOOK = 0.2
"""Seconds between two looks whether somebody has taken a run up."""


async def answer_to_the_end(run_id: str, said: Reply, settings: Settings, patience: float, showing: Showing) -> Run:
    """Answer a run that waits, and stay with it until it has ended or asks again.

    A server that is running may take it up within `patience` seconds; then it goes on here.

    Raises:
        InvalidRequest, UnknownRun, SettingsError, StoreError: The answer was not kept.
    """
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        row = await reply(jobs, run_id, said, take_up=not patience)

        async def taken() -> None:
            while _is_nobodys(await jobs.get(row.run_id)):
                await runtime.clock.sleep(_LOOK)

        if _is_nobodys(row) and not await at_most(runtime.clock, patience, taken):
            # Somebody may have taken it in this very moment: then it is only watched.
            with suppress(InvalidRequest):
                await resume(jobs, row.run_id)
        return await watched(jobs, row.run_id, showing)


def _is_nobodys(row: RunRow) -> bool:
    return row.status == "queued" and row.owner is None


async def keep_answer(run_id: str, said: Reply, settings: Settings, showing: Showing) -> Run:
    """Keep the answer to a run that waits, for whoever goes on with it.

    Raises:
        InvalidRequest, UnknownRun, SettingsError, StoreError: It was not kept.
    """
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        row = await reply(jobs, run_id, said, take_up=False)
        found = await jobs.result(row.run_id)
    if row.status == "cancelled" and not showing.quiet:
        say("The run is ended; nothing more is spent on it.")
    elif not showing.quiet:
        say(
            "The answer is kept. A server that is running takes the run up within a second or two; without one:",
            f"{command()} runs resume {row.run_id}",
            whole=True,
        )
    return found


async def current(run_id: str, settings: Settings) -> Run:
    """The run as it is now."""
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        return await jobs.result(run_id)
