from pathlib import Path

from deepresearch_mcp.evals.reports import MadeReport, carried_out
from deepresearch_mcp.records.request import ResearchRequest
from exported_runs import run_of
from small_web import QUESTION, small_web
from whole_runs import opened


async def test_a_run_is_taken_again_unless_another_configuration_made_it(tmp_path: Path) -> None:
    request = ResearchRequest(question=QUESTION, effort="quick", model="extractive")
    async with small_web() as web:
        async with opened(tmp_path, web) as jobs:
            first = await carried_out(jobs, request)
            second = await carried_out(jobs, request)
            searches = len(web.asked)
        async with opened(tmp_path, web, more={"research": {"pages_per_query": 1}}) as jobs:
            other = await carried_out(jobs, request)

    assert first.status == "completed"
    assert second.run_id == first.run_id != other.run_id
    assert len(web.asked) > searches


def test_names_of_models_are_known_as_a_judge_would_know_them() -> None:
    run = run_of()
    assert run.provenance is not None
    run = run.model_copy(
        update={"provenance": run.provenance.model_copy(update={"models": ("openai:gpt-9", "openai:reader")})}
    )

    names = MadeReport("ours", "Text.", run).names

    assert {"openai:gpt-9", "gpt-9", "openai:reader", "deepresearch-mcp"} <= set(names)
    assert "reader" not in names, "a usual word stays in the report"
