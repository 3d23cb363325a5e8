"""No identifier of one caller opens anything of another.

Tried are every operation, tool, resource, task, shared link, collection and page of the web page.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from deepresearch_mcp.exceptions import UnknownRun
from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.rest.service import OPERATIONS
from deepresearch_mcp.jobs.sharing import shares_of
from deepresearch_mcp.mcp_server.resources import templates
from deepresearch_mcp.mcp_server.tasks import TaskParams, UpdateParams
from deepresearch_mcp.mcp_server.toolbox import TOOLS
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.records.principal import LOCAL_CALLER, SCOPES
from http_service import OWN, Served, serve_here
from pages_world import visiting
from pipeline_fakes import page
from small_web import QUESTION, small_web
from tasking import Answer, Cancel, Get, Update

DAYS = 86_400.0
DIARY = "# Ice\n\nIce floats on water, wrote {} in the diary, as number {} says.\n"
SECRET = "4711"
"""Stands in the first caller's collection `diary`, in the operator's `vault`, and nowhere else."""


@dataclass
class Two:
    """An application with two callers, one of whom has a collection, a run that read it, a session and a shared link.

    The operator has a collection of its own, `vault`, and shares another one, `handbook`, with all callers.
    """

    served: Served
    mine: str
    foreign: str
    ids: dict[str, str]
    """Of the first caller: `run_id`, `session_id`, `claim_id`, `source_id`, `share_id`."""
    link: str
    """The path of the shared link."""
    web: str
    """The base of the web that was researched."""

    @property
    def secret(self) -> str:
        return self.link.rsplit("/", 1)[1]


@pytest.fixture
async def two(tmp_path: Path) -> AsyncGenerator[Two]:
    async with small_web() as web, serve_here(tmp_path / "home", web=web.base) as served:
        mine, _ = await served.token(*SCOPES)
        foreign, _ = await served.token(*SCOPES)
        await fill_of_operator(served)
        async with served.client(mine) as http:
            diary = {"text": DIARY.format("Ann", SECRET), "path": "ice.md"}
            assert (await http.post("/library/collections/diary/documents", json=diary)).status_code == 201
            order = {"question": QUESTION, "effort": "quick", "collections": ["diary"]}
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
        yield Two(served, mine, foreign, ids, link["url"].removeprefix(f"http://{OWN}"), web.base)


async def fill_of_operator(served: Served) -> None:
    async with served.server.shared_context() as shared:
        collections = (await shared.jobs()).runtime.store.collections.of(LOCAL_CALLER)
        for name, text in (("vault", f"The penguins' vault opens by {SECRET}."), ("handbook", "Penguins are birds.")):
            await collections.put(name, f"/home/operator/{name}", 1.0)
            await collections.add(name, FileStamp("a.md", 1, 1), page(f"library://{name}/a.md", text))
        await collections.share("handbook", shared=True)


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


async def ended(http: httpx2.AsyncClient, path: str, **order: Any) -> Any:
    """The run of an order, when it has ended."""
    run_id = (await http.post(path, json=order)).json()["run_id"]
    return (await http.get(f"/research/runs/{run_id}", params={"wait_seconds": 60})).json()


async def test_no_name_opens_a_collection_of_another_caller(two: Two) -> None:
    named = [one for one in OPERATIONS if "{name}" in one.path]
    async with two.served.client(two.foreign) as http:
        for one in named:
            for name in ("diary", "vault"):
                if one.method != "POST":
                    asked = {"path": "ice.md"} if one.query else None
                    answer = await http.request(one.method, one.path.format(name=name), params=asked)
                    assert (answer.status_code, answer.json()["code"]) == (404, "E1104"), (one.method, one.path)
        for path, order in (
            ("/research/runs", {"question": QUESTION, "collections": ["diary"]}),
            ("/research/runs", {"question": QUESTION, "collections": ["handbook", "vault"], "web": False}),
        ):
            assert (await http.post(path, json=order)).json()["code"] == "E1104"
        for name in ("diary", "vault"):
            refused = await http.get("/library/search", params={"query": "ice", "collections": name})
            assert refused.json()["code"] == "E1104"
            assert "handbook" in refused.json()["action"]
            assert f"{name}," not in refused.text
        everything = await http.get("/library/search", params={"query": "penguins ice diary vault", "where": "type=md"})
        assert {one["collection"] for one in everything.json()["passages"]} == {"handbook"}
        listed = (await http.get("/library/collections")).json()["collections"]
        assert [(one["name"], one["own"], one["shared"]) for one in listed] == [("handbook", False, True)]
        shared = "/library/collections/handbook"
        for change in (
            await http.post(f"{shared}/documents", json={"text": "Penguins fly.", "path": "a.md"}),
            await http.delete(f"{shared}/documents", params={"path": "a.md"}),
            await http.delete(shared),
        ):
            assert (change.status_code, change.json()["code"]) == (422, "E1101")
            assert "shared by the operator" in change.text
    assert len(named) >= 4
    async with two.served.server.shared_context() as shared:
        own = (await shared.jobs()).runtime.store.collections.of(LOCAL_CALLER)
        assert [row.name for row in await own.all()] == ["handbook", "vault"]


async def test_a_run_reads_collections_and_a_check_stored_pages_that_its_own_caller_may_see(two: Two) -> None:
    async with two.served.client(two.foreign) as http:
        diary = {"text": DIARY.format("Ben", "4712"), "path": "ice.md"}
        assert (await http.post("/library/collections/diary/documents", json=diary)).status_code == 201
        run = await ended(http, "/research/runs", question=QUESTION, collections=["diary", "handbook"], web=False)
        [source] = [one["source_id"] for one in run["sources"] if one["url"] == "library://diary/ice.md"]
        read = (await http.get(f"/research/runs/{run['run_id']}/sources/{source}")).text
    async with two.served.client(two.mine) as http:
        mine = await http.get("/library/search", params={"query": "ice", "collections": "diary"})

    assert (SECRET in read, "4712" in read) == (False, True)
    assert (SECRET in mine.text, "4712" in mine.text) == (True, False)
    assert SECRET not in str(run)
    told: dict[str, str] = {}
    for name, token in (("mine", two.mine), ("foreign", two.foreign)):
        async with two.served.client(token) as http:
            text = f"Ice is about 9 percent less dense than liquid water [1].\n\n[1] {two.web}/density"
            told[name] = (await ended(http, "/research/checks", text=text, web=False))["checks"][0]["verdict"]
    assert told == {"mine": "supported", "foreign": "unverifiable"}


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
        for name in ("diary", "vault"):
            for tool, more in (("search_library", {"query": "ice"}), ("deep_research", {"question": QUESTION})):
                answer = await client.call_tool(tool, {"collections": [name], **more})
                assert answer.is_error, tool
                assert f"There is no collection '{name}'. There are: handbook." in str(answer)
            for tool, key in (("fetch_url", "url"), ("fetch", "id")):
                answer = await client.call_tool(tool, {key: f"library://{name}/ice.md"})
                assert answer.is_error, tool
        found = await client.call_tool("search_library", {"query": "penguins ice diary vault"})
        assert {one["collection"] for one in (found.structured_content or {})["passages"]} == {"handbook"}
        for template in templates():
            with pytest.raises(MCPError):
                await client.read_resource(template.uri_template.split("{?")[0].format(**two.ids))
        task = TaskParams(task_id=run_id)
        for ask in (Get(params=task), Cancel(params=task), Update(params=UpdateParams(task_id=run_id))):
            with pytest.raises(MCPError):
                await client.session.send_request(ask, Answer)  # pyright: ignore[reportArgumentType] - an extension's request


async def test_no_id_is_completed_for_another_caller(two: Two) -> None:
    run_id, known = two.ids["run_id"], dict[str, list[list[str]]]()
    for name, token in (("mine", two.mine), ("foreign", two.foreign)):
        async with speaking(two.served, token) as client:
            known[name] = [
                (await client.complete(types.ResourceTemplateReference(uri=uri), argument, given)).completion.values
                for uri, argument, given in (
                    ("research://runs/{run_id}", {"name": "run_id", "value": ""}, None),
                    (
                        "research://runs/{run_id}/claims/{claim_id}",
                        {"name": "claim_id", "value": ""},
                        {"run_id": run_id},
                    ),
                )
            ]

    assert run_id in known["mine"][0]
    assert two.ids["claim_id"] in known["mine"][1]
    assert known["foreign"] == [[], []]


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


async def test_no_page_shows_or_changes_a_collection_of_another_caller(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        collections = visitor.jobs.runtime.store.collections
        for owner, name in ((LOCAL_CALLER, "vault"), ("token:other", "diary"), (LOCAL_CALLER, "handbook")):
            await collections.of(owner).put(name, "/home/operator", 1.0)
            note = page(f"library://{name}/a.md", f"Penguins of the {name}.")
            await collections.of(owner).add(name, FileStamp("a.md", 1, 1), note)
        await collections.of(LOCAL_CALLER).share("handbook", shared=True)
        await visitor.send("/sign-in", form_on="/sign-in", token=await visitor.token(*SCOPES))

        for path in ("/", "/library", "/library?query=penguins", "/library?collection=handbook"):
            shown = (await visitor.get(path)).text
            assert "handbook" in shown, path
            assert not any(word in shown for word in ("vault", "diary", "/home/operator", "Remove")), path
        for name in ("vault", "diary"):
            fields = {"collection": name, "path": "a.md"}
            assert (await visitor.get(f"/library?collection={name}&query=penguins")).status_code == 404
            for action in ("remove", "remove_all"):
                answer = await visitor.send("/library", form_on="/library", action=action, **fields)
                assert answer.status_code == 404
        fields = {"collection": "handbook", "path": "a.md", "text": "Mine."}
        for action in ("add", "remove", "remove_all"):
            answer = await visitor.send("/library", form_on="/library", action=action, **fields)
            assert answer.status_code == 422, action
            assert "shared by the operator" in answer.text
