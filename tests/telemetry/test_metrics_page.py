from prometheus_client.parser import text_string_to_metric_families

from deepresearch_mcp.ports.figures import StatusFigures, Totals
from deepresearch_mcp.telemetry.metrics_page import RUN_SECONDS, metrics_page
from deepresearch_mcp.telemetry.process_figures import ProcessFigures

ENGINE_DESIGN = {
    *("research_sessions", "research_sessions_active", "research_steps", "research_session_duration_ms"),
    *("research_step_duration_ms", "research_llm_latency_ms", "research_tool_latency_ms", "research_tokens_input"),
    *("research_tokens_output", "research_cost_dollars", "research_sufficiency_score"),
    *("research_source_quality_score", "research_iterations", "research_errors", "research_errors_by_type"),
}


def test_every_metric_of_the_engine_design_is_there_before_any_run_and_says_where_it_comes_from() -> None:
    page = metrics_page(Totals(), ProcessFigures()).decode()
    families = {one.name: one for one in text_string_to_metric_families(page)}

    assert families.keys() >= ENGINE_DESIGN
    assert all(any(word in one.documentation for word in ("database", "process")) for one in families.values()), (
        "each says of what it is a figure"
    )


def test_buckets_of_run_times_are_cumulative() -> None:
    within = tuple(range(1, len(RUN_SECONDS) + 1))
    one = StatusFigures("completed", 20, 100.0, 1.0, 1, 1, 1, 1, 1, 1, 1, 1.0, 1, within)
    page = metrics_page(Totals(ended=[one]), ProcessFigures()).decode()

    buckets = [
        sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
        if sample.name == "research_session_duration_ms_bucket"
    ]
    assert buckets == [*within, 20]


def test_a_judges_marks_are_shown_by_part_and_weighed_60_to_40() -> None:
    one = StatusFigures("completed", 3, 1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (0,) * len(RUN_SECONDS), 2, 16.0, 12.0)
    page = metrics_page(Totals(ended=[one]), ProcessFigures()).decode()

    for part, total in (("answer", 16.0), ("process", 12.0), ("overall", 14.4)):
        labels = f'{{part="{part}",status="completed"}}'
        assert f"research_judgement_score_count{labels} 2.0" in page
        assert f"research_judgement_score_sum{labels} {total}" in page
