"""Takes what `continue_research` is given: a user's reply, or answers to packets of work."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.packets import work_text
from deepresearch_mcp.mcp_server.server_context import ServerContext

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs


async def continue_run(
    desk: ServerContext,
    jobs: "Jobs",
    run_id: str,
    work: Mapping[str, Any] | None,
    given: Mapping[str, Any],
    longest: int,
) -> str:
    """Pass it on to the run; return the text for the client where answers were of no use, else "".

    A call that says nothing asks a run that waits for work to put it once more.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It waits for nothing of the kind.
    """
    decided = {name for name, value in given.items() if value is not None}
    if work is None:
        said = lazy.asking.reply_of(**given) if decided else None
        waiting = (await jobs.result(run_id)).waiting
        if said is not None or waiting is None or waiting.kind != "work":
            await lazy.replies.reply(jobs, run_id, said or lazy.asking.reply_of(**given))
        desk.watch(jobs, run_id)
        return ""
    if beside := sorted(decided - {"approve"}):
        raise InvalidRequest(
            f"Work is handed in by itself, without {', '.join(beside)}.",
            'Give work={"1.1": …}; with approve=true the run continues without what is left out.',
        )
    handed = await lazy.handing.hand_in(jobs, run_id, lazy.handing.work_of(work), enough=given.get("approve") is True)
    if handed.faults:
        return work_text(await jobs.result(run_id), longest, handed.faults)
    desk.watch(jobs, run_id)
    return ""
