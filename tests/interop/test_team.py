"""Two servers and two workers on one PostgreSQL, as a team runs them: what one began, another goes on with."""

import json
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from deepresearch_mcp.http_app.rest.streaming import TYPES
from deepresearch_mcp.store.postgres.opening import open_postgres_store
from deepresearch_mcp.system_clock import SystemClock
from postgres_server import own_schema
from served import bare_env
from small_web import QUESTION, SmallWeb, said, small_web
from team import Team, team

pytestmark = [pytest.mark.interop, pytest.mark.timeout(180)]

ORDER = {"question": QUESTION, "effort": "quick"}
RUNS = "/research/runs"


@dataclass
class Shared:
    """A team at work, and ways to call its servers with one caller's token."""

    team: Team
    web: SmallWeb
    token: str

    @asynccontextmanager
    async def rest(self, number: int) -> AsyncGenerator[httpx2.AsyncClient]:
        headers = {"authorization": f"Bearer {self.token}"}
        address = self.team.servers[number].address
        async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=60) as http:
            yield http

    @asynccontextmanager
    async def mcp(self, number: int) -> AsyncGenerator[Client]:
        async with self.rest(number) as http:
            transport = streamable_http_client(f"{self.team.servers[number].address}/mcp", http_client=http)
            async with Client(transport, client_info=types.Implementation(name="host", version="1")) as client:
                yield client

    async def taken_up(self, run_id: str) -> Any:
        return await anyio.to_thread.run_sync(self.team.at_work_on, run_id)


@pytest.fixture(scope="module")
async def shared(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Shared]:
    """A team on a database of its own, over a web whose search is held."""
    homes = tmp_path_factory.mktemp("team")
    async with small_web(held=True) as web:
        env = bare_env(homes) | {
            "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
            "DEEPRESEARCH_SEARCH__TIMEOUT": "120",
            "DEEPRESEARCH_SERVER__WAIT_SECONDS": "2",
            "SEARXNG_URL": web.base,
            "DEEPRESEARCH_WEB__ALLOW_PRIVATE": web.base.removeprefix("http://"),
        }
        with own_schema(database_url) as url:
            async with open_postgres_store(url, homes / "own", SystemClock()) as store:
                token, _ = await store.tokens.create("tests", ("runs:read", "runs:write"), time.time())
            with team(env, url, homes) as started:
                yield Shared(started, web, token)


@pytest.fixture(autouse=True)
def held(shared: Shared) -> None:
    """No search is answered until a test opens the web."""
    shared.web.open, shared.web.searched = anyio.Event(), anyio.Event()


async def events(http: httpx2.AsyncClient, run_id: str, last: int = 0, stop: str = "") -> list[tuple[int, str]]:
    """Numbers and kinds of the events that the stream sends after `last`, until it ends or sends a kind."""
    seen: list[tuple[int, str]] = []
    headers = {"last-event-id": str(last)} if last else {}
    async with http.stream("GET", f"{RUNS}/{run_id}/stream", headers=headers) as answer:
        assert answer.status_code == 200
        number = 0
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data: "):
                seen.append((number, json.loads(line[6:])["data"]["kind"]))
                if seen[-1][1] == stop:
                    break
    return seen


async def test_a_run_begun_at_one_server_is_followed_at_the_other_and_outlives_its_worker(shared: Shared) -> None:
    async with shared.rest(0) as one, shared.rest(1) as other:
        begun = (await one.post(RUNS, json=ORDER)).json()
        run_id = begun["run_id"]
        first = await events(one, run_id, stop="stage_entered")
        worker = await shared.taken_up(run_id)
        await shared.web.searched.wait()

        assert worker.end(signal.SIGKILL) == -signal.SIGKILL
        shared.web.open.set()
        rest = await events(other, run_id, last=first[-1][0])

        runs = [(await http.get(f"{RUNS}/{run_id}")).json() for http in (one, other)]
        reports = [(await http.get(f"{RUNS}/{run_id}/report")).text for http in (one, other)]
        told = (await other.get(f"{RUNS}/{run_id}/events", params={"limit": 500})).json()
        kept = [(row["number"], row["kind"]) for row in told["events"]]

    assert [run["status"] for run in runs] == ["completed", "completed"]
    assert reports[0] == reports[1]
    assert reports[0].startswith(f"# {QUESTION}")
    assert rest[-1][1] == "ended"
    # Both streams together are the stored events, each once.
    assert first + rest == [row for row in kept if row[1] in TYPES]


async def test_a_call_and_a_subscription_of_one_server_are_met_by_the_other(shared: Shared) -> None:
    async with shared.mcp(0) as one, shared.mcp(1) as other:
        async with other.listen(resources_list_changed=True) as stream:
            begun = await one.session.call_tool("deep_research", {**ORDER, "fresh": True}, allow_input_required=True)
            with anyio.fail_after(30):
                async for event in stream:
                    if event == ResourcesListChanged():
                        break
        assert isinstance(begun, types.InputRequiredResult)
        listed = (await other.call_tool("list_runs", {})).structured_content
        assert listed
        report = f"research://runs/{listed['runs'][0]['run_id']}/report"
        async with other.listen(resource_subscriptions=[report]) as stream:
            shared.web.open.set()
            with anyio.fail_after(60):
                async for event in stream:
                    if event == ResourceUpdated(uri=report):
                        break
        result = await other.session.call_tool(
            "deep_research", {**ORDER, "fresh": True}, request_state=begun.request_state
        )

    assert said(result).startswith(f"# {QUESTION}")


async def test_a_server_and_a_worker_that_are_told_to_stop_hand_on_what_they_had(shared: Shared) -> None:
    shared.team.start_worker()
    async with shared.rest(0) as one, shared.rest(1) as other:
        run_id = (await one.post(RUNS, json=ORDER | {"fresh": True})).json()["run_id"]
        worker, server = await shared.taken_up(run_id), shared.team.servers[0]
        await shared.web.searched.wait()
        codes: list[int] = []
        async with anyio.create_task_group() as tasks:
            # A stream that is open at the server keeps it from nothing.
            tasks.start_soon(cut_off, one, run_id)
            codes = [await anyio.to_thread.run_sync(one.end, signal.SIGTERM) for one in (worker, server)]
        shared.web.open.set()
        with anyio.fail_after(60):
            rest = await events(other, run_id)
        ended = (await other.get(f"{RUNS}/{run_id}")).json()

    assert codes == [0, 0]
    assert rest[-1][1] == "ended"
    assert ended["status"] == "completed"
    told = "".join([*server.lines, *worker.lines])
    assert "Traceback" not in told, told


async def cut_off(http: httpx2.AsyncClient, run_id: str) -> None:
    """Follow a run until its server stops."""
    try:
        seen = await events(http, run_id)
    except httpx2.HTTPError:
        return
    assert "ended" not in {kind for _, kind in seen}
