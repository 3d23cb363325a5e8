import pytest

from deepresearch_mcp.attribution import actor_of, parent_of
from deepresearch_mcp.events import Answered, Degraded, Event, ModelCalled, SectionWritten, StageEntered


@pytest.mark.parametrize(
    ("event", "actor", "parent"),
    [
        (Answered("brave", "ice", 3, "q2"), "brave", "q2"),
        (ModelCalled("anthropic:m", "reader", "read", "q1", 9, 1, 0, 0.1, 5), "anthropic:m", "q1"),
        (SectionWritten("Ice"), "writer", "run"),
        (StageEntered("planning"), "run", "run"),
        (Degraded("Something was done otherwise."), "run", "run"),
    ],
)
def test_every_event_says_who_did_it_and_what_it_is_part_of(event: Event, actor: str, parent: str) -> None:
    assert (actor_of(event.kind, event.data()), parent_of(event.data())) == (actor, parent)
