"""The owner of connections; what it is asked through is tried in engines/test_mcp_tool.py."""

import shlex
import sys
from pathlib import Path

import anyio
import httpx2
import pytest

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.jobs.lookups import search_web
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.search.tool_servers import ToolServers
from deepresearch_mcp.settings.tool_engines import ToolEngine
from small_web import settings_for

SERVER = shlex.join([sys.executable, str(Path(__file__).parent / "foreign_server.py")])
TOOL = ToolEngine("mcp:fake#json", SERVER, "json")


async def test_a_query_that_is_given_up_leaves_its_server_for_the_next() -> None:
    async with httpx2.AsyncClient() as http, ToolServers(http) as servers:
        with anyio.move_on_after(0):
            await servers.call(TOOL, lambda _: {"query": "ice"})

        result = await servers.call(TOOL, lambda _: {"query": "ice"})

    assert "a.example" in result.content[0].text


async def test_a_closed_owner_starts_nothing() -> None:
    async with httpx2.AsyncClient() as http:
        with pytest.raises(ProviderError, match="closed"):
            await ToolServers(http).call(TOOL, lambda _: {})


async def test_a_web_search_asks_the_servers_of_the_settings(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    search = settings.search.model_copy(update={"engines": (f"mcp:{SERVER}#markdown",)})
    async with open_runtime(settings.model_copy(update={"search": search})) as runtime:
        found = await search_web(runtime, "ice")

    assert found.engines == ("mcp:foreign_server.py#markdown",)
    assert [hit.title for hit in found.hits] == ["Ice", "Water"]
