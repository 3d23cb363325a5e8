"""Tools of a foreign MCP server as search engines, over standard input and over HTTP."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import UNREACHABLE, ProviderError, SettingsError, UnreadableAnswer
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.errors import was_sent
from deepresearch_mcp.search.registry import chosen, open_engines
from deepresearch_mcp.search.tool_servers import ToolServers
from deepresearch_mcp.settings.schema import SearchSettings

SERVER = Path(__file__).parents[1] / "foreign_server.py"
COMMAND = shlex.join([sys.executable, str(SERVER), "--key", "sk-secret"])
ICE = Query("why does ice float")


@asynccontextmanager
async def opened(entry: str, service: Any) -> AsyncGenerator[SearchEngine]:
    settings = SearchSettings(engines=(entry,))
    async with httpx2.AsyncClient() as http, ToolServers(http) as servers:
        [engine] = open_engines(chosen(settings), settings, http, service, HandClock(), servers)
        yield engine


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    with subprocess.Popen([sys.executable, str(SERVER), "--http"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/mcp?key=sk-secret"
        server.kill()


@pytest.mark.parametrize("form", ["structured", "links", "json", "markdown", "labelled"])
async def test_links_are_found_in_whatever_form_a_server_gives_them(service: Any, form: str) -> None:
    async with opened(f"mcp:{COMMAND}#{form}", service) as engine:
        hits = await engine.search(ICE)

    assert [(hit.url, hit.title) for hit in hits] == [
        ("https://a.example/ice", "Ice"),
        ("https://b.example/water", "Water"),
    ]
    assert "floats" in hits[0].snippet
    assert hits[0].engines == (f"mcp:foreign_server.py#{form}",)
    assert hits[0].published == (date(2026, 3, 1) if form in {"structured", "json"} else None)


async def test_a_server_with_an_address_is_asked_over_http(service: Any, address: str) -> None:
    async with opened(f"mcp:{address}#structured", service) as engine:
        assert engine.name == "mcp:127.0.0.1#structured"
        assert len(await engine.search(ICE)) == 2


async def test_a_tool_gets_what_its_schema_has_parameters_for(service: Any) -> None:
    async with opened(f"mcp:{COMMAND}#echo", service) as engine:
        [plain] = await engine.search(Query("ice", limit=5))
        [narrow] = await engine.search(Query("ice", Filters(include_domains=("a.example",), region="de"), limit=20))
        with pytest.raises(ProviderError, match="no parameter for later pages"):
            await engine.search(Query("ice", page=2))

    assert json.loads(plain.title) == {"query": "ice", "max_results": 5}
    assert json.loads(narrow.title) == {"query": "ice", "max_results": 7, "include_domains": ["a.example"]}


async def test_one_process_answers_many_queries_at_once_and_ends_with_its_owner(service: Any) -> None:
    async with opened(f"mcp:{COMMAND}#structured", service) as engine:
        async with anyio.create_task_group() as tasks:
            for number in range(5):
                tasks.start_soon(engine.search, Query(f"ice {number}"))
        assert len(_processes()) == 1

    assert _processes() == []
    with pytest.raises(ProviderError, match="closed"):
        await engine.search(ICE)


async def test_an_error_of_its_user_passes_through_the_owner_as_it_is(service: Any) -> None:
    async def use() -> None:
        async with opened(f"mcp:{COMMAND}#json", service) as engine:
            await engine.search(ICE)
            raise KeyError

    with pytest.raises(KeyError):
        await use()

    assert _processes() == []


async def test_nothing_found_is_an_empty_list(service: Any) -> None:
    async with opened(f"mcp:{COMMAND}#nothing", service) as engine:
        assert await engine.search(ICE) == []


@pytest.mark.parametrize(
    ("entry", "said", "sent"),
    [
        (f"mcp:{COMMAND}#failing", "the tool reports an error", True),
        (f"mcp:{COMMAND}#missing", "no such tool; it has dying, echo, failing", False),
        (f"mcp:{COMMAND}#numbers", "takes no text", True),
        (f"mcp:{COMMAND}#dying", "the connection broke", True),
        (f"mcp:{COMMAND}#odd", "unexpected shape", True),
        ("mcp:no-such-program --key sk-secret#search", "could not be started", False),
        (f"mcp:{sys.executable} -c pass sk-secret#search", "could not be started", False),
        ("mcp:http://127.0.0.1:1/mcp?key=sk-secret#search", UNREACHABLE, False),
    ],
)
async def test_what_goes_wrong_is_told_without_a_secret(service: Any, entry: str, said: str, sent: bool) -> None:
    async with opened(entry, service) as engine:
        with anyio.fail_after(30):
            with pytest.raises(ProviderError, match=said) as caught:
                await engine.search(ICE)

    assert "secret" not in str(caught.value)
    assert was_sent(caught.value) is sent
    assert isinstance(caught.value, UnreadableAnswer) is ("odd" in entry)


async def test_a_server_that_died_is_started_again_by_the_next_query(service: Any) -> None:
    settings = SearchSettings(engines=(f"mcp:{COMMAND}#dying", f"mcp:{COMMAND}#json"))
    async with httpx2.AsyncClient() as http, ToolServers(http) as servers:
        dying, sound = open_engines(chosen(settings), settings, http, service, HandClock(), servers)
        with pytest.raises(ProviderError, match="the connection broke"):
            await dying.search(ICE)

        assert len(await sound.search(ICE)) == 2


def test_without_an_owner_of_connections_it_cannot_be_asked(service: Any) -> None:
    settings = SearchSettings(engines=(f"mcp:{COMMAND}#json",))

    with pytest.raises(SettingsError, match=r"mcp:foreign_server\.py#json cannot be asked here"):
        open_engines(chosen(settings), settings, service.http, service, HandClock())


def _processes() -> list[str]:
    """The foreign servers that this process has started and not ended."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    return [line for line in listed if SERVER.name in line and "--http" not in line]
