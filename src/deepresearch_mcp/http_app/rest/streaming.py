"""A run's stored events as server-sent events of the engine design."""

import json
from collections.abc import AsyncGenerator, Mapping
from types import MappingProxyType
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest
from deepresearch_mcp.http_app.context import Stopping
from deepresearch_mcp.http_app.problems import problem_of
from deepresearch_mcp.http_app.rest.operations import Call
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.trail import AT_ONCE, LOOK, shown
from deepresearch_mcp.mcp_server.pointers import moment
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.records.run import ENDED

_BEAT = 15.0
"""Seconds without an event after which a comment keeps the connection open."""

TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "started": "state_change",
        "stage_entered": "state_change",
        "inquired": "state_change",
        "replied": "state_change",
        "ended": "state_change",
        "spent": "state_change",
        "ceiling_near": "state_change",
        "cautioned": "state_change",
        "planned": "reflection",
        "plan_marked": "reflection",
        "round_ended": "reflection",
        "sub_question_started": "step_started",
        "sub_question_ended": "step_completed",
        "model_called": "step_completed",
        "answered": "step_completed",
        "section_written": "step_completed",
        "page_admitted": "step_started",
        "page_read": "source_found",
        "claimed": "note_created",
        "verified": "note_created",
        "claim_verified": "note_created",
        "engine_failed": "error",
        "page_unread": "error",
        "degraded": "error",
    }
)
"""Kind of event → its type in the engine design."""


def event_text(row: EventRow) -> str:
    """One server-sent event; "" for one that the engine design does not know."""
    if (kind := TYPES.get(row.kind)) is None:
        return ""
    one = shown(row)
    body: dict[str, Any] = {
        "type": kind,
        "timestamp": one.at,
        "actor": one.actor,
        "parent": one.parent,
        "data": {"kind": one.kind, **one.data},
    }
    # JSON keeps line ends escaped, so one line holds it.
    return f"id: {row.number}\nevent: {kind}\ndata: {json.dumps(body)}\n\n"


async def stream_of(call: Call, jobs: Jobs, run_id: str) -> Response:
    """Answer with the events of a run after `Last-Event-ID`, as they happen, until it ends.

    Raises:
        InvalidRequest: The header holds no number of an event.
    """
    last = call.request.headers.get("last-event-id", "").strip() or "0"
    if not (last.isascii() and last.isdecimal() and len(last) < 19):
        raise InvalidRequest(f"Last-Event-ID is {last[:40]!r}, which is no event's id.", "Leave it out, or use one.")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    texts = _texts(jobs, run_id, call.caller, int(last), call.context.stopping)
    return StreamingResponse(texts, 200, headers, "text/event-stream")


async def _texts(jobs: Jobs, run_id: str, caller: str, after: int, stopping: Stopping) -> AsyncGenerator[str]:
    clock = jobs.runtime.clock
    yield ": following\n\n"
    quiet = clock.monotonic()
    try:
        while True:
            # First the status: what is stored after it is read once more.
            ended = (await jobs.get(run_id, caller)).status in ENDED
            rows = await jobs.runtime.store.events.of(run_id, after, AT_ONCE)
            for row in rows:
                after = row.number
                if text := event_text(row):
                    quiet = clock.monotonic()
                    yield text
            if rows:
                continue
            # A client that is cut off so asks again, with the number of its last event, and another server answers.
            if ended or stopping.now:
                return
            if clock.monotonic() - quiet > _BEAT:
                quiet = clock.monotonic()
                yield ": waiting\n\n"
            await clock.sleep(LOOK)
    except DeepResearchError as error:
        # The answer has begun: its status cannot change any more.
        body = {"type": "error", "timestamp": moment(clock.now().timestamp()), "data": problem_of(error).model_dump()}
        yield f"event: error\ndata: {json.dumps(body)}\n\n"
