"""What `continue_research` is told: a user's reply, or answers to packets of work."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deepresearch_mcp.mcp_server.desk import Desk
from deepresearch_mcp.mcp_server.packets import work_text

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs


async def say(desk: Desk, jobs: "Jobs", run_id: str, work: Mapping[str, Any] | None, given: Mapping[str, Any]) -> str:
    """Hear it; what is to be said at once, where answers were of no use, else "".

    A call that says nothing asks a run that waits for work to put it once more.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It waits for nothing of the kind.
    """
    from deepresearch_mcp.exceptions import InvalidRequest
    from deepresearch_mcp.jobs.asking import reply_of
    from deepresearch_mcp.jobs.handing import hand_in, work_of
    from deepresearch_mcp.jobs.replies import reply

    row = await jobs.get(run_id)
    waiting = (await jobs.result(run_id)).waiting if row.status == "input_required" else None
    if work is None and (waiting is None or waiting.kind != "work"):
        await reply(jobs, run_id, reply_of(**given))
        desk.watch(jobs, run_id)
        return ""
    decisions = {name for name, value in given.items() if value is not None}
    if decisions - {"approve"}:
        raise InvalidRequest(
            f"Work is handed in by itself, without {', '.join(sorted(decisions - {'approve'}))}.",
            'Give work={"1.1": …}, and approve=true to go on with what is there.',
        )
    if given.get("approve") is False:
        await reply(jobs, run_id, reply_of(approve=False))
    elif work is not None or given.get("approve"):
        enough = given.get("approve") is True
        faults = (await hand_in(jobs, run_id, work_of(work or {}), enough=enough)).faults
        if faults:
            return work_text(await jobs.result(run_id), faults)
    desk.watch(jobs, run_id)
    return ""
