"""How one request waits for a run, and asks the user what the run asks, where the client can."""

import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
from mcp import types
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.callers import nameless, times_rounds
from deepresearch_mcp.mcp_server.forms import form_of, reply_from, shows_forms
from deepresearch_mcp.mcp_server.packets import answered_by, requests_of, samples
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.progress import CALLED, Teller, begun_within
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.tasks import MODERN
from deepresearch_mcp.mcp_server.timeouts import SURE, attached_for, patience, tried
from deepresearch_mcp.system_clock import SystemClock

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.records.checks import AnyRequest
    from deepresearch_mcp.records.consent import InputRequest
    from deepresearch_mcp.records.run import Run, RunRow

_log = logging.getLogger(__name__)

AS_TASK: ContextVar[list[str] | None] = ContextVar("as_task", default=None)
"""Set while a call is made for a task: it is given the run, and does not wait for it."""

_LEGS = 8
"""Rounds of one call in which nothing is asked, at most."""
_ROUNDS = 10
"""Rounds of one call: clients of the newer protocol stop after them."""
_AT_ONCE = 4
"""Questions put to a client's model at a time, where each is a request of its own."""


class _State(NamedTuple):
    """What a client hands back with the next round of its call; sealed, so that it can be trusted."""

    run_id: str
    round: int
    waits: bool
    """Whether the call may take further rounds; one that said how long to wait is answered then."""


class Attached(NamedTuple):
    """The run after a round, and what to return instead of its result, if anything."""

    row: "RunRow"
    more: types.InputRequiredResult | None = None


async def begin(
    ctx: Context[ServerContext], request: "AnyRequest", wait_seconds: float | None, *, fresh: bool
) -> "tuple[Jobs, str]":
    """Start or join the run of a request; in a further round of the same call, the run it began with.

    Raises:
        StillOpening: The caller is to be answered now; the run begins when the parts are open.
        DeepResearchError: Nothing was started.
    """
    desk, known = context_of(ctx), run_of_round(ctx)
    if known is not None:
        return await desk.jobs(), known
    beginning = desk.begin(request, _caller(ctx), fresh=fresh)
    try:
        seconds = float("inf") if AS_TASK.get() is not None else _opening_seconds(ctx, wait_seconds)
        run_id = await begun_within(ctx, seconds, beginning)
    except anyio.get_cancelled_exc_class():
        beginning.give_up()
        raise
    return await desk.jobs(), run_id


async def followed(ctx: Context[ServerContext], run_id: str, wait_seconds: float | None) -> "tuple[Jobs, RunRow]":
    """Stay with the run that the caller was told of by this id, as long as the client waits.

    Raises:
        StillOpening: The caller is to be answered now, and asks again.
        DeepResearchError: The parts cannot be opened, the run did not begin, or this caller has none by this id.
    """
    desk = context_of(ctx)
    beginning = desk.named(_caller(ctx), run_id.strip())
    named = await begun_within(ctx, _opening_seconds(ctx, wait_seconds), beginning)
    jobs = await desk.jobs()
    return jobs, await stay_with(ctx, jobs, named, seconds_for(ctx, named, wait_seconds))


def _opening_seconds(ctx: Context[ServerContext], wait_seconds: float | None) -> float:
    """Seconds that a call still waits for the parts: opening them takes long on a busy machine."""
    settings, asked = context_of(ctx).settings, ctx.request_context
    if wait_seconds is None:
        longest = patience(asked, settings, settings.server.wait_seconds) or SURE
    else:
        longest = max(wait_seconds, min(SURE, patience(asked, settings, SURE) or SURE))
    return max(SURE if context_of(ctx).opened else 0.0, longest - _spent())


def run_of_round(ctx: Context[ServerContext]) -> str | None:
    """The run of a call of which this is a further round; None in its first."""
    state = _state(ctx)
    return state.run_id if state else None


