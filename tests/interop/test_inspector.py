"""The Inspector, in both eras: with its own sixty seconds, and a run that lasts longer, on a server as it comes."""

import json
import re
from typing import Any

import anyio
import pytest

from foreign import SERVER, is_report, output_of
from served import serving
from small_web import QUESTION, SmallWeb

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

ERAS = ("legacy", "modern")


async def inspected(era: str, *options: str, env: dict[str, str]) -> dict[str, Any]:
    told = await output_of(["mcp-inspector", "--cli", *options, "--protocol-era", era, "--format", "json"], env)
    return json.loads(told)["result"]


@pytest.mark.parametrize("era", ERAS)
async def test_it_finds_no_fault_in_our_tools(
    node_env: dict[str, str], server_env: dict[str, str], tmp_path: Any, era: str
) -> None:
    config = tmp_path / "inspector.json"
    server = {"command": SERVER[0], "args": SERVER[1:], "env": server_env}
    config.write_text(json.dumps({"mcpServers": {"research": server}}))
    started = ["--config", str(config), "--server", "research"]

    listed = await inspected(era, *started, "--method", "tools/list", "--strict", env=node_env)

    assert {"deep_research", "get_report", "list_runs"} <= {tool["name"] for tool in listed["tools"]}


@pytest.mark.parametrize("lasts", [62.0])
async def test_a_run_of_more_than_its_sixty_seconds_ends_in_a_report(
    slow_web: SmallWeb, node_env: dict[str, str], server_env: dict[str, str]
) -> None:
    texts: dict[str, list[str]] = {era: [] for era in ERAS}

    async def called(url: str, era: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        named = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
        return await inspected(era, url, "--transport", "http", *named, env=node_env)

    async def follow(url: str, era: str) -> None:
        tool, arguments = "deep_research", {"question": QUESTION, "effort": "quick"}
        while tool:
            result = await called(url, era, tool, arguments)
            texts[era].append(result["content"][0]["text"])
            found = re.search(r'Next: (get_report)\(run_id="(\w+)", wait_seconds=(\d+)\)$', texts[era][-1])
            tool, run_id, seconds = found.groups() if found else ("", "", 0)
            arguments = {"run_id": run_id, "wait_seconds": int(seconds)}

    with serving(server_env) as url:
        async with anyio.create_task_group() as tasks:
            for era in ERAS:
                tasks.start_soon(follow, url, era)
        listed = await called(url, "legacy", "list_runs", {})

    assert all(is_report(texts[era][-1], slow_web) for era in ERAS)
    # In the newer era it is given a task, and looks after it by itself.
    assert {era: len(texts[era]) for era in ERAS} == {"legacy": 2, "modern": 1}
    # Who asks the same joins the run that is there.
    [run] = listed["structuredContent"]["runs"]
    assert run["status"] == "completed"
