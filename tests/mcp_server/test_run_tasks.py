import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters, types

from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from small_web import QUESTION, SmallWeb, said, settings_for
from tasking import Tasking, begin, cancel, get, update

ASK = {"question": QUESTION, "effort": "quick"}


async def form(_: Any, params: Any) -> types.ElicitResult:
    raise AssertionError("what a task asks is answered through the task")


async def settled(client: Client, task_id: str, *statuses: str) -> dict[str, Any]:
    while (state := await get(client.session, task_id))["status"] not in statuses:
        await anyio.lowlevel.checkpoint()
    return state


async def test_a_client_that_takes_tasks_reaches_the_report_with_one_call(server: ResearchServer) -> None:
    tasking = Tasking()
    async with Client(server, extensions=[tasking]) as client:
        result = await client.call_tool("deep_research", ASK)

    assert said(result).startswith(f"# {QUESTION}")
    assert [block.type for block in result.content] == ["text", "resource_link", "resource_link"]
    first, last = tasking.seen[0], tasking.seen[-1]
    assert re.fullmatch("[0-9a-z]{26}", first["taskId"])
    assert (last["ttlMs"], last["pollIntervalMs"]) == (None, 2000)
    assert last["statusMessage"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", last["createdAt"])


async def test_a_check_of_citations_is_a_task_with_figures(server: ResearchServer, web: SmallWeb) -> None:
    text = f"Ice floats on water because it is less dense ({web.base}/density)."
    async with Client(server, extensions=[Tasking()]) as client:
        result = await client.call_tool("check_citations", {"text": text})

    assert result.structured_content
    assert result.structured_content["status"] == "completed"
    assert result.structured_content["checks"]


async def test_who_says_how_long_to_wait_or_declares_nothing_gets_text(held_web: SmallWeb, tmp_path: Path) -> None:
    server = build_server(settings_for(tmp_path, held_web.base))
    async with Client(server, extensions=[Tasking()]) as client:
        told = await client.call_tool("deep_research", {**ASK, "wait_seconds": 0})
    async with Client(server) as client:
        also = await client.call_tool("deep_research", {**ASK, "wait_seconds": 0})
        with pytest.raises(MCPError) as caught:
            await get(client.session, "any")

    assert said(told).startswith("Still running")
    assert said(also).startswith("Still running")
    assert caught.value.error.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY


async def test_what_has_ended_already_and_what_is_wrong_is_told_at_once(server: ResearchServer) -> None:
    async with Client(server, extensions=[Tasking()]) as client:
        await client.call_tool("deep_research", ASK)
        again = await begin(client, "deep_research", ASK)
        wrong = await begin(client, "deep_research", {"question": " "})

    assert (again.get("resultType"), wrong["isError"]) != ("task", False)
    assert again["content"][0]["text"].startswith(f"# {QUESTION}")
    assert "taskId" not in again | wrong


async def test_the_stage_stands_in_the_status_message_and_cancelling_ends_the_run(
    held_web: SmallWeb, tmp_path: Path
) -> None:
    async with Client(build_server(settings_for(tmp_path, held_web.base)), extensions=[Tasking()]) as client:
        handle = await begin(client, "deep_research", ASK)
        state = await get(client.session, handle["taskId"])
        acknowledged = await cancel(client.session, handle["taskId"])
        ended = await settled(client, handle["taskId"], "cancelled")
        again = await cancel(client.session, handle["taskId"])
        listed = await client.call_tool("list_runs", {})

    assert (handle["resultType"], handle["status"]) == ("task", "working")
    assert re.search(r" · \d+ s$", state["statusMessage"])
    assert {"taskId", "status"} & {*acknowledged, *again} == set()
    assert f'get_report(run_id="{handle["taskId"]}")' in ended["statusMessage"]
    assert (listed.structured_content or {})["runs"][0]["status"] == "cancelled"


async def test_a_task_outlives_its_server(held_web: SmallWeb, tmp_path: Path) -> None:
    async with Client(build_server(settings_for(tmp_path, held_web.base)), extensions=[Tasking()]) as client:
        task_id = (await begin(client, "deep_research", ASK))["taskId"]
    held_web.open.set()
    async with Client(build_server(settings_for(tmp_path, held_web.base)), extensions=[Tasking()]) as client:
        state = await settled(client, task_id, "completed")

    assert state["result"]["content"][0]["text"].startswith(f"# {QUESTION}")


Reply = dict[str, Any]


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ({"action": "accept", "content": {"approve": True}}, f"# {QUESTION}"),
        ({"action": "decline"}, "cancelled"),
        ({"action": "accept", "content": {"approve": False}}, "cancelled"),
        ({"action": "cancel"}, "Waiting for the user: run "),
    ],
)
async def test_a_plan_is_approved_through_the_task(server: ResearchServer, reply: Reply, outcome: str) -> None:
    tasking = Tasking(replies=[reply])
    async with Client(server, extensions=[tasking], elicitation_callback=form) as client:
        result = await client.call_tool("deep_research", {**ASK, "approve_plan": True})

    [asked] = [next(iter(state["inputRequests"].values())) for state in tasking.seen if "inputRequests" in state][:1]
    assert said(result).startswith(outcome)
    assert f"1. {QUESTION}" in asked["params"]["message"]
    assert asked["params"]["requestedSchema"]["properties"]["approve"]["type"] == "boolean"


