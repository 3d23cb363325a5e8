"""Answers a waiting run from the command line; the run continues in a server or here."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from deepresearch_mcp.cli.console import command, piped_text, say
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.running import Showing, watched
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.handing import hand_in, unusable, work_of
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.pipeline.signal import at_most
from deepresearch_mcp.records.consent import Reply
from deepresearch_mcp.records.run import ENDED, Run, RunRow
from deepresearch_mcp.records.work import ClientAnswer
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings

_LOOK = 0.2
"""Seconds between two checks whether a server has taken the run."""


@dataclass(frozen=True, slots=True)
class Work:
    """The user's model's answers to packets."""

    answers: Mapping[str, ClientAnswer]
    enough: bool = False
    """Whether to continue with these answers even if others are missing."""


_WORK = 'Give a file with one JSON object, packet by packet: {"1.1": {…}, "1.2": {…}}.'


def read_work(file: str, *, enough: bool) -> Work:
    """Read answers from a file that holds a JSON object by packet; `-` is standard input.

    Raises:
        InvalidRequest: The file cannot be read or does not hold a JSON object.
    """
    try:
        text = piped_text("strict") if file == "-" else Path(file).read_text(encoding="utf-8-sig")
        given = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidRequest(f"--work {file} cannot be read ({type(error).__name__}).", _WORK) from error
    if not isinstance(given, dict):
        raise InvalidRequest(f"--work {file} does not hold a JSON object.", _WORK)
    return Work(work_of(cast("dict[str, object]", given)), enough)


async def _heard(jobs: Jobs, name: str, said: Reply | Work, *, take_up: bool) -> RunRow:
    run_id = await whole_id(jobs, name)
    if isinstance(said, Reply):
        return await reply(jobs, run_id, said, take_up=take_up)
    handed = await hand_in(jobs, run_id, said.answers, enough=said.enough, take_up=take_up)
    if handed.faults:
        raise unusable(handed.faults)
    return handed.row


async def answer_to_the_end(
    run_id: str, said: Reply | Work, settings: Settings, patience: float, showing: Showing
) -> Run:
    """Answer a waiting run and follow it until it ends or asks again.

    A running server has `patience` seconds to take the run; after that it continues here.

    Raises:
        InvalidRequest, UnknownRun, SettingsError, StoreError: The answer was not stored.
    """
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        row = await _heard(jobs, run_id, said, take_up=not patience)
        if row.status in ENDED and not showing.quiet:
            _tell_ended(row)

        async def taken() -> None:
            while _has_no_owner(await jobs.get(row.run_id)):
                await runtime.clock.sleep(_LOOK)

        if _has_no_owner(row) and not await at_most(runtime.clock, patience, taken):
            # A server may have just taken it: then it is only watched.
            with suppress(InvalidRequest):
                await resume_run(jobs, row.run_id)
        return await watched(jobs, row.run_id, showing)


def _tell_ended(row: RunRow) -> None:
    # The same answer given twice counts once and is not an error.
    say(f"There was nothing to answer: the run ended earlier and is {row.status}.", style="note")


def _has_no_owner(row: RunRow) -> bool:
    return row.status == "queued" and row.owner is None


async def keep_answer(run_id: str, said: Reply | Work, settings: Settings, showing: Showing) -> Run:
    """Store the answer to a waiting run, for the server that continues it.

    Raises:
        InvalidRequest, UnknownRun, SettingsError, StoreError: It was not stored.
    """
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        row = await _heard(jobs, run_id, said, take_up=False)
        found = await jobs.result(row.run_id)
    if row.status == "cancelled" and not showing.quiet:
        found_so_far = f" What it had found: {command()} report {row.run_id}" if found.report else ""
        say(f"The run has ended; nothing more is spent on it.{found_so_far}", whole=True)
    elif row.status in ENDED and not showing.quiet:
        _tell_ended(row)
    elif not showing.quiet:
        say(
            "The answer is kept. A running server continues the run within a second or two; without one:",
            f"{command()} runs resume {row.run_id}",
            whole=True,
        )
    return found


async def current(run_id: str, settings: Settings) -> Run:
    """Return the run in its present state."""
    async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
        return await jobs.result(await whole_id(jobs, run_id))
