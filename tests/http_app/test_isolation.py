"""No identifier of one caller opens anything of another: every operation, tool, resource, task and shared link."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from deepresearch_mcp.exceptions import UnknownRun
from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.rest.service import OPERATIONS
from deepresearch_mcp.jobs.sharing import shares_of
from deepresearch_mcp.mcp_server.resources import templates
from deepresearch_mcp.mcp_server.toolbox import TOOLS
from deepresearch_mcp.records.principal import SCOPES
from http_service import OWN, Served, serve_here
from small_web import QUESTION, small_web
from tasking import Answer, Cancel, Get, TaskParams

DAYS = 86_400.0


@dataclass
class Two:
    """An application with two callers, one of whom has a finished run, a session and a shared link."""

    served: Served
    mine: str
    foreign: str
    ids: dict[str, str]
    """Of the first caller: `run_id`, `session_id`, `claim_id`, `source_id`, `share_id`."""
    link: str
    """The path of the shared link."""

    @property
    def secret(self) -> str:
        return self.link.rsplit("/", 1)[1]


@pytest.fixture
async def two(tmp_path: Path) -> AsyncGenerator[Two]:
    async with small_web() as web, serve_here(tmp_path / "home", web=web.base) as served:
        mine, _ = await served.token(*SCOPES)
        foreign, _ = await served.token(*SCOPES)
        async with served.client(mine) as http:
            order = {"question": QUESTION, "effort": "quick"}
            run_id = (await http.post("/research/runs", json=order)).json()["run_id"]
            run = (await http.get(f"/research/runs/{run_id}", params={"wait_seconds": 60})).json()
            session = (await http.post("/research/sessions", json={})).json()
            link = (await http.post(f"/research/runs/{run_id}/shares", json={"hours": 24})).json()
        ids = {
            "run_id": run_id,
            "session_id": session["id"],
            "claim_id": run["claims"][0]["claim_id"],
            "source_id": run["sources"][0]["source_id"],
            "share_id": link["share_id"],
        }
        assert run["status"] == "completed"
        yield Two(served, mine, foreign, ids, link["url"].removeprefix(f"http://{OWN}"))


BODIES: dict[str, Any] = {"fork": {"stage": "writer"}, "answer": {"approve": True}, "execute": {"query": QUESTION}}


async def test_no_id_opens_an_operation_for_another_caller(two: Two) -> None:
    named = [one for one in OPERATIONS if "{run_id}" in one.path or "{session_id}" in one.path]
    async with two.served.client(two.foreign) as http:
        for one in named:
            body = BODIES.get(one.path.rsplit("/", 1)[1], {}) if one.body else None
            answer = await http.request(one.method, one.path.format(**two.ids), json=body)
            assert answer.status_code == 404, (one.method, one.path)
            assert QUESTION not in answer.text
        assert two.ids["run_id"] not in (await http.get("/research/runs")).text
        assert (await http.get("/library/search", params={"query": QUESTION})).json()["passages"] == []
    async with two.served.client(two.mine) as http:
        assert (await http.get(f"/research/runs/{two.ids['run_id']}/events")).json()["events"]
    assert len(named) >= 20
    async with two.served.server.shared_context() as shared:
        # This machine's own user is another caller too.
        jobs = await shared.jobs()
        for ask in (jobs.get, partial(shares_of, jobs)):
            with pytest.raises(UnknownRun):
                await ask(two.ids["run_id"])


@asynccontextmanager
async def speaking(served: Served, token: str) -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    transport = httpx2.ASGITransport(served.app)
    async with (
        httpx2.AsyncClient(transport=transport, base_url=f"http://{OWN}", headers=headers) as http,
        Client(streamable_http_client(f"http://{OWN}{PATH}", http_client=http)) as client,
    ):
        yield client


async def test_no_id_opens_a_tool_a_resource_or_a_task_for_another_caller(two: Two) -> None:
    run_id = two.ids["run_id"]
    async with speaking(two.served, two.foreign) as client:
        tools = 0
        for spec in TOOLS:
            if "run_id" in spec.function.__annotations__ and spec.toolset != "chatgpt":
                answer = await client.call_tool(spec.function.__name__, {"run_id": run_id})
                assert answer.is_error, spec.function.__name__
                assert QUESTION not in str(answer)
                tools += 1
        assert tools >= 3
        for template in templates():
            with pytest.raises(MCPError):
                await client.read_resource(template.uri_template.split("{?")[0].format(**two.ids))
        for ask in (Get(params=TaskParams(task_id=run_id)), Cancel(params=TaskParams(task_id=run_id))):
            with pytest.raises(MCPError):
                await client.session.send_request(ask, Answer)  # pyright: ignore[reportArgumentType] - an extension's request


async def test_a_shared_link_opens_one_page_and_its_report_until_it_ends_and_nothing_else(
    two: Two, tmp_path: Path
) -> None:
    run_id = two.ids["run_id"]
    async with two.served.client() as http:
        page = await http.get(two.link)
        report = await http.get(f"{two.link}/report.md")
        assert (page.status_code, report.status_code) == (200, 200)
        assert QUESTION in page.text
        assert report.text.startswith("# ")
        assert page.headers["referrer-policy"] == "no-referrer"
        assert str(tmp_path) not in page.text
        for path in (f"{two.link}/claims", f"{two.link}/events", "/shared/", f"/shared/{run_id}"):
            assert (await http.get(path)).status_code == 404, path
        assert (await http.get(f"/shared/{two.ids['share_id']}")).status_code == 404
        assert (await http.post(two.link)).status_code == 405
    async with two.served.client(two.secret) as http:
        assert (await http.get(f"/research/runs/{run_id}")).status_code == 401
        assert (await http.post(PATH, json={})).status_code == 401

    shares = f"/research/runs/{run_id}/shares"
    async with two.served.client(two.mine) as http:
        second = (await http.post(shares, json={})).json()["url"].removeprefix(f"http://{OWN}")
        assert (await http.delete(f"{shares}/{two.ids['share_id']}")).status_code == 204
        assert (await http.delete(f"{shares}/{two.ids['share_id']}")).status_code == 404
        listed = (await http.get(shares)).json()["shares"]
        assert [(one["valid"], one["url"]) for one in listed] == [(False, None), (True, None)]
    async with two.served.client() as http:
        assert (await http.get(two.link)).status_code == 404
        assert (await http.get(second)).status_code == 200
        two.served.clock.advance(60 * DAYS)
        assert (await http.get(second)).status_code == 404
