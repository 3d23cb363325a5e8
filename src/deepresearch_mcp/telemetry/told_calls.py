"""Tells each call of a model as an event of its run."""

from typing_extensions import override

from deepresearch_mcp.events import Event, EventSink, ModelCalled
from deepresearch_mcp.ports.journal import Used, sub_question_in
from deepresearch_mcp.telemetry.observing import Observer, SeenStep


class ToldCalls(Observer):
    """Emits `ModelCalled` for the steps of one run that asked a model."""

    def __init__(self, emit: EventSink) -> None:
        self._emit = emit

    @override
    def began(self, run_id: str) -> None:
        """Only ends of calls are told."""

    @override
    def happened(self, run_id: str, event: Event) -> None:
        """Events are told by the run itself."""

    @override
    def step_began(self, step: SeenStep) -> None:
        """A call is told at its end."""

    @override
    def step_ended(self, step: SeenStep) -> None:
        if step.kind != "model":
            return
        used = step.used or Used()
        called = ModelCalled(
            model=used.by,
            role=used.role,
            task=step.name,
            sub_question=sub_question_in(step.key),
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            cached_tokens=used.cached_tokens,
            usd=used.usd,
            ms=round(1_000 * step.seconds),
            error=step.error,
        )
        self._emit(called)

    @override
    def ended(self, run_id: str) -> None:
        """The run tells its own end."""
