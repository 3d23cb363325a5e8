import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest

from deepresearch_mcp.http_app.worker_metrics import serving_metrics, worker_app
from deepresearch_mcp.jobs.jobs import Jobs
from small_web import small_web
from whole_runs import opened, researched


@asynccontextmanager
async def asking(jobs: Jobs) -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=worker_app(jobs.runtime))
    async with httpx2.AsyncClient(transport=transport, base_url="http://10.1.2.3:9464") as http:
        yield http


async def test_a_worker_tells_the_steps_it_carried_out_to_whom_may_see_them(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs, asking(jobs) as http:
        await researched(jobs)
        tokens = jobs.runtime.store.tokens
        admin, _ = await tokens.create("prometheus", ("admin",), 0.0)
        reader, _ = await tokens.create("ann", ("runs:read",), 0.0)

        told = await http.get("/metrics", headers={"authorization": f"Bearer {admin}"})
        refused = [
            (await http.get("/metrics", headers={"authorization": given} if given else {})).status_code
            for given in ("", "Bearer drt_wrong", f"Bearer {reader}")
        ]
        lives = await http.get("/healthz")
        other = [(await http.get(path)).status_code for path in ("/", "/mcp", "/research/runs", "/openapi.json")]

    assert 'research_steps_total{kind="fetch",stage="searcher",status="done"}' in told.text
    assert 'research_sessions_total{status="completed"} 1.0' in told.text
    assert refused == [401, 401, 403]
    assert lives.json()["status"] == "ok"
    assert other == [401] * 4


async def test_a_setting_opens_the_figures_of_a_worker(tmp_path: Path) -> None:
    more = {"telemetry": {"metrics_open": True}}
    async with small_web() as web, opened(tmp_path, web, more=more) as jobs, asking(jobs) as http:
        assert (await http.get("/metrics")).status_code == 200
        assert (await http.get("/research/runs")).status_code == 401


async def test_figures_are_served_until_the_worker_ends_however_it_ends(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/healthz"
            with anyio.fail_after(10), anyio.CancelScope() as scope:
                async with serving_metrics(jobs.runtime, listener), httpx2.AsyncClient() as http:
                    assert (await http.get(address)).status_code == 200
                    scope.cancel()
                    await anyio.sleep_forever()
        async with httpx2.AsyncClient() as http:
            with pytest.raises(httpx2.ConnectError):
                await http.get(address)
