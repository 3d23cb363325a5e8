import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.http_app.context import HttpContext, admit
from deepresearch_mcp.http_app.metrics import PATH, routes
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, Principal
from deepresearch_mcp.system_clock import SystemClock
from scholar import Scholar
from small_web import QUESTION, small_web
from whole_runs import opened, researched
from wires import Scripted, serve


@asynccontextmanager
async def client(jobs: Jobs, principal: Principal | None) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client of the route, let in as this principal."""

    async def opened_jobs() -> Jobs:
        return jobs

    context: Any = HttpContext(jobs.runtime.settings, SimpleNamespace(jobs=opened_jobs), SystemClock())  # type: ignore[arg-type]

    async def refused(_: Request, error: Exception) -> PlainTextResponse:
        return PlainTextResponse(str(error), 403)

    app: ASGIApp = Starlette(routes=routes(context), exception_handlers={DeepResearchError: refused})

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        if principal:
            admit(scope, principal)
        await app(scope, receive, send)

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=gate), base_url="http://test") as http:
        yield http


async def scraped(jobs: Jobs) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Name and labels of every sample → its value."""
    async with client(jobs, LOCAL_PRINCIPAL) as http:
        answer = await http.get(PATH)
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_what_is_scraped_after_a_run_is_what_the_run_says_of_itself(tmp_path: Path) -> None:
    scholar = Scholar()
    async with (
        small_web() as web,
        serve(Scripted(scholar.answer)) as model,
        opened(tmp_path, web, model) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")
        found = await scraped(jobs)
        steps = await jobs.runtime.store.figures.totals(())
        page = "\n".join(map(str, found))

    done = (("status", "completed"),)
    assert run.status == "completed"
    assert found["research_sessions_total", done] == 1
    assert found["research_tokens_input_total", done] == run.metrics.input_tokens > 0
    assert found["research_tokens_output_total", done] == run.metrics.output_tokens > 0
    assert found["research_cost_dollars_total", done] == run.metrics.usd
    assert found["research_searches_total", done] == run.metrics.searches
    assert found["research_pages_total", done] == run.metrics.pages
    assert math.isclose(found["research_session_duration_ms_sum", done], 1_000 * run.metrics.seconds)
    assert run.assessment is not None
    assert found["research_sufficiency_score_sum", done] == run.assessment.sufficiency
    assert found["research_iterations_sum", done] == run.metrics.rounds
    assert 0 < found["research_source_quality_score_sum", done] <= 1
    assert found["research_sessions_active", ()] == 0
    assert steps.errors == {}

    def summed(name: str, **labels: str) -> float:
        return sum(value for (one, given), value in found.items() if one == name and labels.items() <= set(given))

    assert summed("research_llm_latency_ms_count", model="openai:scholar") == run.metrics.model_calls
    assert run.provenance is not None
    assert {
        kind: summed("research_steps_total", kind=kind) for kind in run.provenance.journal
    } == run.provenance.journal
    assert summed("research_step_duration_ms_count") == sum(run.provenance.journal.values())
    assert summed("research_tool_latency_ms_count", tool="fetch") == run.provenance.journal["fetch"]
    assert web.base.removeprefix("http://") not in page
    assert QUESTION not in page


async def test_metrics_are_for_the_scope_admin_unless_a_setting_opens_them(tmp_path: Path) -> None:
    reader = Principal("token:1", frozenset({"runs:read"}))
    async with small_web() as web:
        async with opened(tmp_path, web) as jobs, client(jobs, reader) as http:
            assert (await http.get(PATH)).status_code == 403
        async with (
            opened(tmp_path, web, more={"telemetry": {"metrics_open": True}}) as jobs,
            client(jobs, None) as http,
        ):
            assert (await http.get(PATH)).status_code == 200
