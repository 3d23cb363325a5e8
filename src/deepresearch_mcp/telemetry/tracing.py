"""Traces of runs for OpenTelemetry: a span for the run, its stages, its steps, model calls, searches and fetches.

Spans carry names, counts and times, never a question, a prompt, an address or a text of a page. They follow the
semantic conventions for generative AI: `invoke_agent` for the run, `chat` for a call of a model, `execute_tool` for a
search or a fetch.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from typing_extensions import override

from deepresearch_mcp.events import Ended, Event, RoundEnded, StageEntered, Started
from deepresearch_mcp.ports.journal import sub_question_in
from deepresearch_mcp.ports.watching import Traces
from deepresearch_mcp.telemetry.observing import Observer, SeenStep
from deepresearch_mcp.telemetry.trace_context import current_traceparent

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer
    from opentelemetry.util.types import AttributeValue

AGENT = "deepresearch"
_OURS = "deepresearch"


@dataclass(slots=True)
class _Open:
    """The open spans of one attempt at a run."""

    root: "Span"
    stage: "Span | None" = None
    steps: "dict[str, Span]" = field(default_factory=dict[str, "Span"])


class Tracing(Observer):
    """Makes the spans of all runs of this process."""

    def __init__(self, tracer: "Tracer", traces: Traces) -> None:
        self._tracer = tracer
        self._traces = traces
        self._open: dict[str, _Open] = {}

    async def join(self, run_id: str) -> None:
        """Let a run belong to the trace of the request that starts it."""
        if parent := current_traceparent():
            await self._traces.join(run_id, parent)

    @asynccontextmanager
    async def attempt(self, run_id: str) -> AsyncGenerator[None]:
        """Hold the span of one attempt at a run open.

        The first attempt belongs to the caller's trace. A later one belongs to the first one's trace, and links to it.
        """
        from opentelemetry.trace import Link, SpanKind, get_current_span

        caller, first = await self._traces.begin(run_id, "")
        parent = _context_of(first or caller)
        links = [Link(get_current_span(parent).get_span_context())] if first else []
        attributes: dict[str, AttributeValue] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT,
            f"{_OURS}.run_id": run_id,
            f"{_OURS}.resumed": bool(first),
        }
        root = self._tracer.start_span(f"invoke_agent {AGENT}", parent, SpanKind.INTERNAL, attributes, links)
        if not first:
            await self._traces.begin(run_id, _traceparent_of(root))
        self._open[run_id] = _Open(root)
        try:
            yield
        finally:
            self._close(run_id)

    @override
    def began(self, run_id: str) -> None:
        """`attempt` has opened the span of the run."""

    @override
    def happened(self, run_id: str, event: Event) -> None:
        if (run := self._open.get(run_id)) is None:
            return
        match event:
            case StageEntered(stage=stage):
                if run.stage:
                    run.stage.end()
                attributes: dict[str, AttributeValue] = {f"{_OURS}.stage": stage}
                run.stage = self._tracer.start_span(f"stage {stage}", _below(run.root), attributes=attributes)
            case Started(thinker=thinker, engines=engines):
                run.root.set_attributes({f"{_OURS}.thinker": thinker, f"{_OURS}.engines": len(engines)})
            case RoundEnded(round=number, sufficiency=sufficiency):
                told: dict[str, AttributeValue] = {f"{_OURS}.round": number, f"{_OURS}.sufficiency": sufficiency}
                run.root.add_event("round ended", told)
            case Ended(status=status):
                run.root.set_attribute(f"{_OURS}.status", status)
                if status == "failed":
                    _failed(run.root, "failed")
            case _:
                pass

    @override
    def step_began(self, step: SeenStep) -> None:
        if (run := self._open.get(step.run_id)) is None:
            return
        from opentelemetry.trace import SpanKind

        kind = SpanKind.INTERNAL if step.kind == "decision" else SpanKind.CLIENT
        attributes: dict[str, AttributeValue] = {f"{_OURS}.step": step.key, f"{_OURS}.stage": step.stage}
        if sub_question := sub_question_in(step.key):
            attributes[f"{_OURS}.sub_question"] = sub_question
        run.steps[step.key] = self._tracer.start_span(
            f"step {step.name}", _below(run.stage or run.root), kind, attributes
        )

    @override
    def step_ended(self, step: SeenStep) -> None:
        run = self._open.get(step.run_id)
        if run is None or (span := run.steps.pop(step.key, None)) is None:
            return
        name, attributes = _told(step)
        if name:
            span.update_name(name)
        span.set_attributes(attributes)
        if step.error:
            _failed(span, step.error)
        span.end()

    @override
    def ended(self, run_id: str) -> None:
        """`attempt` ends the spans, after the run has told how it ended."""

    def _close(self, run_id: str) -> None:
        if run := self._open.pop(run_id, None):
            for span in (*run.steps.values(), *filter(None, (run.stage,)), run.root):
                span.end()


def _told(step: SeenStep) -> "tuple[str, dict[str, AttributeValue]]":
    """The name and the attributes of a step by the conventions; "" for a step that they do not know."""
    used = step.used
    if step.kind == "model":
        provider, _, model = (used.by if used else "").partition(":")
        attributes: dict[str, AttributeValue] = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider}
        if used:
            attributes |= {
                "gen_ai.request.model": model,
                "gen_ai.response.model": model,
                "gen_ai.usage.input_tokens": used.input_tokens,
                "gen_ai.usage.output_tokens": used.output_tokens,
                "gen_ai.usage.cache_read.input_tokens": used.cached_tokens,
                f"{_OURS}.role": used.role,
                **({f"{_OURS}.usd": used.usd} if used.usd is not None else {}),
            }
        return f"chat {model}".strip(), attributes
    if step.kind in {"search", "fetch"}:
        tool = _engine(used.by if used else "") if step.kind == "search" else "fetch"
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": tool,
            "gen_ai.tool.type": "extension",
        }
        return f"execute_tool {tool}", attributes
    return "", {}


def _engine(name: str) -> str:
    # A search engine of a user's own is named after its address or command, which may hold a key.
    return "mcp" if name.startswith("mcp:") else name or "search"


def _failed(span: "Span", error: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    # The class alone: a message may quote what was researched.
    span.set_attribute("error.type", error)
    span.set_status(Status(StatusCode.ERROR))


def _below(span: "Span") -> "Context":
    from opentelemetry.trace import set_span_in_context

    return set_span_in_context(span)


def _context_of(traceparent: str) -> "Context":
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": traceparent} if traceparent else {}, Context())


def _traceparent_of(span: "Span") -> str:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier, _below(span))
    return carrier.get("traceparent", "")