async def attach(ctx: Context[ServerContext], jobs: "Jobs", run_id: str, wait_seconds: float | None) -> Attached:
    """Stay with a run until it ends, or as long as the client waits; put before the user what it asks.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: What the user answered is no reply.
    """
    if (begun := AS_TASK.get()) is not None:
        row = await jobs.get(run_id, _caller(ctx))
        if row.status not in {"completed", "partial", "failed"}:
            begun.append(row.run_id)
        return Attached(row)
    state = _state(ctx) or _State(run_id, 0, wait_seconds is None)
    default = context_of(ctx).settings.server.wait_seconds
    seconds = seconds_for(ctx, run_id, wait_seconds)
    began = jobs.runtime.clock.monotonic()
    if await _answered(ctx, jobs, run_id) is False:
        return Attached(await jobs.get(run_id, _caller(ctx)))
    while True:
        left = max(0.0, seconds - (jobs.runtime.clock.monotonic() - began))
        row = await stay_with(ctx, jobs, run_id, left)
        run = await jobs.result(row.run_id, row.caller) if row.status == "input_required" else None
        if run is None or run.waiting is None or not _can_ask(ctx, run.waiting):
            break
        if _modern(ctx):
            return _asking(row, run, state)
        if not await (_sample if run.waiting.kind == "work" else _ask)(ctx, jobs, run):
            break
        # The time that the user took is no time of the run's.
        began, seconds = jobs.runtime.clock.monotonic(), min(seconds, default)
    goes_on = row.status in {"queued", "running"} and _takes_rounds(ctx) and state.waits and state.round + 1 < _LEGS
    return Attached(row, _round(state, None) if goes_on else None)


def _takes_rounds(ctx: Context[ServerContext]) -> bool:
    """Whether the client continues a call that asks nothing by itself, and in time.

    openai-agents, of no name, fails there; what counts all rounds as one call is better given the text.
    """
    return _modern(ctx) and not nameless(ctx.request_context) and not times_rounds(ctx.request_context)


def seconds_for(ctx: Context[ServerContext], run_id: str, wait_seconds: float | None) -> float:
    """Seconds to stay with a run in this call: those asked for, else those that its client still waits."""
    desk = context_of(ctx)
    return attached_for(ctx.request_context, desk.settings, desk.timeouts, run_id, wait_seconds, _spent())


async def stay_with(ctx: Context[ServerContext], jobs: "Jobs", run_id: str, seconds: float) -> "RunRow":
    """Wait so many seconds for a run, and send the client its progress."""
    desk, clock, asked = context_of(ctx), jobs.runtime.clock, ctx.request_context
    teller = Teller(ctx, clock, desk.settings.server.progress_seconds)
    trial = tried(asked, desk.settings)
    with desk.timeouts.waiting(asked, run_id, seconds, clock, _spent(), trial=trial) as longest:
        return await jobs.follow(
            run_id, _caller(ctx), wait_seconds=longest, on_progress=teller.hear, every=teller.every
        )


def _spent() -> float:
    """Seconds since the call arrived."""
    came = CALLED.get()
    return SystemClock().monotonic() - came if came is not None else 0.0


def _can_ask(ctx: Context[ServerContext], inquiry: "InputRequest") -> bool:
    return (samples if inquiry.kind == "work" else shows_forms)(ctx.request_context)


def _asking(row: "RunRow", run: "Run", state: _State) -> Attached:
    """Ask in the newer protocol: the call returns, and its next round brings the answer."""
    if run.waiting is None or state.round + 1 >= _ROUNDS:
        return Attached(row)
    if run.waiting.kind == "work":
        return Attached(row, _round(state, requests_of(run.waiting)))
    return Attached(row, _round(state, {run.waiting.inquiry_id: types.ElicitRequest(params=form_of(run))}))


def _round(state: _State, asked: Mapping[str, Any] | None) -> types.InputRequiredResult:
    following = state._replace(round=state.round + 1)
    requests = dict(asked) if asked is not None else None
    return types.InputRequiredResult(input_requests=requests, request_state=json.dumps(following))


