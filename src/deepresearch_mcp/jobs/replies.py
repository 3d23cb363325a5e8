"""Stores a user's reply to a waiting run, so that it cannot be lost, and then acts on it."""

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.described import ways_on
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import RunRow


async def reply(jobs: Jobs, run_id: str, said: Reply, caller: str = LOCAL_CALLER, *, take_up: bool = True) -> RunRow:
    """Reply to a waiting run and return its updated row.

    A repeated reply, as after a time-out, counts once. With `take_up` the run resumes in this process if its
    setup is the same; otherwise any server of that setup resumes it within about a second.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run waits for nothing, has another reply, or the reply does not fit the question.
    """
    store, clock = jobs.runtime.store, jobs.runtime.clock
    row = await jobs.get(run_id, caller)
    before = await store.inquiries.last(row.run_id)
    inquiry = await store.inquiries.open(row.run_id) if row.status == "input_required" else None
    # A repeated change must not change the plan twice.
    if before == said and (inquiry is None or said.decision == "change"):
        return row
    if inquiry is None:
        state = f"has already been answered ({before.decision})" if before else "waits for no answer"
        raise InvalidRequest(f"Run {row.run_id} {state}: it is {row.status}.", "Check its status with get_report.")
    if said.decision == "decline" and inquiry.kind == "work":
        return await jobs.cancel(row.run_id, caller)
    request = row.request.model_copy(update=said.limits.over(row.request))
    if said.decision != "decline":
        _check(said, inquiry)
        await jobs.runtime.check(request, caller)
    now = clock.now().timestamp()
    if not await store.inquiries.reply(row.run_id, inquiry.inquiry_id, said, request, now):
        raise InvalidRequest(f"Run {row.run_id} has already been answered.", "Check its status with get_report.")
    if said.decision != "decline" and take_up:
        async with jobs.starting:
            return await jobs.queued(row)
    return await jobs.get(row.run_id, caller)


def decided(inquiry: InputRequest, word: str) -> Reply:
    """Return the reply to a question about money; `word` is `raise`, `narrow` or `stop`.

    Raises:
        InvalidRequest: The word is not one of the options.
    """
    if word == "stop":
        return Reply(decision="decline")
    if word == "raise" and inquiry.raised is not None:
        return Reply(decision="approve", limits=inquiry.raised)
    if word == "narrow":
        return Reply(decision="approve")
    *others, last = ways_on(inquiry)
    action = f"Answer {', '.join(others)} or {last}."
    if word == "raise":
        raise InvalidRequest("The day's ceiling can only be raised in the settings.", action)
    raise InvalidRequest(f"{word[:40]!r} is not one of the options.", action)


def _check(said: Reply, inquiry: InputRequest) -> None:
    """Refuse a reply that the run cannot follow.

    Raises:
        InvalidRequest: Says what to reply instead.
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
                "The run asks about its budget only; there is no plan to change.",
                "Approve it, with or without a higher ceiling, or decline.",
            )
        return
    if inquiry.kind == "clarification":
        if said.sub_questions:
            raise InvalidRequest("The run asks what is meant; there is no plan to change yet.", "Answer its questions.")
        return
    if said.note and not inquiry.hears_notes:
        raise InvalidRequest(
            "No language model planned this, so a note cannot be followed.", "Give the sub-questions themselves."
        )
