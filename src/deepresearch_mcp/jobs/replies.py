"""What a user says to a run that waits: kept first, so that nothing of it is lost, and then acted upon."""

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import LOCAL_CALLER
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow


async def reply(jobs: Jobs, run_id: str, said: Reply, caller: str = LOCAL_CALLER, *, take_up: bool = True) -> RunRow:
    """Answer what a run asks; the run as it is then.

    The same reply given twice, as after a time-out, counts once. With `take_up` the run goes on in this process where
    its setup is the same; else any server of that setup takes it up within a second or so.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: It waits for nothing, was answered otherwise, or the reply does not fit what it asks.
    """
    store, clock = jobs.runtime.store, jobs.runtime.clock
    row = await jobs.get(run_id, caller)
    before = await store.inquiries.last(row.run_id)
    inquiry = await store.inquiries.open(row.run_id) if row.status == "input_required" else None
    # A change that is sent again must not change the plan twice.
    if before == said and (inquiry is None or said.decision == "change"):
        return row
    if inquiry is None:
        state = f"was answered already ({before.decision})" if before else "waits for no answer"
        raise InvalidRequest(f"Run {row.run_id} {state}: it is {row.status}.", "See how far it is with get_report.")
    if said.decision == "decline" and inquiry.kind == "work":
        return await jobs.cancel(row.run_id, caller)
    request = row.request.model_copy(update=said.limits.over(row.request))
    if said.decision != "decline":
        _check(said, inquiry, request if isinstance(request, ResearchRequest) else None)
        await jobs.runtime.check(request, caller)
    now = clock.now().timestamp()
    if not await store.inquiries.reply(row.run_id, inquiry.inquiry_id, said, request, now):
        raise InvalidRequest(f"Run {row.run_id} was answered by somebody else just now.", "See what it does now.")
    if said.decision != "decline" and take_up:
        async with jobs.starting:
            return await jobs.queued(row)
    return await jobs.get(row.run_id, caller)


def decided(inquiry: InputRequest, word: str) -> Reply:
    """The reply to a question about money: `raise`, `narrow` or `stop`.

    Raises:
        InvalidRequest: It is none of these.
    """
    if word == "stop":
        return Reply(decision="decline")
    if word == "raise" and inquiry.raised is not None:
        return Reply(decision="approve", limits=inquiry.raised)
    if word == "narrow":
        return Reply(decision="approve")
    raise InvalidRequest(f"{word[:40]!r} is no answer here.", "Answer raise, narrow or stop.")


def _check(said: Reply, inquiry: InputRequest, request: ResearchRequest | None) -> None:
    """Refuse a reply that could not be followed.

    Raises:
        InvalidRequest: With what to say instead.
    """
    if len(said.answers) > len(inquiry.questions):
        asked = len(inquiry.questions)
        raise InvalidRequest(
            f"The run asks {asked or 'no'} question{'' if asked == 1 else 's'}, and {len(said.answers)} were answered.",
            "Give one answer for each, in their order; an empty one leaves it open.",
        )
    if inquiry.kind == "work" and said.changes:
        raise InvalidRequest(
            "The run waits for its model's answers, not for its user.",
            "Hand them in as work, or approve: then the rest is made without a model.",
        )
    if inquiry.kind == "budget":
        if said.note or said.sub_questions:
            raise InvalidRequest(
                "The run asks what it may cost, and shows no plan to be changed.",
                "Approve it, with a higher ceiling or without, or decline.",
            )
        return
    if inquiry.kind == "clarification":
        if said.sub_questions:
            raise InvalidRequest("The run asks what is meant, and shows no plan to be edited.", "Give answers.")
        return
    if said.note and not inquiry.hears_notes:
        raise InvalidRequest(
            "No language model planned this, so a note cannot be followed.", "Give the sub-questions themselves."
        )
    room = max(1, request.shape.breadth - 1) if request and request.shape.depth == 1 else None
    if room and len(said.sub_questions) > room:
        raise InvalidRequest(
            f"With one round of {room + 1} queries at most {room} sub-questions can be asked, "
            f"and {len(said.sub_questions)} were given.",
            "Give fewer, or ask the question anew with a greater depth or breadth.",
        )
