"""Following goes on after a broken connection, from the last event that was seen."""

from collections.abc import AsyncGenerator

import httpx2
import pytest

from clocks import HandClock
from deepresearch_mcp.events import StageEntered
from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.sdk.following import Follower, event_of

RUN = Run(run_id="r1", status="running", stage="researching", question="Why?")


class Breaking(httpx2.AsyncByteStream):
    """One event, then the connection breaks."""

    def __init__(self, number: int, stage: str) -> None:
        self._text = (
            f'id: {number}\nevent: state_change\ndata: {{"data": {{"kind": "stage_entered", "stage": "{stage}"}}}}\n\n'
        )

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        yield b": following\n\n"
        yield self._text.encode()
        raise httpx2.ReadError("broken")


async def test_events_go_on_after_the_last_one_seen():
    asked: list[str | None] = []
    heard: list[Progress] = []
    stages = ["planning", "researching", "synthesizing"]

    def serve(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers.get("last-event-id"))
        number = len(asked)
        return httpx2.Response(200, stream=Breaking(number, stages[number - 1]))

    async def get(run_id: str) -> Run:
        return RUN.model_copy(update={"status": "completed" if len(asked) == 3 else "running"})

    async def hear(progress: Progress) -> None:
        heard.append(progress)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(serve), base_url="http://x") as http:
        run = await Follower(http, HandClock(auto=True), "/research/runs/r1", get).follow("r1", None, hear)

    assert run.status == "completed"
    assert asked == [None, "1", "2"]
    assert [one.stage for one in heard] == stages


async def test_a_server_that_stays_away_ends_the_following():
    def serve(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("nobody")

    async def get(run_id: str) -> Run:
        return RUN

    clock = HandClock(auto=True)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(serve), base_url="http://x") as http:
        with pytest.raises(ProviderError, match="cannot be reached"):
            await Follower(http, clock, "/research/runs/r1", get).follow("r1", None, None)

    assert 60 < sum(clock.slept) < 200


def test_an_event_is_read_back_and_an_unknown_one_is_left_out():
    assert event_of("stage_entered", {"stage": "planning"}) == StageEntered("planning")
    assert event_of("of_tomorrow", {"what": 1}) is None
