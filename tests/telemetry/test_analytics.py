"""What a service of the operator's own is told: names and numbers, and nothing of what was researched."""

import json
from typing import Any

import httpx2

from clocks import HandClock
from deepresearch_mcp.events import Ended, RoundEnded, Started
from deepresearch_mcp.ports.journal import Used
from deepresearch_mcp.ports.store import Keys
from deepresearch_mcp.telemetry.analytics import Analytics
from deepresearch_mcp.telemetry.observing import SeenStep

URL = "https://analytics.example.org/events"


class OneKey(Keys):
    async def of(self, name: str) -> bytes:
        return b"\x01" * 32


def one_run(analytics: Analytics, clock: HandClock) -> None:
    analytics.began("r1")
    analytics.happened("r1", Started("What is researched?", "openai:m", ("one", "mcp:https://secret@x#t")))
    query = SeenStep("r1", "search/ab/one", "search", "searcher", 0.25, Used("mcp:https://secret@x#t"))
    call = SeenStep("r1", "read/q1/ab", "model", "reader", 1.0, Used("openai:m", "reader", 0.1, 70, 30), "RateLimited")
    for step in (query, call, SeenStep("r1", "admit/ab/q1", "decision", "searcher")):
        analytics.step_ended(step)
    analytics.happened("r1", RoundEnded(2, 8, enough=True, why="secret"))
    analytics.happened("r1", Ended("partial", "secret"))
    clock.advance(30.0)
    analytics.ended("r1")


async def test_four_events_tell_names_and_numbers_and_no_content() -> None:
    sent: list[dict[str, Any]] = []

    def take(request: httpx2.Request) -> httpx2.Response:
        sent.append(json.loads(request.content))
        return httpx2.Response(204)

    clock = HandClock()
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(take)) as http:
        analytics = Analytics(URL, http, OneKey(), clock)
        await analytics.send()
        one_run(analytics, clock)
        await analytics.send()
        await analytics.send()

    [body] = sent
    assert body["anonymous_id"] == "01" * 16
    assert [one["event"] for one in body["events"]] == [
        "run_started", "search_performed", "llm_call", "run_completed",
    ]  # fmt: skip
    assert body["events"][2]["properties"] == {
        "model": "openai:m", "role": "reader", "input_tokens": 70, "output_tokens": 30, "ms": 1000,
        "error": "RateLimited",
    }  # fmt: skip
    assert body["events"][3]["properties"] == {"seconds": 30.0, "status": "partial", "rounds": 2, "steps": 3}
    assert not any(word in json.dumps(body) for word in ("secret", "researched?", "r1"))


async def test_what_a_service_could_not_take_is_sent_again_and_a_refusal_is_final() -> None:
    answers = [httpx2.Response(503), httpx2.Response(404)]
    sizes: list[int] = []

    def take(request: httpx2.Request) -> httpx2.Response:
        sizes.append(len(json.loads(request.content)["events"]))
        return answers.pop(0)

    clock = HandClock()
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(take)) as http:
        analytics = Analytics(URL, http, OneKey(), clock)
        one_run(analytics, clock)
        for _ in range(3):
            await analytics.send()

    assert sizes == [4, 4]