async def _answered(ctx: Context[ServerContext], jobs: "Jobs", run_id: str) -> bool | None:
    """Take what this round brings; None where it brings nothing, False where the form was closed."""
    given = ctx.input_responses or {}
    inquiry = (await jobs.result(run_id, _caller(ctx))).waiting if given else None
    if inquiry is not None and inquiry.kind == "work":
        await _hand_in(ctx, jobs, run_id, given)
        return None
    answer = given.get(inquiry.inquiry_id) if inquiry else None
    if inquiry is None or answer is None:
        return None
    return await _said(ctx, jobs, run_id, inquiry, answer)


async def _hand_in(ctx: Context[ServerContext], jobs: "Jobs", run_id: str, given: Mapping[str, Any]) -> None:
    """Keep what a client's model said; what is of no use is asked anew with its material, which it sees no more."""
    await lazy.handing.hand_in(jobs, run_id, answered_by(given), _caller(ctx), check=False)
    context_of(ctx).watch(jobs, run_id, _caller(ctx))


async def _sample(ctx: Context[ServerContext], jobs: "Jobs", run: "Run") -> bool:
    """Ask the client's model in the older protocol, while the call lasts; each answer is kept as it comes."""
    if run.waiting is None:
        return True
    limiter, refused = anyio.CapacityLimiter(_AT_ONCE), list[Exception]()
    related = ServerMessageMetadata(related_request_id=ctx.request_id)

    async def one(name: str, request: types.CreateMessageRequest) -> None:
        async with limiter:
            if refused:
                return
            try:
                said = await ctx.session.send_request(request, types.CreateMessageResult, metadata=related)
                await _hand_in(ctx, jobs, run.run_id, {name: said})
            except (MCPError, DeepResearchError) as error:
                # Whose user does not allow it, or whose model is busy: the text says what to do.
                _log.info("The client's model was not asked: %s", error)
                refused.append(error)

    async with anyio.create_task_group() as tasks:
        for name, request in requests_of(run.waiting).items():
            tasks.start_soon(one, name, request)
    return not refused


async def _ask(ctx: Context[ServerContext], jobs: "Jobs", run: "Run") -> bool:
    """Ask in the older protocol, while the call lasts."""
    if run.waiting is None:
        return True
    form = form_of(run)
    try:
        answer = await ctx.session.elicit_form(form.message, form.requested_schema, related_request_id=ctx.request_id)
    except MCPError as error:
        # A client that said it shows forms, and then does not: the text says what to do.
        _log.info("The client shows no form: %s", error)
        return False
    return await _said(ctx, jobs, run.run_id, run.waiting, answer)


async def _said(
    ctx: Context[ServerContext],
    jobs: "Jobs",
    run_id: str,
    inquiry: Any,  # noqa: ANN401 - imported where it is needed
    answer: Any,  # noqa: ANN401 - the SDK's union
) -> bool:

    said = reply_from(inquiry, {"action": getattr(answer, "action", ""), "content": getattr(answer, "content", None)})
    if said is not None:
        await lazy.replies.reply(jobs, run_id, said, _caller(ctx))
        context_of(ctx).watch(jobs, run_id, _caller(ctx))
    return said is not None


def _state(ctx: Context[ServerContext]) -> _State | None:
    try:
        run_id, number, waits = json.loads(ctx.request_state or "")
        return _State(str(run_id), int(number), bool(waits))
    except (ValueError, TypeError):
        return None


def _modern(ctx: Context[ServerContext]) -> bool:
    return ctx.request_context.protocol_version == MODERN


def _caller(ctx: Context[ServerContext]) -> str:
    return caller_of(ctx.request_context)


def context_of(ctx: Context[ServerContext]) -> ServerContext:
    """The server's context, from a call's."""
    return ctx.request_context.lifespan_context
