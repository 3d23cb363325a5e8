from typing import Any

import anyio
import httpx2
import pytest

from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.places import SESSIONS, Places
from deepresearch_mcp.mcp_server.tasks import MODERN
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, PRINCIPAL_KEY, SCOPES, Principal
from http_service import OWN, Served

ANN, BEN = (Principal(f"token:{name}", frozenset(SCOPES), name) for name in ("ann", "ben"))
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


class Held:
    """Answers nobody until it is opened."""

    def __init__(self) -> None:
        self.open = anyio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.open.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})


async def asked(app: Any, principal: Principal | None, path: str = "/x", **headers: str) -> httpx2.Response:
    async def admitted(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, PRINCIPAL_KEY: principal}, receive, send)

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(admitted), base_url=f"http://{OWN}") as http:
        return await http.post(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize("other", [BEN, LOCAL_PRINCIPAL, None])
async def test_a_caller_that_holds_its_share_is_refused_and_others_are_served(other: Principal | None) -> None:
    held, statuses, refusals = Held(), list[int](), list[httpx2.Response]()
    app = Places(held, lambda _: 0, requests=2)

    async def ask(principal: Principal | None) -> None:
        statuses.append((await asked(app, principal)).status_code)

    async with anyio.create_task_group() as tasks:
        for principal in (ANN, ANN, other, other, other):
            tasks.start_soon(ask, principal)
        await anyio.wait_all_tasks_blocked()
        refusals.append(await asked(app, ANN))
        held.open.set()
    [refused], again = refusals, await asked(app, ANN)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
    assert refused.json()["detail"].startswith("You have 2 requests open at once.")
    assert statuses.count(200) == (5 if other is not BEN else 4)
    assert again.status_code == 200


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (PATH, {}, 429),
        (PATH, {"mcp_protocol_version": "2025-06-18"}, 429),
        (PATH, {"mcp_protocol_version": MODERN}, 200),
        (PATH, {"mcp_session_id": "one"}, 200),
        ("/research/runs", {}, 200),
    ],
)
async def test_a_caller_with_its_share_of_sessions_opens_no_more_and_uses_those(
    path: str, headers: dict[str, str], status: int
) -> None:
    held = Held()
    held.open.set()
    app = Places(held, lambda caller: 3 if caller == ANN.caller else 0, sessions=3)

    assert (await asked(app, ANN, path, **headers)).status_code == status
    assert (await asked(app, BEN, path, **headers)).status_code == 200


async def test_one_callers_sessions_leave_room_for_anothers(served: Served) -> None:
    greeting = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
    }
    greedy, _ = await served.token(*SCOPES)
    other, _ = await served.token(*SCOPES)
    async with served.client(greedy) as http:
        statuses = [(await http.post(PATH, json=greeting, headers=JSON)).status_code for _ in range(SESSIONS // 2 + 1)]
    async with served.client(other) as http:
        opened = await http.post(PATH, json=greeting, headers=JSON)

    assert statuses == [200] * (SESSIONS // 2) + [429]
    assert opened.status_code == 200
