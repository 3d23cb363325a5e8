"""`/research/sessions`: configure, execute, watch and delete, in the words of the engine design."""

import base64
import hashlib
import json
import re
from typing import Any, Literal

from pydantic import BaseModel, Field
from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.http_app.problems import problem_response
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, Strict, json_answer
from deepresearch_mcp.http_app.rest.runs import QUESTION, RUNS
from deepresearch_mcp.http_app.rest.session_config import SessionConfig, WithoutEffect, understood
from deepresearch_mcp.http_app.rest.streaming import stream_of
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.naming import new_run_id
from deepresearch_mcp.jobs.soundness import remove_run
from deepresearch_mcp.mcp_server.pointers import moment
from deepresearch_mcp.ports.sessions import SessionRow, SessionTaken
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow

SESSIONS = "/research/sessions"
ONE = f"{SESSIONS}/{{session_id}}"

UNUSED_DAYS = 30
"""Days for which a session is kept that is never executed."""

State = Literal["created", "planning", "researching", "reflecting", "synthesizing", "completed", "failed", "cancelled"]


class SessionOrder(Strict):
    """A session to make."""

    config: SessionConfig = SessionConfig()


class ExecuteOrder(Strict):
    """What a session is to find out."""

    query: str = Field(min_length=1, max_length=10_000)


class Session(BaseModel):
    """A session as it is now."""

    id: str
    state: State
    created_at: str = Field(description="ISO 8601, UTC")
    query: str | None = Field(description="null before it is executed")
    config: dict[str, Any] = Field(description="As given")
    arguments: dict[str, Any] = Field(description="What config comes to, as arguments of POST /research/runs")
    without_effect: list[WithoutEffect] = Field(description="Given values that change nothing, and why")
    run_id: str | None = Field(description="The run that carries it out; everything below /research/runs shows it")
    status: str | None = Field(description="The run's status, which says more than state: see docs/rest.md")
    report: str | None = Field(default=None, description="Markdown, once it is there")
    error: dict[str, str] | None = None


_ID = re.compile(r"[0-9a-z]{26}")


def state_of(row: RunRow | None) -> State:
    """The state of a session whose run this is."""
    if row is None or row.status == "queued":
        return "created"
    if row.status in {"completed", "partial"}:
        return "completed"
    if row.status == "failed":
        return "failed"
    if row.status == "cancelled":
        return "cancelled"
    return "planning" if row.stage == "created" or row.stage == "ended" else row.stage  # noqa: PLR1714 - narrows the type


async def _stored(call: Call, jobs: Jobs) -> SessionRow:
    session_id = call.named("session_id")
    row = await jobs.runtime.store.sessions.get(session_id) if _ID.fullmatch(session_id) else None
    if row is None or row.caller != call.caller:
        error = UnknownRun(session_id)
        error.message = f"There is no session {session_id[:60]!r}."
        error.action = f"Make one with POST {SESSIONS}."
        raise error
    return row


async def _shown(jobs: Jobs, session: SessionRow) -> Session:
    config = SessionConfig.model_validate_json(session.config)
    meant = understood(config)
    row = await jobs.get(session.run_id, session.caller) if session.run_id else None
    run = await jobs.result(row.run_id, session.caller) if row and row.status in ENDED else None
    return Session(
        id=session.session_id,
        state=state_of(row),
        created_at=moment(session.created),
        query=row.request.question if row else None,
        config=json.loads(session.config),
        arguments=dict(meant.arguments),
        without_effect=meant.without_effect,
        run_id=row.run_id if row else None,
        status=row.status if row else None,
        report=(run.report or None) if run else None,
        error=row.error if row else None,
    )


async def create_session(call: Call) -> Response:
    """Store a session; with an `Idempotency-Key`, the same one for the same key."""
    jobs, config = await call.jobs(), call.body(SessionOrder).config
    meant = understood(config)
    # Any question shows what is wrong with the rest; nothing is kept that could not be executed.
    request = checked_request({"question": QUESTION, **meant.arguments}, defaults=call.context.settings.defaults)
    await jobs.runtime.check(request, call.caller)
    text = config.model_dump_json(exclude_unset=True)
    key = call.request.headers.get("idempotency-key", "")
    name = _named(call.caller, key) if key else new_run_id()
    store, now = jobs.runtime.store.sessions, jobs.runtime.clock.now().timestamp()
    if not await store.create(SessionRow(name, call.caller, text, now), now - UNUSED_DAYS * 86_400):
        known = await store.get(name)
        if known is None or known.caller != call.caller or known.config != text:
            error = InvalidRequest("This Idempotency-Key made a session with another config.", "Use a new key.")
            return problem_response(error, status=409)
    session = await _shown(jobs, await store.get(name) or SessionRow(name, call.caller, text, now))
    return json_answer(session, 201, {"Location": f"{SESSIONS}/{name}"})


