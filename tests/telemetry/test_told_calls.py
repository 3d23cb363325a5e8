from deepresearch_mcp.events import Event, ModelCalled
from deepresearch_mcp.telemetry.observing import SeenStep
from deepresearch_mcp.telemetry.told_calls import ToldCalls


def test_a_failed_call_is_told_with_its_error_and_other_steps_are_not_told() -> None:
    heard: list[Event] = []
    calls = ToldCalls(heard.append)

    calls.step_ended(SeenStep("r1", "search/ab/brave", "search", "searcher", 0.1))
    calls.step_ended(SeenStep("r1", "sketch", "model", "writer", 0.25, error="RateLimited"))

    assert heard == [ModelCalled("", "", "sketch", "", 0, 0, 0, 0.0, 250, "RateLimited")]
