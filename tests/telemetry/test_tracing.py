"""Traces: their tree, their words, and what becomes of them when a run is resumed."""

from typing import Any

import pytest
from opentelemetry import context, trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from deepresearch_mcp.events import Ended, RoundEnded, StageEntered, Started
from deepresearch_mcp.ports.journal import Used
from deepresearch_mcp.telemetry.observing import SeenStep
from deepresearch_mcp.telemetry.trace_context import following
from deepresearch_mcp.telemetry.tracing import Tracing
from otlp_collector import CALLER, MemoryTraces


@pytest.fixture
def made() -> tuple[Tracing, InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Tracing(provider.get_tracer("test"), MemoryTraces()), exporter


async def one_attempt(tracing: Tracing) -> None:
    steps = [
        SeenStep("r1", "plan", "model", "planner", 1.0, Used("anthropic:m", "planner", 0.1, 70, 30, 5)),
        SeenStep("r1", "search/ab/mcp", "search", "searcher", 1.0, Used("mcp:https://k:secret@x#t")),
        SeenStep("r1", "fetch/cd", "fetch", "searcher", 1.0, Used("one.example"), error="FetchFailed"),
        SeenStep("r1", "admit/ab/q1", "decision", "searcher", 0.1),
    ]
    async with tracing.attempt("r1"):
        tracing.happened("r1", Started("What is researched?", "anthropic:m", ("one", "two")))
        tracing.happened("r1", StageEntered("planning"))
        for step in steps:
            tracing.step_began(step)
        tracing.happened("r1", StageEntered("researching"))
        for step in steps:
            tracing.step_ended(step)
        tracing.happened("r1", RoundEnded(1, 8, enough=True, why="all is covered"))
        tracing.happened("r1", Ended("completed"))


def by_name(exporter: InMemorySpanExporter) -> dict[str, Any]:
    return {span.name: span for span in exporter.get_finished_spans()}


async def test_a_run_is_one_tree_of_stages_steps_calls_searches_and_fetches(made: Any) -> None:
    tracing, exporter = made

    await one_attempt(tracing)

    spans = by_name(exporter)
    root, stage = spans["invoke_agent deepresearch"], spans["stage planning"]
    assert stage.parent.span_id == root.context.span_id
    for name in ("chat m", "execute_tool mcp", "execute_tool fetch", "step admit"):
        assert spans[name].parent.span_id == stage.context.span_id, name
    assert dict(spans["chat m"].attributes) == {
        "deepresearch.step": "plan",
        "deepresearch.stage": "planner",
        "deepresearch.role": "planner",
        "deepresearch.usd": 0.1,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m",
        "gen_ai.usage.input_tokens": 70,
        "gen_ai.usage.output_tokens": 30,
        "gen_ai.usage.cache_read.input_tokens": 5,
    }
    assert spans["execute_tool fetch"].attributes["error.type"] == "FetchFailed"
    assert root.attributes["deepresearch.status"] == "completed"
    told = repr([(span.name, dict(span.attributes), span.events) for span in spans.values()])
    assert "secret" not in told
    assert "What is researched" not in told


async def test_a_run_belongs_to_its_callers_trace_and_a_resumed_one_goes_on_in_it(made: Any) -> None:
    tracing, exporter = made

    with following({"traceparent": CALLER}):
        await tracing.join("r1")
    await one_attempt(tracing)
    first = by_name(exporter)["invoke_agent deepresearch"]
    exporter.clear()
    await one_attempt(tracing)
    again = by_name(exporter)["invoke_agent deepresearch"]

    assert trace.format_span_id(first.parent.span_id) == "b7ad6b7169203331"
    assert {trace.format_trace_id(one.context.trace_id) for one in (first, again)} == {
        "0af7651916cd43dd8448eb211c80319c"
    }
    assert again.parent.span_id == first.context.span_id
    assert [link.context.span_id for link in again.links] == [first.context.span_id]
    assert (first.attributes["deepresearch.resumed"], again.attributes["deepresearch.resumed"]) == (False, True)
    assert trace.get_current_span(context.get_current()) is trace.INVALID_SPAN
