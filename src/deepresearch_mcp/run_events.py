"""Where the events of one run go: degradations counted together, cautions kept, observers told."""

from collections.abc import Sequence

from deepresearch_mcp.budget import Amount
from deepresearch_mcp.degradations import DegradationLog
from deepresearch_mcp.events import Cautioned, CeilingNear, Degraded, Event, EventSink, Level, Spent
from deepresearch_mcp.telemetry.observing import Observer
from deepresearch_mcp.telemetry.told_calls import ToldCalls


class RunEvents:
    """Receives what happens in one attempt at a run."""

    def __init__(self, run_id: str, emit: EventSink, observers: Sequence[Observer]) -> None:
        self.warnings: list[str] = []
        self.degradations = DegradationLog(self.warnings)
        self.observers: tuple[Observer, ...] = (*observers, ToldCalls(self.happened))
        """What observes the steps of the run."""
        self._run_id = run_id
        self._emit = emit
        self._told = tuple(observers)

    def happened(self, event: Event) -> None:
        """Pass on an event; a degradation that was told before is only counted."""
        if isinstance(event, Cautioned) and event.what not in self.warnings:
            self.warnings.append(event.what)
        if not isinstance(event, Degraded) or self.degradations.add(event):
            self._emit(event)
            for observer in self._told:
                observer.happened(self._run_id, event)

    def level_rose(self, kind: str, level: Level) -> None:
        """Tell that a ceiling is near."""
        self.happened(CeilingNear(kind, level))

    def spent(self, used: Amount) -> None:
        """Tell the ledger's totals."""
        self.happened(Spent(used.usd, used.tokens, used.searches, used.pages))
