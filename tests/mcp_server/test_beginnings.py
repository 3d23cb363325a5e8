"""A call that comes before the engine is open is answered in time, with the id of its run."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock
from small_web import QUESTION, SmallWeb, said, settings_for

ASK = {"question": QUESTION, "effort": "quick"}


def run_id_in(text: str) -> str:
    found = re.search(r'run_id="([0-9a-z]{26})"', text)
    assert found, text
    return found.group(1)


class SlowParts:
    """Parts that open when they are let, as those of a busy machine; or fail to."""

    def __init__(self, *, fails: bool = False) -> None:
        self.let = anyio.Event()
        self._fails = fails

    @asynccontextmanager
    async def __call__(self, settings: Settings) -> AsyncGenerator[Jobs]:
        await self.let.wait()
        if self._fails:
            raise StoreError("The disk is gone.")
        async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
            yield jobs


@asynccontextmanager
async def asked(home: Path, web: SmallWeb, parts: SlowParts, tool: str, arguments: dict[str, Any]) -> Any:
    """A client, and what it was told while the parts were still opening."""
    server = build_server(settings_for(home, web.base, wait_seconds=0.2), parts=parts)
    async with Client(server) as client:
        with anyio.fail_after(20):
            yield client, await client.call_tool(tool, arguments)


async def test_the_first_call_is_answered_while_the_engine_opens_and_its_run_begins_by_that_id(
    tmp_path: Path, web: SmallWeb
) -> None:
    parts = SlowParts()
    async with asked(tmp_path, web, parts, "deep_research", ASK) as (client, first):
        told = said(first)
        assert told.startswith("Still waiting: run ")
        run_id = run_id_in(told)
        again = await client.call_tool("get_report", {"run_id": run_id, "wait_seconds": 0.1})
        parts.let.set()
        report = await client.call_tool("get_report", {"run_id": run_id, "wait_seconds": 45})

    assert run_id_in(said(again)) == run_id
    assert "## References" in said(report)
    assert web.asked


async def test_what_a_call_waited_for_the_server_s_own_start_counts_as_waiting(tmp_path: Path, web: SmallWeb) -> None:
    server = build_server(settings_for(tmp_path, web.base, wait_seconds=60), parts=SlowParts())
    server.arrivals = dict.fromkeys(range(20), SystemClock().monotonic() - 100)
    async with Client(server) as client:
        with anyio.fail_after(20):
            told = said(await client.call_tool("deep_research", ASK))

    assert "· starting · 10" in told


async def test_a_run_that_cannot_begin_says_why_to_the_call_that_its_caller_was_told_to_make(
    tmp_path: Path, web: SmallWeb
) -> None:
    parts = SlowParts(fails=True)
    async with asked(tmp_path, web, parts, "deep_research", ASK) as (client, first):
        parts.let.set()
        result = await client.call_tool("get_report", {"run_id": run_id_in(said(first)), "wait_seconds": 45})

    assert result.is_error
    assert "The disk is gone." in said(result)


async def test_the_id_leads_to_the_run_that_was_joined(tmp_path: Path, web: SmallWeb) -> None:
    async with Client(build_server(settings_for(tmp_path, web.base))) as client:
        before = said(await client.call_tool("deep_research", {**ASK, "wait_seconds": 45}))
    parts = SlowParts()
    async with asked(tmp_path, web, parts, "deep_research", ASK) as (client, first):
        parts.let.set()
        report = await client.call_tool("get_report", {"run_id": run_id_in(said(first)), "wait_seconds": 45})
        runs = await client.call_tool("list_runs", {})

    assert said(report) == before
    assert len((runs.structured_content or {})["runs"]) == 1


async def test_a_check_is_answered_in_its_own_form_while_the_engine_opens(tmp_path: Path, web: SmallWeb) -> None:
    text = {"text": f"Water is wet [1].\n\n[1]: {web.base}/nowhere"}
    async with asked(tmp_path, web, SlowParts(), "check_citations", text) as (_, first):
        found = first.structured_content or {}

    assert found["status"] == "queued"
    assert found["next"].startswith("get_report(")


async def test_a_call_that_is_left_while_the_engine_opens_begins_nothing(tmp_path: Path, web: SmallWeb) -> None:
    parts = SlowParts()
    async with Client(build_server(settings_for(tmp_path, web.base), parts=parts)) as client:
        with pytest.raises((MCPError, TimeoutError)):
            await client.call_tool("deep_research", ASK, read_timeout_seconds=0.2)
        parts.let.set()
        runs = await client.call_tool("list_runs", {})

    assert (runs.structured_content or {})["runs"] == []
