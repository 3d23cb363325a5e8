"""Traces arrive at a collector, over a real wire."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.settings.telemetry import TelemetrySettings
from deepresearch_mcp.telemetry.exporting import open_tracing
from http_service import OWN, Served, serve_here
from otlp_collector import CALLER, MemoryTraces, attributes_of, collecting
from small_web import QUESTION, settings_for, small_web


@asynccontextmanager
async def speaking(served: Served, token: str) -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    transport = httpx2.ASGITransport(served.app)
    async with (
        httpx2.AsyncClient(transport=transport, base_url=f"http://{OWN}", headers=headers) as http,
        Client(streamable_http_client(f"http://{OWN}/mcp", http_client=http)) as client,
    ):
        yield client


async def test_without_its_setting_there_is_no_tracing() -> None:
    async with open_tracing(TelemetrySettings(), MemoryTraces()) as tracing:
        assert tracing is None


async def test_a_missing_package_is_told_with_how_to_install_it() -> None:
    with pytest.raises(SettingsError, match="opentelemetry-sdk"):
        async with open_tracing(TelemetrySettings(otlp_endpoint="http://127.0.0.1:1"), MemoryTraces(), lambda _: False):
            pass


@pytest.mark.parametrize("url", ["http://collector.example.org", "ftp://x", "https://u:p@x.example", "https://x?key=1"])
def test_an_address_that_would_show_traces_to_others_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        TelemetrySettings(otlp_endpoint=url)


async def test_the_trace_of_a_run_over_rest_arrives_within_the_callers(tmp_path: Path) -> None:
    with collecting() as collector:
        telemetry = {"otlp_endpoint": collector.url, "otlp_headers": "x-api-key=planted-key"}
        async with small_web() as web, serve_here(tmp_path / "home", web=web.base, telemetry=telemetry) as served:
            token, token_id = await served.token("runs:read", "runs:write")
            async with served.client(token, traceparent=CALLER) as http:
                order = {"question": QUESTION, "effort": "quick"}
                run_id = (await http.post("/research/runs", json=order)).json()["run_id"]
                run = (await http.get(f"/research/runs/{run_id}", params={"wait_seconds": 60})).json()
            other = CALLER.replace("0af7", "0bf7")
            async with speaking(served, token) as client:
                arguments = {"question": "Why do lakes freeze from above?", "wait_seconds": 0}
                await client.call_tool("deep_research", arguments, meta={"traceparent": other})
            async with served.server.shared_context() as shared:
                jobs = await shared.jobs()
                [named] = await jobs.find(f"token:{token_id}", text="lakes")
                assert (await jobs.runtime.store.traces.begin(named.run_id, ""))[0] == other
        assert run["status"] == "completed"

        [root] = [one for one in collector.named("invoke_agent") if one.trace_id.hex() in CALLER]
        own = [one for one in collector.spans if one.trace_id == root.trace_id]
        assert root.trace_id.hex() in CALLER
        assert root.parent_span_id.hex() in CALLER
        assert attributes_of(root)["deepresearch.run_id"] == run_id
        assert attributes_of(root)["deepresearch.status"] == "completed"
        for name in ("stage researching", "execute_tool searxng", "execute_tool fetch", "step admit"):
            assert any(one.name == name for one in own), name
        assert collector.headers[0]["x-api-key"] == "planted-key"
        assert QUESTION.encode() not in collector.raw
        assert b"planted-key" not in collector.raw
        assert OWN.encode() not in collector.raw
        assert settings_for(tmp_path).home.name.encode() not in collector.raw
