from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, types
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from deepresearch_mcp.mcp_server.server import build_server
from small_web import QUESTION, SmallWeb, said, settings_for
from tasking import Tasking, begin

ASK = {"question": QUESTION, "effort": "quick", "wait_seconds": 0}


async def started(client: Client) -> str:
    text = said(await client.call_tool("deep_research", ASK))
    return text.partition('run_id="')[2][:26]


async def test_a_newer_client_hears_of_a_run_and_of_the_new_list(held_web: SmallWeb, tmp_path: Path) -> None:
    heard: list[Any] = []
    async with Client(build_server(settings_for(tmp_path, held_web.base))) as client:
        run = f"research://runs/{await started(client)}"
        async with client.listen(resource_subscriptions=[f"{run}/report"], resources_list_changed=True) as stream:
            held_web.open.set()
            async for event in stream:
                heard.append(event)
                if event == ResourceUpdated(uri=f"{run}/report"):
                    break
            async for event in stream:
                if event == ResourcesListChanged():
                    break
        listed = await client.list_resources()

    assert {type(event) for event in heard} <= {ResourceUpdated, ResourcesListChanged}
    assert f"{run}/report" in [one.uri for one in listed.resources]


async def test_an_older_client_hears_of_what_it_subscribed_to_until_it_unsubscribes(
    held_web: SmallWeb, tmp_path: Path
) -> None:
    heard: list[Any] = []
    told = anyio.Event()

    async def hear(message: Any) -> None:
        heard.append(message)
        if isinstance(message, types.ResourceListChangedNotification) and updated(heard):
            told.set()

    server = build_server(settings_for(tmp_path, held_web.base))
    async with Client(server, mode="legacy", message_handler=hear) as client:
        assert client.server_capabilities.resources
        assert client.server_capabilities.resources.subscribe
        run = f"research://runs/{await started(client)}"
        await client.subscribe_resource(f"{run}/report")
        # Announced together with the report, and not before: the plan may be made between these two calls.
        await client.subscribe_resource(f"{run}/report.json")
        await client.unsubscribe_resource(f"{run}/report.json")
        held_web.open.set()
        await told.wait()

    assert updated(heard) == {f"{run}/report"}


def updated(heard: list[Any]) -> set[str]:
    return {str(one.params.uri) for one in heard if isinstance(one, types.ResourceUpdatedNotification)}


async def listening(client: Client, notifications: dict[str, Any], opened: Callable[[], Awaitable[None]]) -> None:
    params = types.SubscriptionsListenRequestParams.model_validate({"notifications": notifications})
    async with anyio.create_task_group() as tasks:
        request: Any = types.SubscriptionsListenRequest(params=params)
        tasks.start_soon(client.session.send_request, request, types.SubscriptionsListenResult)
        await opened()
        tasks.cancel_scope.cancel()


async def test_a_task_is_told_as_polling_would_tell_it(held_web: SmallWeb, tmp_path: Path) -> None:
    tasking = Tasking()
    server = build_server(settings_for(tmp_path, held_web.base))
    async with Client(server, extensions=[tasking]) as client:
        task_id = (await begin(client, "deep_research", {"question": QUESTION, "effort": "quick"}))["taskId"]

        async def opened() -> None:
            held_web.open.set()
            while not tasking.told or tasking.told[-1]["status"] != "completed":
                await anyio.lowlevel.checkpoint()

        await listening(client, {"taskIds": [task_id, "none"]}, opened)

    last = tasking.told[-1]
    assert (last["taskId"], last["ttlMs"]) == (task_id, None)
    assert last["result"]["content"][0]["text"].startswith(f"# {QUESTION}")


async def test_who_declared_no_tasks_cannot_listen_to_them(tmp_path: Path) -> None:
    request: Any = types.SubscriptionsListenRequest(
        params=types.SubscriptionsListenRequestParams.model_validate({"notifications": {"taskIds": ["one"]}})
    )
    async with Client(build_server(settings_for(tmp_path))) as client:
        with pytest.raises(MCPError) as caught:
            await client.session.send_request(request, types.SubscriptionsListenResult)

    assert caught.value.error.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY


async def test_an_older_client_that_subscribes_on_and_on_is_told_to_stop(tmp_path: Path) -> None:
    async with Client(build_server(settings_for(tmp_path)), mode="legacy") as client:
        for number in range(1024):
            await client.subscribe_resource(f"note://{number}")
        with pytest.raises(MCPError, match="1,024 addresses are subscribed to already"):
            await client.subscribe_resource("note://more")
        await client.unsubscribe_resource("note://7")
        await client.subscribe_resource("note://more")
