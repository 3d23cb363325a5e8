from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.http_app.health import routes
from deepresearch_mcp.mcp_server.server_context import open_server_context
from small_web import settings_for


@asynccontextmanager
async def no_store() -> AsyncGenerator[Any]:
    raise StoreError("secret-host is not reachable.", "Start it.")
    yield


async def test_a_server_without_its_store_lives_but_is_not_ready_and_says_no_more(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    async with open_server_context(settings, lambda _: no_store()) as shared:
        app = Starlette(routes=routes(HttpContext(settings, shared, HandClock())))
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://a") as http:
            alive, ready = await http.get("/healthz"), await http.get("/readyz")

    assert alive.status_code == 200
    assert (ready.status_code, ready.json()) == (503, {"status": "unavailable"})
    assert "secret-host" not in ready.text