def _named(caller: str, key: str) -> str:
    """An id of the form of all others, the same for the same key of a caller."""
    digest = hashlib.sha256(json.dumps([caller, key]).encode()).digest()
    return base64.b32hexencode(digest)[:26].decode().lower()


async def get_session(call: Call) -> Response:
    """Return a session as it is now."""
    jobs = await call.jobs()
    return json_answer(await _shown(jobs, await _stored(call, jobs)))


async def execute_session(call: Call) -> Response:
    """Start the research of a session; the same query again changes nothing."""
    jobs = await call.jobs()
    session, row = await _executed(call, jobs)
    call.context.server.watch(jobs, row.run_id, call.caller)
    there = f"{SESSIONS}/{session.session_id}"
    return json_answer(
        await _shown(jobs, await _stored(call, jobs)),
        202,
        {"Location": there, "Link": f'<{RUNS}/{row.run_id}>; rel="related"'},
    )


async def _executed(call: Call, jobs: Jobs) -> tuple[SessionRow, RunRow]:
    session, query = await _stored(call, jobs), call.body(ExecuteOrder).query
    config = SessionConfig.model_validate_json(session.config)
    given = {"question": query, "clarify": "never", **understood(config).arguments}
    request = checked_request(given, defaults=call.context.settings.defaults)
    run_id = session.run_id
    if not run_id:
        try:
            begun = await jobs.start_or_join(request, call.caller, session=session.session_id)
            # Needed for a run that was joined; a new one is bound where it is made.
            run_id = await jobs.runtime.store.sessions.bind(session.session_id, begun.run_id) or begun.run_id
        except SessionTaken:
            # Another request came first, here or at another server, and of this one nothing was begun.
            run_id = (await _stored(call, jobs)).run_id
    row = await jobs.get(run_id, call.caller)
    if not isinstance(row.request, ResearchRequest) or row.request.question != request.question:
        raise InvalidRequest("This session has been executed with another query.", "Make a new session for it.")
    return session, row


async def delete_session(call: Call) -> Response:
    """Cancel a session that is at work; delete one that is not, with its run unless another session has it."""
    jobs = await call.jobs()
    session = await _stored(call, jobs)
    store = jobs.runtime.store.sessions
    if session.run_id:
        row = await jobs.get(session.run_id, call.caller)
        if row.status not in ENDED:
            await jobs.cancel(row.run_id, call.caller, wait_seconds=0)
            return json_answer(await _shown(jobs, session), 202)
        if await store.of_run(row.run_id) == [session.session_id]:
            await remove_run(jobs, row.run_id, call.caller)
    await store.remove(session.session_id)
    return Response(status_code=204)


async def stream_session(call: Call) -> Response:
    """Follow a session live."""
    jobs = await call.jobs()
    session = await _stored(call, jobs)
    if not session.run_id:
        raise InvalidRequest("This session has not been executed: nothing happens in it.", "POST …/execute first.")
    return await stream_of(call, jobs, session.run_id)


_SHOWN = Answer("The session.", Session, headers={"Location": "The session's address."})
_EXAMPLE = {"config": {"limits": {"maxIterations": 2, "maxStepsPerIteration": 4}, "budget": {"maxDollars": 0.5}}}

OPERATIONS = (
    Operation(
        "POST",
        SESSIONS,
        create_session,
        "Make a session",
        {201: _SHOWN},
        "runs:write",
        "Nothing is started. With the header Idempotency-Key, the same key and config bring the same session."
        f" One that is not executed is kept for {UNUSED_DAYS} days.",
        "sessions",
        body=SessionOrder,
        example=_EXAMPLE,
        problems=(409, 429, 502),
    ),
    Operation(
        "GET", ONE, get_session, "A session", {200: Answer("As it is now.", Session)}, tag="sessions", problems=(404,)
    ),
    Operation(
        "DELETE",
        ONE,
        delete_session,
        "Cancel or delete a session",
        {202: Answer("It was at work and is being cancelled.", Session), 204: Answer("It is gone.")},
        "runs:write",
        "One at work is cancelled, and what it gathered is kept; delete it once more to be rid of it. The run of one"
        " that is not at work is deleted with it, unless another session joined that run.",
        "sessions",
        problems=(404,),
        conflicts=True,
    ),
    Operation(
        "POST",
        f"{ONE}/execute",
        execute_session,
        "Execute a session",
        {202: _SHOWN},
        "runs:write",
        "Once a session; the same query again changes nothing.",
        "sessions",
        body=ExecuteOrder,
        example={"query": QUESTION},
        problems=(404, 429, 502),
        conflicts=True,
    ),
    Operation(
        "GET",
        f"{ONE}/stream",
        stream_session,
        "Follow a session live",
        {200: Answer("Server-sent events.", None, ("text/event-stream",))},
        "runs:read",
        "Events: state_change, step_started, step_completed, source_found, note_created, reflection, error. Each data"
        " is JSON with type, timestamp, data. Send Last-Event-ID to go on after an event; the stream closes when the"
        " run ends.",
        "sessions",
        problems=(404,),
        conflicts=True,
    ),
)
