import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from anyio.streams.text import TextReceiveStream
from mcp import Client, types
from mcp.client import advertise

from deepresearch_mcp.mcp_server.report_app import PAGE, STATE
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from foreign import APP_HOST, installed_by_npm, program
from small_web import QUESTION, Kept, SmallWeb, said, settings_for

MIME = "text/html;profile=mcp-app"
SHOWS = advertise("io.modelcontextprotocol/ui", {"mimeTypes": [MIME]})
ASKED = {"question": QUESTION, "effort": "quick"}


async def page_of(client: Client) -> types.TextResourceContents:
    [content] = (await client.read_resource(PAGE)).contents
    assert isinstance(content, types.TextResourceContents)
    return content


async def test_the_tool_names_its_page_and_the_page_asks_for_no_host_at_all(client: Client) -> None:
    [tool] = [one for one in (await client.list_tools()).tools if (one.meta or {}).get("ui")]
    [listed] = [one for one in (await client.list_resources()).resources if one.uri == PAGE]
    page = await page_of(client)

    assert tool.name == "show_report"
    assert tool.meta
    assert tool.meta["ui"] == {"resourceUri": PAGE}
    assert (page.mime_type, listed.mime_type) == (MIME, MIME)
    assert listed.meta
    assert all(domains == [] for domains in listed.meta["ui"]["csp"].values())


async def test_the_page_is_one_small_file_that_loads_nothing(client: Client) -> None:
    html = (await page_of(client)).text

    assert len(html) < 100_000
    assert "default-src 'none'" in html
    assert re.findall(r"<(?:link|img|iframe|object|base)\b|\bsrc=|@import|url\(", html) == []
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(", html) == []
    )
    # The name of a vocabulary is no address that is asked.
    assert set(re.findall(r"https?://[\w./]+", html)) == {"http://www.w3.org/2000/svg"}


async def test_a_client_without_pages_reads_the_report_itself(client: Client, kept: Kept) -> None:
    result = await client.call_tool("show_report", {"run_id": kept.run_id})
    report = await client.call_tool("get_report", {"run_id": kept.run_id})

    assert said(result) == said(report)
    assert said(result).startswith(f"# {QUESTION}")
    assert result.structured_content is None


async def test_a_model_whose_user_sees_the_page_gets_no_second_copy(kept: Kept) -> None:
    async with Client(build_server(settings_for(kept.home)), extensions=[SHOWS]) as client:
        result = await client.call_tool("show_report", {"run_id": kept.run_id})

    assert len(said(result)) < 300
    assert f'get_report(run_id="{kept.run_id}")' in said(result)


async def test_the_page_is_told_where_the_run_stands_beside_the_text(
    held_web: SmallWeb, tmp_path: Path, era: str
) -> None:
    async with Client(build_server(settings_for(tmp_path / "home", held_web.base)), mode=era) as client:
        started = said(await client.call_tool("deep_research", {**ASKED, "wait_seconds": 0}))
        run_id = re.findall(r'run_id="(\w{26})"', started)[0]
        running = await client.call_tool("show_report", {"run_id": run_id})
        held_web.open.set()
        await client.call_tool("get_report", {"run_id": run_id, "wait_seconds": 60})
        ended = await client.call_tool("show_report", {"run_id": run_id})

    assert said(running).startswith("Still running")
    assert running.meta
    state: dict[str, Any] = running.meta[STATE]
    assert (state["run_id"], state["status"], state["question"]) == (run_id, "running", QUESTION)
    assert state["ceilings"] == {
        "max_usd": 0.2,
        "max_tokens": 100_000,
        "max_searches": 20,
        "max_pages": 24,
        "max_minutes": 4,
    }
    assert state["figures"]["verified"] == 0
    assert ended.meta
    assert ended.meta[STATE]["status"] == "completed"
    assert ended.meta[STATE]["figures"]["verified"] > 0


async def test_a_run_that_waits_brings_its_question_to_the_page(server: ResearchServer) -> None:
    async with Client(server) as client:
        waiting = said(await client.call_tool("deep_research", {**ASKED, "approve_plan": True}))
        run_id = re.findall(r'run_id="(\w{26})"', waiting)[0]
        result = await client.call_tool("show_report", {"run_id": run_id})

    assert result.meta
    assert result.meta[STATE]["status"] == "input_required"
    assert result.meta[STATE]["waiting"]["plan"]["sub_questions"]


async def test_a_run_that_waits_for_its_client_s_model_brings_no_work_to_the_page(server: ResearchServer) -> None:
    async with Client(server) as client:
        text = said(await client.call_tool("deep_research", {**ASKED, "model": "client"}))
        run_id = re.findall(r'run_id="(\w{26})"', text)[0]
        result = await client.call_tool("show_report", {"run_id": run_id})

    assert result.meta
    assert result.meta[STATE]["waiting"]["kind"] == "work"
    assert "packets" not in result.meta[STATE]["waiting"]


