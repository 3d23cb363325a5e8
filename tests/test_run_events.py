from deepresearch_mcp.budget import Amount
from deepresearch_mcp.events import Cautioned, CeilingNear, Event, ModelCalled, Spent, degraded
from deepresearch_mcp.ports.journal import Used
from deepresearch_mcp.run_events import RunEvents
from deepresearch_mcp.telemetry.observing import Observer, SeenStep
from deepresearch_mcp.telemetry.process_figures import ProcessFigures


class Heard(ProcessFigures):
    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []

    def happened(self, run_id: str, event: Event) -> None:
        self.events.append(event)


def test_run_and_observers_are_told_the_same() -> None:
    told: list[Event] = []
    heard = Heard()
    observers: list[Observer] = [heard]
    events = RunEvents("r1", told.append, observers)

    events.happened(Cautioned("Look."))
    events.level_rose("max_usd", "warned")
    events.spent(Amount(0.1, 10, 1, 1))
    for observer in events.observers:
        observer.step_ended(SeenStep("r1", "read/q1/ab", "model", "reader", 0.5, Used("p:m", "reader", 0.1, 7, 3)))

    assert told == [
        Cautioned("Look."),
        CeilingNear("max_usd", "warned"),
        Spent(0.1, 10, 1, 1),
        ModelCalled("p:m", "reader", "read", "q1", 7, 3, 0, 0.1, 500),
    ]
    assert heard.events == told
    assert events.warnings == ["Look."]


def test_an_equal_degradation_is_counted_and_told_once() -> None:
    told: list[Event] = []
    events = RunEvents("r1", told.append, ())

    events.happened(degraded("model", "answer", "busy", "another was asked"))
    events.happened(degraded("model", "answer", "busy", "another was asked"))

    assert len(told) == 1
