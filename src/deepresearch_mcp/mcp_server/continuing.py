"""Takes what `continue_research` is given: a user's reply, answers to work, or the wish for a digest's full report."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.packets import work_text
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.texts import call

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs


class Said(NamedTuple):
    """What became of it."""

    run_id: str
    """The run to stay with: the one named, or the one that writes its report."""
    text: str = ""
    """For the client, where answers were of no use."""


async def continue_run(
    desk: ServerContext,
    jobs: "Jobs",
    run_id: str,
    work: Mapping[str, Any] | None,
    given: Mapping[str, Any],
    longest: int,
    caller: str,
) -> Said:
    """Pass it on to the run.

    A call that says nothing asks a run that waits for work to put it once more, and has the report of a digest
    written by the client's model.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It waits for nothing of the kind.
    """
    decided = {name for name, value in given.items() if value is not None}
    if work is not None:
        return await _hand_in(desk, jobs, run_id, work, given, longest, caller)
    said = lazy.asking.reply_of(**given) if decided else None
    run = await jobs.result(run_id, caller)
    # A repeated approval of a digest's plan is answered with the digest.
    if not decided and lazy.digests.is_digest(run):
        run_id = (await lazy.digests.written_by_client(jobs, run_id, caller)).run_id
    elif said is not None or run.waiting is None or run.waiting.kind != "work":
        await lazy.replies.reply(jobs, run_id, said or lazy.asking.reply_of(**given), caller)
    desk.watch(jobs, run_id, caller)
    return Said(run_id)


async def _hand_in(
    desk: ServerContext,
    jobs: "Jobs",
    run_id: str,
    work: Mapping[str, Any],
    given: Mapping[str, Any],
    longest: int,
    caller: str,
) -> Said:
    beside = sorted(name for name, value in given.items() if value is not None and name != "approve")
    if beside:
        raise InvalidRequest(
            f"Work is handed in by itself, without {', '.join(beside)}.",
            'Give work={"1.1": …}; with approve=true the run continues without what is left out.',
        )
    digest = lazy.digests.is_digest(await jobs.result(run_id, caller))
    if digest and (other := await lazy.digests.client_run_of(jobs, run_id, caller)):
        raise InvalidRequest(
            f"Run {run_id} is the digest. Its report is written by run {other.run_id}.",
            f"Hand the work in there: {call('continue_research', run_id=other.run_id)[:-1]}, work={{…}}).",
        )
    enough, answers = given.get("approve") is True, lazy.handing.work_of(work)
    handed = await lazy.handing.hand_in(jobs, run_id, answers, caller, enough=enough)
    if handed.faults:
        return Said(run_id, work_text(await jobs.result(run_id, caller), longest, handed.faults))
    desk.watch(jobs, run_id, caller)
    return Said(run_id)
