from pathlib import Path

import pytest

from deepresearch_mcp.http_app.authentication import REVOKED_WITHIN
from deepresearch_mcp.version import __version__
from http_service import LOCAL, Served, serve_here


async def test_a_server_says_that_it_lives_and_that_its_store_answers(served: Served) -> None:
    async with served.client() as http:
        alive, ready = await http.get("/healthz"), await http.get("/readyz")

    assert (alive.status_code, alive.json()) == (200, {"status": "ok", "version": __version__})
    assert (ready.status_code, ready.json()) == (200, {"status": "ok"})


async def test_a_path_that_is_not_there_is_not_told_to_strangers(served: Served) -> None:
    async with served.client() as stranger, served.client(LOCAL) as known:
        assert (await stranger.get("/nowhere")).status_code == 401
        assert (await known.get("/nowhere")).status_code == 404


async def test_beside_the_protocol_a_refusal_is_problem_details(served: Served) -> None:
    async with served.client() as stranger:
        answer = await stranger.get("/nowhere")

    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"] == "Bearer"
    told = answer.json()
    assert (told["status"], told["code"], told["name"]) == (401, "E1105", "NOT_AUTHENTICATED")
    assert told["detail"] == "A valid token is needed."
    assert told["action"].startswith("Send the header")


async def test_a_token_of_the_store_opens_until_it_ends_or_is_revoked(served: Served) -> None:
    token, token_id = await served.token("runs:read", lasts=3600)
    async with served.client(token) as http:
        assert (await http.get("/nowhere")).status_code == 404
        served.clock.advance(3601)
        assert (await http.get("/nowhere")).status_code == 401
    token, token_id = await served.token("runs:read")
    async with served.client(token) as http, served.server.shared_context() as shared:
        assert (await http.get("/nowhere")).status_code == 404
        await (await shared.jobs()).runtime.store.tokens.revoke(token_id, served.clock.now().timestamp())
        served.clock.advance(REVOKED_WITHIN)
        assert (await http.get("/nowhere")).status_code == 401


@pytest.mark.parametrize("value", ["deepresearch_token={}", 'a=b; deepresearch_token="{}"'])
async def test_a_browser_may_show_the_token_as_a_cookie(served: Served, value: str) -> None:
    async with served.client(cookie=value.format(LOCAL)) as http:
        assert (await http.get("/nowhere")).status_code == 404


async def test_a_caller_that_asks_too_often_is_told_when_to_ask_again(tmp_path: Path) -> None:
    async with serve_here(tmp_path, requests_a_minute=2) as served:
        token, _ = await served.token("runs:read")
        other, _ = await served.token("runs:read")
        async with served.client(token) as http, served.client(other) as others, served.client() as strangers:
            found = [(await http.get("/nowhere")).status_code for _ in range(3)]
            late = await http.get("/nowhere")
            guesses = [(await strangers.get("/nowhere")).status_code for _ in range(3)]
            assert (await others.get("/nowhere")).status_code == 404
            served.clock.advance(float(late.headers["retry-after"]))
            assert (await http.get("/nowhere")).status_code == 404

    assert found == [404, 404, 429]
    assert guesses == [401, 401, 429]
    assert (late.status_code, late.headers["retry-after"]) == (429, "30")
    assert (late.json()["code"], late.json()["name"]) == ("E1202", "RATE_LIMITED")
