"""The metrics page in Prometheus' format: what ended runs came to, and what this process did.

Figures of sessions are read from the database: every process on it shows the same ones, so take their maximum over
processes, not their sum. Figures of steps, calls and `research_process_*` are those of the process that is asked: sum
them. The names are those of the engine design, with underscores; counters end in `_total`, as the format wants it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from deepresearch_mcp.ports.figures import StatusFigures, Totals
from deepresearch_mcp.records.judging import ANSWER_SHARE
from deepresearch_mcp.telemetry.process_figures import BOUNDS_MS, ProcessFigures, Times
from deepresearch_mcp.version import __version__

if TYPE_CHECKING:
    from prometheus_client import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
RUN_SECONDS: tuple[float, ...] = (5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600)
"""Upper bounds of a run's time, in seconds."""

_STORED = "All ended runs in the database; equal in every process."
_HERE = "This process since its start."


class _Page:
    """The families of one answer, as prometheus-client collects them."""

    def __init__(self, families: Iterable["Metric"]) -> None:
        self._families = families

    def collect(self) -> Iterator["Metric"]:
        """All families."""
        yield from self._families


def metrics_page(totals: Totals, figures: ProcessFigures) -> bytes:
    """All metrics as text in Prometheus' exposition format. `totals` were asked for with `RUN_SECONDS`."""
    # Late: only who is asked for metrics pays for the import.
    from prometheus_client import CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(_Page([*_of_sessions(totals), *_of_process(figures)]))
    return generate_latest(registry)


def _of_sessions(totals: Totals) -> Iterator["Metric"]:
    from prometheus_client.core import (
        CounterMetricFamily,
        GaugeMetricFamily,
        HistogramMetricFamily,
        SummaryMetricFamily,
    )

    by_status = ("status",)
    sessions = CounterMetricFamily("research_sessions", f"Runs that have ended. {_STORED}", labels=by_status)
    duration = HistogramMetricFamily(
        "research_session_duration_ms", f"Working time of runs. {_STORED}", labels=by_status
    )
    tokens_in = CounterMetricFamily("research_tokens_input", f"Tokens sent to models. {_STORED}", labels=by_status)
    tokens_out = CounterMetricFamily("research_tokens_output", f"Tokens that models wrote. {_STORED}", labels=by_status)
    cost = CounterMetricFamily("research_cost_dollars", f"Dollars of models and engines. {_STORED}", labels=by_status)
    searches = CounterMetricFamily("research_searches", f"Queries to engines. {_STORED}", labels=by_status)
    pages = CounterMetricFamily("research_pages", f"Pages read. {_STORED}", labels=by_status)
    enough = SummaryMetricFamily("research_sufficiency_score", f"Sufficiency, 1 to 10. {_STORED}", labels=by_status)
    quality = SummaryMetricFamily(
        "research_source_quality_score", f"Mean grade of cited sources, 0 to 1. {_STORED}", labels=by_status
    )
    rounds = SummaryMetricFamily("research_iterations", f"Rounds of research. {_STORED}", labels=by_status)
    judged = SummaryMetricFamily(
        "research_judgement_score", f"A judge's marks, 0 to 10. {_STORED}", labels=("status", "part")
    )
    for one in totals.ended:
        label = (one.status,)
        sessions.add_metric(label, one.runs)
        within = [(_bound(1_000 * bound), count) for bound, count in zip(RUN_SECONDS, one.within, strict=True)]
        duration.add_metric(label, [*within, ("+Inf", one.runs)], 1_000 * one.seconds)
        tokens_in.add_metric(label, one.input_tokens)
        tokens_out.add_metric(label, one.output_tokens)
        cost.add_metric(label, one.usd)
        searches.add_metric(label, one.searches)
        pages.add_metric(label, one.pages)
        enough.add_metric(label, one.assessed, one.sufficiency)
        quality.add_metric(label, one.graded, one.quality)
        rounds.add_metric(label, one.runs, one.rounds)
        for part, total in (("answer", one.answer), ("process", one.process), ("overall", _overall(one))):
            judged.add_metric((one.status, part), one.judged, total)
    yield from (sessions, duration, tokens_in, tokens_out, cost, searches, pages, enough, quality, rounds, judged)
    active = GaugeMetricFamily("research_sessions_active", "Runs at work, by the database.")
    active.add_metric((), totals.open.get("running", 0))
    waiting = GaugeMetricFamily("research_sessions_waiting", "Runs that wait, by the database.", labels=("for",))
    waiting.add_metric(("turn",), totals.open.get("queued", 0))
    waiting.add_metric(("user",), totals.open.get("input_required", 0))
    errors = CounterMetricFamily("research_errors", f"Runs that failed. {_STORED}")
    errors.add_metric((), sum(totals.errors.values()))
    by_type = CounterMetricFamily("research_errors_by_type", f"Runs that failed. {_STORED}", labels=("type",))
    for name, count in sorted(totals.errors.items()):
        by_type.add_metric((name,), count)
    ratings = GaugeMetricFamily("research_ratings", "Runs by their users' rating, by the database.", labels=("rated",))
    for rated in ("up", "down"):
        ratings.add_metric((rated,), totals.ratings.get(rated, 0))
    yield from (active, waiting, errors, by_type, ratings)


def _overall(one: StatusFigures) -> float:
    return ANSWER_SHARE * one.answer + (1 - ANSWER_SHARE) * one.process


def _of_process(figures: ProcessFigures) -> Iterator["Metric"]:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    steps = CounterMetricFamily("research_steps", f"Steps carried out. {_HERE}", labels=("kind", "stage", "status"))
    for labels, count in sorted(figures.steps.items()):
        steps.add_metric(labels, count)
    errors = CounterMetricFamily("research_step_errors", f"Steps that failed. {_HERE}", labels=("type",))
    for name, count in sorted(figures.errors.items()):
        errors.add_metric((name,), count)
    by_kind = HistogramMetricFamily("research_step_duration_ms", f"Time of steps. {_HERE}", labels=("kind",))
    for kind, times in sorted(figures.durations.items()):
        by_kind.add_metric((kind,), *_buckets(times))
    models = HistogramMetricFamily("research_llm_latency_ms", f"Time of model calls. {_HERE}", labels=("model", "role"))
    for labels, times in sorted(figures.model_times.items()):
        models.add_metric(labels, *_buckets(times))
    tools = HistogramMetricFamily("research_tool_latency_ms", f"Time of queries and fetches. {_HERE}", labels=("tool",))
    for tool, times in sorted(figures.tool_times.items()):
        tools.add_metric((tool,), *_buckets(times))
    active = GaugeMetricFamily("research_process_sessions_active", "Runs that this process works on.")
    active.add_metric((), len(figures.active))
    built = GaugeMetricFamily("research_build_info", "The version of this process.", labels=("version",))
    built.add_metric((__version__,), 1)
    yield from (steps, errors, by_kind, models, tools, active, built)


def _buckets(times: Times) -> tuple[Sequence[tuple[str, float]], float]:
    within, buckets = 0, list[tuple[str, float]]()
    for bound, count in zip((*map(_bound, BOUNDS_MS), "+Inf"), times.counts, strict=True):
        within += count
        buckets.append((bound, within))
    return buckets, times.total


def _bound(value: float) -> str:
    return f"{value:.1f}"
