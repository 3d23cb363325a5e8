"""Traces arrive at a collector, over a real wire."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from deepresearch_mcp.settings.telemetry import TelemetrySettings
from deepresearch_mcp.telemetry.exporting import open_tracing
from http_service import OWN, serve_here
from otlp_collector import CALLER, MemoryTraces, attributes_of, collecting
from small_web import QUESTION, settings_for, small_web


async def test_without_its_setting_there_is_no_tracing() -> None:
    async with open_tracing(TelemetrySettings(), MemoryTraces()) as tracing:
        assert tracing is None


@pytest.mark.parametrize("url", ["http://collector.example.org", "ftp://x", "https://u:p@x.example", "https://x?key=1"])
def test_an_address_that_would_show_traces_to_others_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        TelemetrySettings(otlp_endpoint=url)


async def test_the_trace_of_a_run_over_rest_arrives_within_the_callers(tmp_path: Path) -> None:
    with collecting() as collector:
        telemetry = {"otlp_endpoint": collector.url, "otlp_headers": "x-api-key=planted-key"}
        async with small_web() as web, serve_here(tmp_path / "home", web=web.base, telemetry=telemetry) as served:
            token, _ = await served.token("runs:read", "runs:write")
            async with served.client(token, traceparent=CALLER) as http:
                order = {"question": QUESTION, "effort": "quick"}
                run_id = (await http.post("/research/runs", json=order)).json()["run_id"]
                run = (await http.get(f"/research/runs/{run_id}", params={"wait_seconds": 60})).json()
        assert run["status"] == "completed"

        [root] = collector.named("invoke_agent")
        assert root.trace_id.hex() in CALLER
        assert root.parent_span_id.hex() in CALLER
        assert attributes_of(root)["deepresearch.run_id"] == run_id
        assert attributes_of(root)["deepresearch.status"] == "completed"
        assert {one.trace_id for one in collector.spans} == {root.trace_id}
        for name in ("stage researching", "execute_tool searxng", "execute_tool fetch", "step admit"):
            assert collector.named(name), name
        assert collector.headers[0]["x-api-key"] == "planted-key"
        assert QUESTION.encode() not in collector.raw
        assert b"planted-key" not in collector.raw
        assert OWN.encode() not in collector.raw
        assert settings_for(tmp_path).home.name.encode() not in collector.raw
