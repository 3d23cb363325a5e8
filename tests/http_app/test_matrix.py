"""Every route, tool and resource against every kind of token, from the application's own lists."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from starlette.routing import Mount, Route

from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.app import OPEN_PATHS, ROUTES
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.mcp_server.resources import RUNS, templates
from deepresearch_mcp.mcp_server.toolbox import TOOLS, scope_of
from deepresearch_mcp.records.principal import SCOPES
from http_service import OWN, Served, serve_here

KINDS = ("none", "wrong", "expired", "revoked")
"""Tokens with which nothing may be opened."""


@pytest.fixture
async def tokens(served: Served) -> dict[str, str]:
    """A token of every kind, by its name."""
    short, _ = await served.token(*SCOPES, lasts=1.0)
    ended, token_id = await served.token(*SCOPES)
    async with served.server.shared_context() as shared:
        await (await shared.jobs()).runtime.store.tokens.revoke(token_id, served.clock.now().timestamp())
    served.clock.advance(2.0)
    good, _ = await served.token(*SCOPES)
    powerless, _ = await served.token()
    reader, _ = await served.token("runs:read")
    return {
        "none": "",
        "wrong": good[:-1] + ("a" if good[-1] != "a" else "b"),
        "expired": short,
        "revoked": ended,
        "powerless": powerless,
        "reader": reader,
        "good": good,
    }


async def all_routes(served: Served) -> list[tuple[str, str]]:
    """Each method and path of the application, path parameters filled with an id."""
    async with served.server.shared_context() as shared:
        context = HttpContext(shared.settings, shared, served.clock)
        found = [route for routes in ROUTES for route in routes(context)]
    pairs: list[tuple[str, str]] = [("POST", PATH), ("GET", PATH), ("DELETE", PATH)]
    for route in found:
        assert isinstance(route, Route | Mount)
        path = "/".join("x" if part.startswith("{") else part for part in route.path.split("/"))
        pairs += [(method, path) for method in (getattr(route, "methods", None) or {"GET"})]
    return pairs


@pytest.mark.parametrize("kind", KINDS)
async def test_no_route_is_opened_without_a_valid_token(served: Served, tokens: dict[str, str], kind: str) -> None:
    opened: list[tuple[str, str]] = []
    async with served.client(tokens[kind]) as http:
        for method, path in await all_routes(served):
            is_open = path in OPEN_PATHS or any(path.startswith(one) for one in OPEN_PATHS if one.endswith("/"))
            answer = await http.request(method, path)
            if answer.status_code != 401 and not is_open:
                opened.append((method, path))

    assert opened == []


async def test_a_token_without_scopes_opens_no_protocol(served: Served, tokens: dict[str, str]) -> None:
    async with served.client(tokens["powerless"]) as http:
        answer = await http.post(PATH, json={})

    assert answer.status_code == 403
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]


@asynccontextmanager
async def speaking(served: Served, token: str, era: str) -> AsyncGenerator[Client]:
    """An MCP client that shows a token."""
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(served.app), base_url=f"http://{OWN}", headers=headers
        ) as http,
        Client(streamable_http_client(f"http://{OWN}{PATH}", http_client=http), mode=era) as client,
    ):
        yield client


def arguments_of(name: str, run_id: str) -> dict[str, Any]:
    """What a tool has to be given at least."""
    known = {
        "deep_research": {"question": "Why does ice float?", "wait_seconds": 0},
        "check_citations": {"run_id": run_id, "wait_seconds": 0},
        "list_runs": {},
        "web_search": {"query": "ice"},
        "fetch_url": {"url": "https://example.org/"},
        "search_library": {"query": "ice"},
    }
    return known.get(name, {"run_id": run_id})


async def test_a_tool_that_changes_or_spends_is_refused_to_who_may_only_read(
    served: Served, tokens: dict[str, str]
) -> None:
    async with speaking(served, tokens["reader"], "auto") as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        for name in offered:
            result = await client.call_tool(name, arguments_of(name, "none"))
            refused = "does not have the scope" in str(result.content)
            assert refused is (scope_of(name) != "runs:read"), name
    assert {spec.function.__name__ for spec in TOOLS if spec.toolset != "chatgpt"} <= offered


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_no_tool_and_no_resource_opens_anothers_run(tmp_path: Path, era: str) -> None:
    async with serve_here(tmp_path / "home") as served:
        mine, token_id = await served.token(*SCOPES)
        foreign, _ = await served.token(*SCOPES)
        async with served.server.shared_context() as shared:
            jobs = await shared.jobs()
            request = checked_request({"question": "Why does ice float, of all things?", "effort": "quick"})
            run_id = (await jobs.start_or_join(request, f"token:{token_id}")).run_id
            await jobs.cancel(run_id, f"token:{token_id}")
        addresses = [one.uri_template.split("{?")[0] for one in templates()]
        addresses = [one.format(run_id=run_id, claim_id="c1", source_id="s1") for one in addresses]
        async with speaking(served, foreign, era) as client:
            for spec in TOOLS:
                name = spec.function.__name__
                if "run_id" in arguments_of(name, run_id) and spec.toolset != "chatgpt":
                    answer = await client.call_tool(name, arguments_of(name, run_id))
                    assert answer.is_error, name
                    assert "of all things" not in str(answer), name
            assert "of all things" not in str(await client.call_tool("list_runs", {}))
            for uri in addresses:
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            assert run_id not in str(await client.read_resource(RUNS))
            assert run_id not in str(await client.list_resources())
        async with speaking(served, mine, era) as client:
            assert run_id in str(await client.call_tool("list_runs", {}))
            assert run_id in str(await client.read_resource(f"{RUNS}/{run_id}"))