async def test_a_run_that_is_not_there_is_told_in_a_sentence(client: Client) -> None:
    result = await client.call_tool("show_report", {"run_id": "none"})

    assert (result.is_error, said(result).startswith("There is no run 'none'.")) == (True, True)


HOST = Path(__file__).parent / "app_host"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the official host, bundled, and what drives it; from the npm registry."""
    folder = tmp_path_factory.mktemp("host")
    for file in HOST.iterdir():
        shutil.copy(file, folder)
    installed_by_npm(folder, *APP_HOST)
    bundle = ["node_modules/.bin/esbuild", "host.js", "--bundle", "--format=iife", "--log-level=error"]
    subprocess.run([*bundle, "--outfile=host.bundle.js"], cwd=folder, check=True, timeout=120)
    return folder


async def driven(folder: Path, given: dict[str, Any], web: SmallWeb) -> dict[str, Any]:
    """What was seen in the browser; the web is opened once the run was seen running."""
    command = [program("node", "nodejs"), "drive.mjs", json.dumps(given)]
    async with await anyio.open_process(command, cwd=folder, stderr=None) as process:
        assert process.stdout
        text = ""
        async for piece in TextReceiveStream(process.stdout):
            text += piece
            if '"at":"live"' in text:
                web.open.set()
    assert text.endswith("\n"), "The driver stopped; its last words stand above."
    return json.loads(text.splitlines()[-1])["seen"]


@pytest.mark.interop
@pytest.mark.timeout(600)
async def test_the_page_works_in_a_browser_under_the_official_host(
    host: Path, researching: str, held_web: SmallWeb, tmp_path: Path
) -> None:
    chromium = program("chromium", "chromium-headless-shell", "google-chrome", needed=False)
    shots = tmp_path / "shots"
    shots.mkdir()
    given = {"server": researching, "chromium": chromium, "question": QUESTION, "shots": str(shots)}

    seen = await driven(host, given, held_web)

    # Live, then the report, without being asked again.
    assert {"Budget", "Searches", "Cancel the run"} <= set(seen["live"].splitlines())
    assert seen["cancelled"].splitlines()[0] == "Deep research cancelled"
    assert seen["title"] == QUESTION
    assert {"In short", "Evidence", "Sources"} <= set(seen["contents"])
    # A citation opens its quote inside its source, by keyboard, and gives the focus back.
    assert seen["quote"]
    assert seen["quote"] in seen["passage"]
    assert len(seen["passage"]) > len(seen["quote"])
    assert "✓ supported" in seen["panel"]
    assert {"Source", "Site", "Date", "Read", "Quality"} <= set(seen["panel"].splitlines())
    assert (seen["closed"], seen["back"]) == (True, True)
    assert seen["bare"] == seen["quote"]
    # The host was asked for what only it may do.
    [message] = seen["host"]["messages"]
    file, whole = seen["host"]["files"]
    [address] = seen["host"]["links"]
    assert message["content"][0]["text"].startswith("And on Mars?")
    assert file["text"].startswith(f"# {QUESTION}")
    assert json.loads(whole["text"])["question"] == QUESTION
    assert address.startswith(held_web.base)
    assert seen["copied"].startswith(f"# {QUESTION}")
    assert seen["bareFollowUp"] == 0
    # What a run asks is answered on its page.
    assert {"Go on", "Decline"} <= set(seen["Go on"]["before"].splitlines())
    assert "Evidence" in seen["Go on"]["after"]
    assert seen["Decline"]["after"].splitlines()[0] == "Deep research cancelled"
    assert "The model in the conversation answers this; then the research goes on by itself." in seen["working"]
    assert not {"Go on", "Decline"} & set(seen["working"].splitlines())
    assert seen["host"]["sizes"] > 0
    # Dark as soon as the host says so.
    assert seen["dark"] == "rgb(23, 24, 26)"
    # Neither script nor style was refused by the policy, and nothing was loaded.
    assert (seen["faults"], seen["refused"], seen["asked"]) == ([], [], [])
    assert (seen["liveOverflow"], seen["narrowOverflow"]) == (0, 0)
    looks = ("liveAxe", "reportAxe", "panelAxe", "darkAxe", "narrowAxe", "workingAxe")
    assert {name: seen[name]["serious"] for name in looks} == {name: [] for name in looks}
    assert all(seen[name]["passed"] > 20 for name in looks)
    assert (seen["Go on"]["axe"]["serious"], seen["Decline"]["axe"]["serious"]) == ([], [])
    assert len(list(shots.iterdir())) == 9
