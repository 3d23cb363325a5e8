import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from rest_world import RestWorld, served_rest
from small_web import QUESTION

LIMITS = {"limits": {"maxIterations": 1, "maxStepsPerIteration": 3}}
SESSIONS = "/research/sessions"


async def test_a_session_survives_a_restart_is_executed_watched_and_deleted(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        made = await world.call("POST", SESSIONS, {"config": LIMITS})
        there = made.headers["location"]
    async with served_rest(tmp_path) as world:
        stored = (await world.call("GET", there)).json()
        early = await world.call("GET", f"{there}/stream")
        begun = await world.call("POST", f"{there}/execute", {"query": QUESTION})
        again = await world.call("POST", f"{there}/execute", {"query": f" {QUESTION} "})
        other = await world.call("POST", f"{there}/execute", {"query": "What is ice?"})
        stream = await world.call("GET", f"{there}/stream")
        ended = (await world.call("GET", there)).json()
        gone = await world.call("DELETE", there)
        after = await world.call("GET", there)
        runs = (await world.call("GET", "/research/runs")).json()

    assert (made.status_code, made.json()["state"], stored) == (201, "created", made.json())
    assert (early.status_code, early.json()["code"]) == (409, "E1101")
    assert (begun.status_code, begun.headers["location"]) == (202, there)
    assert (again.status_code, again.json()["run_id"]) == (202, begun.json()["run_id"])
    assert other.status_code == 409
    assert "event: source_found" in stream.text
    assert (ended["state"], ended["query"]) == ("completed", QUESTION)
    assert ended["report"].startswith(f"# {QUESTION}")
    assert (gone.status_code, after.status_code, runs["runs"]) == (204, 404, [])


async def test_of_queries_sent_at_once_one_is_researched_and_the_others_are_refused(tmp_path: Path) -> None:
    statuses: list[int] = []
    async with served_rest(tmp_path, held=True) as world:
        there = (await world.call("POST", SESSIONS, {"config": LIMITS})).headers["location"]

        async def execute(query: str) -> None:
            statuses.append((await world.call("POST", f"{there}/execute", {"query": query})).status_code)

        async with anyio.create_task_group() as tasks:
            for number in range(4):
                tasks.start_soon(execute, f"Why does ice number {number} float?")
        runs = (await world.call("GET", "/research/runs")).json()["runs"]
        session = (await world.call("GET", there)).json()

    assert sorted(statuses) == [202, 409, 409, 409]
    assert [one["run_id"] for one in runs] == [session["run_id"]]


async def test_of_two_servers_that_execute_one_session_one_begins_a_run(tmp_path: Path) -> None:
    statuses: list[int] = []
    async with served_rest(tmp_path, held=True) as one, served_rest(tmp_path, held=True) as two:
        there = (await one.call("POST", SESSIONS, {"config": LIMITS})).headers["location"]

        async def execute(world: RestWorld, query: str) -> None:
            statuses.append((await world.call("POST", f"{there}/execute", {"query": query})).status_code)

        async with anyio.create_task_group() as tasks:
            for number in range(2):
                tasks.start_soon(execute, one, f"Why does ice number {number} float?")
                tasks.start_soon(execute, two, f"Why does lake number {number} freeze?")
        runs = (await one.call("GET", "/research/runs")).json()["runs"]
        session = (await two.call("GET", there)).json()

    assert sorted(statuses) == [202, 409, 409, 409]
    assert [run["run_id"] for run in runs] == [session["run_id"]]


async def test_a_stream_goes_on_after_the_last_event_seen(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = (await world.call("POST", SESSIONS, {"config": LIMITS})).headers["location"]
        await world.call("POST", f"{there}/execute", {"query": QUESTION})
        whole = await world.call("GET", f"{there}/stream")
        events = [one for one in whole.text.split("\n\n") if one.startswith("id:")]
        half = len(events) // 2
        seen = events[half].split("\n")[0].removeprefix("id: ")
        rest = await world.call("GET", f"{there}/stream", last_event_id=seen)
        wrong = await world.call("GET", f"{there}/stream", last_event_id="x")

    assert whole.headers["content-type"].startswith("text/event-stream")
    assert [one for one in rest.text.split("\n\n") if one.startswith("id:")] == events[half + 1 :]
    last = json.loads(events[-1].partition("data: ")[2])
    assert (last["type"], last["data"]["status"]) == ("state_change", "completed")
    assert wrong.status_code == 409


async def test_a_session_at_work_is_cancelled_first_and_deleted_then(tmp_path: Path) -> None:
    async with served_rest(tmp_path, held=True) as world:
        there = (await world.call("POST", SESSIONS, {})).headers["location"]
        await world.call("POST", f"{there}/execute", {"query": QUESTION})
        await world.web.searched.wait()
        first = await world.call("DELETE", there)
        await world.call("GET", f"{there}/stream")
        state = (await world.call("GET", there)).json()["state"]
        second = await world.call("DELETE", there)

    assert (first.status_code, state, second.status_code) == (202, "cancelled", 204)


async def test_a_key_makes_one_session_and_of_its_caller_alone(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        first, again, other = [
            await world.call("POST", SESSIONS, {"config": LIMITS}, idempotency_key="k1", caller=caller)
            for caller in ("token:1", "token:1", "token:2")
        ]
        changed = await world.call("POST", SESSIONS, {}, idempotency_key="k1")
        foreign = await world.call("GET", first.headers["location"], caller="token:2")

    assert first.json() == again.json()
    assert other.json()["id"] != first.json()["id"]
    assert (changed.status_code, foreign.status_code) == (409, 404)


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({"budget": {"maxDolars": 1}}, "config.budget.maxDolars"),
        ({"models": {"writer": {"provider": "openai", "model": "x"}}}, "config.models.writer"),
        ({"limits": {"maxIterations": 9}}, "config.limits.maxIterations"),
    ],
)
async def test_a_value_that_is_unknown_or_out_of_range_is_named(
    tmp_path: Path, config: dict[str, Any], named: str
) -> None:
    async with served_rest(tmp_path) as world:
        refused = await world.call("POST", SESSIONS, {"config": config})

    assert (refused.status_code, [one["field"] for one in refused.json()["errors"]]) == (422, [named])


async def test_a_model_that_cannot_be_asked_is_refused_before_the_session_is_kept(tmp_path: Path) -> None:
    config = {"models": {"synthesizer": {"provider": "nobody", "model": "x"}}}
    async with served_rest(tmp_path) as world:
        refused = await world.call("POST", SESSIONS, {"config": config})

    assert (refused.status_code, "nobody" in refused.json()["detail"]) == (422, True)
