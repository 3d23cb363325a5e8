from deepresearch_mcp.ports.journal import StepKind, Used
from deepresearch_mcp.telemetry.observing import SeenStep
from deepresearch_mcp.telemetry.process_figures import BOUNDS_MS, ProcessFigures, Times


def step(kind: StepKind, by: str, seconds: float = 0.02, error: str = "", role: str = "") -> SeenStep:
    return SeenStep("r1", f"{kind}/1", kind, "reading", seconds, Used(by, role), error)


def test_a_time_is_counted_under_the_first_bound_that_is_not_below_it() -> None:
    times = Times()
    for value in (BOUNDS_MS[0], BOUNDS_MS[0] + 1, BOUNDS_MS[-1] + 1):
        times.add(value)

    assert (times.counts[0], times.counts[1], times.counts[-1]) == (1, 1, 1)
    assert times.total == BOUNDS_MS[0] * 2 + BOUNDS_MS[-1] + 2


def test_labels_name_models_and_engines_and_never_an_address() -> None:
    figures = ProcessFigures()
    for one in (
        step("model", "openai:m", role="reader"),
        step("search", "searxng"),
        step("search", "mcp:https://x.example/?key=sk-1#find"),
        step("fetch", "private.example", error="FetchRefused"),
    ):
        figures.step_began(one)
        figures.step_ended(one)

    assert set(figures.model_times) == {("openai:m", "reader")}
    assert set(figures.tool_times) == {"searxng", "mcp", "fetch"}
    assert figures.errors == {"FetchRefused": 1}
    assert "example" not in repr(figures)


def test_however_many_names_there_are_the_labels_stay_bounded() -> None:
    figures = ProcessFigures()
    for number in range(1_000):
        figures.step_ended(step("search", f"engine{number}"))

    assert len(figures.tool_times) == 101
    assert figures.tool_times["other"].total > 0


def test_a_run_is_active_from_its_beginning_to_its_end() -> None:
    figures = ProcessFigures()
    figures.began("r1")
    figures.began("r2")
    figures.ended("r1")

    assert figures.active == {"r2"}
