import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from deepresearch_mcp.http_app.local_token import FILE
from deepresearch_mcp.mcp_server.wire import LONGEST
from deepresearch_mcp.version import __version__
from served import serving
from small_web import QUESTION, SmallWeb, said


@pytest.fixture
def address(child_env: dict[str, str]) -> Iterator[str]:
    with serving(child_env) as url:
        yield url


async def test_one_address_serves_both_eras_and_only_those_who_mean_it(address: str) -> None:
    for era in ("auto", "legacy"):
        async with Client(address, mode=era) as client:
            assert len((await client.list_tools()).tools) == 10
            assert (await client.call_tool("list_runs", {})).structured_content == {"runs": [], "next_cursor": None}

    async with httpx2.AsyncClient() as http:
        health = await http.get(address.replace("/mcp", "/healthz"))
        rebound = await http.post(address, json={}, headers={"host": "evil.example"})
        foreign = await http.post(address, json={}, headers={"origin": "http://evil.example"})

        mistaken = await http.get(address.replace("/mcp", "/healthz"), headers={"host": "evil.example"})

    assert (health.status_code, health.json()) == (200, {"status": "ok", "version": __version__})
    assert mistaken.status_code == 421
    assert (rebound.status_code, foreign.status_code) == (421, 403)


@pytest.mark.interop
async def test_a_run_outlives_the_connection_that_asked_for_it(era: str, researching: str, held_web: SmallWeb) -> None:
    asked = {"question": QUESTION, "effort": "quick"}
    async with Client(researching, mode=era) as client:
        first = await client.call_tool("deep_research", {**asked, "wait_seconds": 0})
    held_web.open.set()
    async with Client(researching, mode=era) as client:
        second = await client.call_tool("deep_research", {**asked, "wait_seconds": 60})

    assert said(first).startswith("Still running")
    assert said(second).startswith(f"# {QUESTION}")


async def test_another_address_of_this_machine_serves_whom_it_is_announced_to(child_env: dict[str, str]) -> None:
    with serving(child_env, "--no-token", "--host", "127.0.0.2") as address:
        async with Client(address) as client:
            served = await client.call_tool("list_runs", {})
        async with httpx2.AsyncClient() as http:
            other = await http.post(address, json={}, headers={"host": "127.0.0.3"})

    assert urlsplit(address).hostname == "127.0.0.2"
    assert served.structured_content == {"runs": [], "next_cursor": None}
    assert other.status_code == 421


async def test_no_token_no_runs(child_env: dict[str, str]) -> None:
    with serving(child_env, "--token") as address:
        token = (Path(child_env["DEEPRESEARCH_HOME"]) / FILE).read_text().strip()
        async with httpx2.AsyncClient() as http:
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_runs"}}
            stranger = await http.post(address, json=call)
            guessing = await http.post(address, json=call, headers={"authorization": "Bearer guess"})
            healthy = await http.get(address.replace("/mcp", "/healthz"))
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            known = await client.call_tool("list_runs", {})

    assert (stranger.status_code, guessing.status_code, healthy.status_code) == (401, 401, 200)
    assert known.structured_content == {"runs": [], "next_cursor": None}


async def test_withheld_bodies_keep_no_one_from_being_served(child_env: dict[str, str]) -> None:
    with serving(child_env) as address:
        where = urlsplit(address)
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {LONGEST}\r\n\r\n"
        ).encode()
        withheld = b"x" * (LONGEST - 1)
        writers: list[asyncio.StreamWriter] = []
        for _ in range(60):
            _, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(head + withheld)
            writers.append(writer)
        async with Client(address) as client:
            with anyio.fail_after(10):
                served = await client.call_tool("list_runs", {})
        for writer in writers:
            writer.transport.abort()

    assert served.structured_content == {"runs": [], "next_cursor": None}


@pytest.mark.parametrize(("trusted", "others"), [("[]", 429), ('["127.0.0.0/8"]', 401)])
async def test_strangers_behind_a_proxy_that_is_trusted_do_not_slow_each_other_down(
    trusted: str, others: int, child_env: dict[str, str]
) -> None:
    env = child_env | {"DEEPRESEARCH_HTTP__TRUSTED_PROXIES": trusted, "DEEPRESEARCH_HTTP__REQUESTS_A_MINUTE": "2"}
    with serving(env, "--token") as address:
        async with httpx2.AsyncClient(base_url=address.removesuffix("/mcp")) as http:

            async def asked(by: str) -> int:
                # As nginx adds it: the last address is that of the proxy before it.
                headers = {"x-forwarded-for": f"{by}, 127.0.0.2"}
                return (await http.get("/research/runs", headers=headers)).status_code

            guesses = [await asked("203.0.113.5") for _ in range(3)]
            other = await asked("203.0.113.6")

    assert guesses == [401, 401, 429]
    assert other == others
