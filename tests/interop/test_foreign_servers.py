"""A tool of an MCP server from npm as search engine: its own program, started by us as users name it in settings."""

import json
import shlex
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import EnginesDead
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.lookups import search_web
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from foreign import MEMORY_SERVER, installed_by_npm
from small_web import PAGES, QUESTION, SmallWeb, settings_for, small_web
from whole_runs import researched

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the server."""
    return installed_by_npm(tmp_path_factory.mktemp("servers"), MEMORY_SERVER)


def remembering(file: Path, web: SmallWeb) -> Path:
    """Fill the server's file: a node for each page of the small web, whose notes hold its address."""
    nodes = [
        {
            "type": "entity",
            "name": title,
            "entityType": "page",
            "observations": [f"It answers: {QUESTION}", f"Read it at {web.base}{path}."],
        }
        for path, (title, _) in PAGES.items()
    ]
    file.write_text("\n".join(map(json.dumps, nodes)))
    return file


def entry(memory: Path, *command: str, tool: str = "search_nodes") -> str:
    """An entry of `search.engines`."""
    return f"mcp:{shlex.join(['env', f'MEMORY_FILE_PATH={memory}', *command])}#{tool}"


@asynccontextmanager
async def jobs_with(engine: str, home: Path, web: SmallWeb) -> AsyncGenerator[Jobs]:
    table = settings_for(home, web.base).model_dump()
    # npx may have to download the server first.
    table["search"] |= {"engines": [engine], "timeout": 90.0}
    async with open_runtime(Settings.model_validate(table)) as runtime, open_jobs(runtime) as jobs:
        yield jobs


@pytest.mark.parametrize("started", ["npx", "its program"])
async def test_its_search_is_asked_and_the_links_in_its_notes_are_hits(
    installed: Path, tmp_path: Path, started: str
) -> None:
    npx = shutil.which("npx") or ""
    program = str(installed / "node_modules" / ".bin" / "mcp-server-memory")
    command = [npx, "-y", MEMORY_SERVER] if started == "npx" else [program]
    async with small_web() as web:
        memory = remembering(tmp_path / "memory.jsonl", web)
        async with jobs_with(entry(memory, *command), tmp_path / "home", web) as jobs:
            found = await search_web(jobs.runtime, "ice float")
            nothing = await search_web(jobs.runtime, "the price of copper")

    assert {hit.url: hit.title for hit in found.hits} == {web.base + path: title for path, (title, _) in PAGES.items()}
    assert all(QUESTION in hit.snippet for hit in found.hits)
    assert nothing.hits == ()
    assert web.asked == []


async def test_a_run_reads_and_cites_the_pages_that_it_names(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "node_modules" / ".bin" / "mcp-server-memory")
    async with small_web() as web:
        memory = remembering(tmp_path / "memory.jsonl", web)
        async with jobs_with(entry(memory, program), tmp_path / "home", web) as jobs:
            run = await researched(jobs)

    assert run.status == "completed", run.warnings
    assert run.provenance.engines == ("mcp:mcp-server-memory#search_nodes",)
    assert any(source.url.startswith(web.base) for source in run.sources)
    assert "less dense than liquid water" in run.report
    assert str(memory) not in run.model_dump_json()


async def test_a_tool_that_it_lacks_is_told_with_those_that_it_has(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "node_modules" / ".bin" / "mcp-server-memory")
    async with small_web() as web:
        memory = remembering(tmp_path / "memory.jsonl", web)
        async with jobs_with(entry(memory, program, tool="web_search"), tmp_path / "home", web) as jobs:
            with pytest.raises(EnginesDead, match=r"no such tool; it has .*search_nodes"):
                await search_web(jobs.runtime, "ice")
