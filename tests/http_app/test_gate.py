from typing import Any

import httpx2
import pytest
from mcp.server.transport_security import TransportSecuritySettings

from deepresearch_mcp.http_app.authentication import LocalToken
from deepresearch_mcp.http_app.gate import Gate
from deepresearch_mcp.mcp_server.wire import LONGEST

OWN = "127.0.0.1:8765"
TOKEN = "a-token-of-more-than-thirty-two-characters"
JSON = {"content-type": "application/json"}
SHOWN = JSON | {"authorization": f"Bearer {TOKEN}"}


class Inner:
    """Answers what is handed on, and never looks at a body."""

    asked = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})


async def asked(
    headers: dict[str, str], *, token: str | None = TOKEN, path: str = "/mcp", method: str = "POST"
) -> httpx2.Response:
    inner = Inner()
    security = TransportSecuritySettings(allowed_hosts=[OWN], allowed_origins=[f"http://{OWN}"])
    transport = httpx2.ASGITransport(Gate(inner, security, LocalToken(token) if token else None, ("/healthz",)))
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://{OWN}") as http:
        answer = await http.request(method, path, headers=headers, content=b"{}" if method == "POST" else None)
    assert bool(inner.asked) is (answer.status_code == 200)
    assert answer.status_code == 200 or answer.headers["connection"] == "close"
    return answer


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (SHOWN, 200),
        (SHOWN | {"authorization": f"bearer  {TOKEN} "}, 200),
        (SHOWN | {"origin": f"http://{OWN}"}, 200),
        (JSON, 401),
        (JSON | {"authorization": "Bearer wrong"}, 401),
        (JSON | {"authorization": f"Basic {TOKEN}"}, 401),
        (JSON | {"authorization": "Bearer "}, 401),
        (JSON | {"authorization": "Bearer \u00e9"}, 401),
        (SHOWN | {"host": "evil.example"}, 421),
        (SHOWN | {"origin": "http://evil.example"}, 403),
        (SHOWN | {"content-type": "text/plain"}, 400),
        (SHOWN | {"content-length": str(LONGEST + 1)}, 413),
        (SHOWN | {"content-length": "9" * 400}, 413),
    ],
)
async def test_a_request_is_judged_by_its_head_alone(headers: dict[str, str], status: int) -> None:
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}

    assert (await asked(encoded)).status_code == status  # type: ignore[arg-type]


async def test_a_stranger_is_told_that_a_token_is_needed_and_not_which() -> None:
    answer = await asked(JSON)

    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"]["message"].startswith("A token is needed. Send the header “Authorization: Bearer")
    assert TOKEN not in answer.text


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS"])
async def test_other_methods_need_the_token_as_well(method: str) -> None:
    assert (await asked({}, method=method)).status_code == 401
    assert (await asked(SHOWN, method=method)).status_code == 200


async def test_an_open_path_needs_no_token_but_a_host_of_ours() -> None:
    assert (await asked({}, path="/healthz", method="GET")).status_code == 200
    assert (await asked({"host": "evil.example"}, path="/healthz", method="GET")).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status", "setting"),
    [({"host": "evil.example"}, 421, "http.allowed_hosts"), ({"origin": "http://evil.example"}, 403, "address")],
)
async def test_a_wrong_host_or_origin_is_told_as_every_error_is(
    headers: dict[str, str], status: int, setting: str
) -> None:
    answer = await asked(SHOWN | headers, path="/research/runs", method="GET")

    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["detail"]
    assert answer.json()["code"].startswith("E")
    assert setting in answer.json()["action"]


async def test_without_a_token_each_caller_of_this_machine_is_served() -> None:
    assert (await asked(JSON, token=None)).status_code == 200
    assert (await asked(JSON | {"host": "evil.example"}, token=None)).status_code == 421


async def test_the_cookie_of_this_port_goes_before_one_of_all_ports() -> None:
    """Browsers give the cookies of a host to all its ports."""
    other = {"cookie": "deepresearch_token_9=wrong; deepresearch_token=wrong"}
    own = {"cookie": f"deepresearch_token=wrong; deepresearch_token_8765={TOKEN}"}

    assert (await asked(JSON | other)).status_code == 401
    assert (await asked(JSON | own)).status_code == 200