async def test_a_changed_plan_is_asked_for_under_another_key(server: ResearchServer) -> None:
    change = {"action": "accept", "content": {"approve": False, "change": "How thick is lake ice?"}}
    tasking = Tasking(replies=[change, {"action": "decline"}])
    async with Client(server, extensions=[tasking], elicitation_callback=form) as client:
        await client.call_tool("deep_research", {**ASK, "approve_plan": True})

    asked = {key: one for state in tasking.seen for key, one in (state.get("inputRequests") or {}).items()}
    assert len(asked) == 2
    assert "1. How thick is lake ice?" in [*asked.values()][1]["params"]["message"]


async def test_a_client_that_cannot_ask_its_user_is_given_the_call_that_answers(server: ResearchServer) -> None:
    async with Client(server, extensions=[Tasking()]) as client:
        result = await client.call_tool("deep_research", {**ASK, "approve_plan": True})

    assert "Yes: continue_research(run_id=" in said(result)


async def test_answers_to_nothing_are_ignored_and_wrong_ones_refused_in_a_sentence(server: ResearchServer) -> None:
    async with Client(server, extensions=[Tasking()], elicitation_callback=form) as client:
        task_id = (await begin(client, "deep_research", {**ASK, "approve_plan": True}))["taskId"]
        state = await settled(client, task_id, "input_required")
        [key] = state["inputRequests"]
        await update(client.session, task_id, {"unknown": {"action": "accept"}, key: "no form"})
        ceiling = {"action": "accept", "content": {"approve": True, "max_usd": -1}}
        with pytest.raises(MCPError, match="max_usd: input should be greater than or equal to 0"):
            await update(client.session, task_id, {key: ceiling})
        still = await get(client.session, task_id)

    assert still["status"] == "input_required"


Call = Callable[[Any, str], Awaitable[dict[str, Any]]]


@pytest.mark.parametrize("call", [get, cancel, lambda session, name: update(session, name, {})])
async def test_a_task_that_is_not_there_is_an_invalid_parameter(server: ResearchServer, call: Call) -> None:
    async with Client(server, extensions=[Tasking()]) as client:
        with pytest.raises(MCPError, match="There is no task 'none'") as caught:
            await call(client.session, "none")

    assert caught.value.error.code == types.INVALID_PARAMS


async def test_a_store_that_cannot_be_used_is_an_internal_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    async with Client(build_server(settings_for(tmp_path / "home")), extensions=[Tasking()]) as client:
        with pytest.raises(MCPError, match="The data directory cannot be used") as caught:
            await get(client.session, "any")

    assert caught.value.error.code == types.INTERNAL_ERROR


@pytest.mark.interop
async def test_a_task_begun_over_one_process_ends_in_another(
    child_env: dict[str, str], held_web: SmallWeb, tmp_path: Path
) -> None:
    env = child_env | {
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": held_web.base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": held_web.base.removeprefix("http://"),
    }
    server = StdioServerParameters(command=sys.executable, args=["-m", "deepresearch_mcp", "serve"], env=env)
    async with Client(server, extensions=[Tasking()]) as client:
        task_id = (await begin(client, "deep_research", ASK))["taskId"]
    held_web.open.set()
    async with Client(server, extensions=[Tasking()]) as client:
        state = await settled(client, task_id, "completed")

    assert state["result"]["content"][0]["text"].startswith(f"# {QUESTION}")
