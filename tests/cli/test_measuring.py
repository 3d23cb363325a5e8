from pathlib import Path

import pytest

from deepresearch_mcp.cli.measuring import measured
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.settings.schema import ModelSettings, Price, Settings
from deepresearch_mcp.thinkers.tasks import JudgeClaims, PlanResearch
from wires import Scripted, serve


async def judge_nothing(_data: Path, lab: Lab) -> Result:
    return Result("x", len(await lab.thinker.ask(JudgeClaims(lab.brief("Why?"), ()), Step("judge"))), {})


async def plan_once(_data: Path, lab: Lab) -> Result:
    plan = await lab.thinker.ask(PlanResearch(lab.brief("Why does ice float?"), 2, 3), Step("plan"))
    return Result("x", len(plan.sub_questions), {})


async def test_without_a_key_the_engine_without_a_model_is_measured(tmp_path):
    result, thinker = await measured(judge_nothing, tmp_path, Settings(home=tmp_path / "home"), "auto", 1.0)

    assert (result.n, thinker) == (0, "extractive")


async def test_a_model_that_is_none_is_refused(tmp_path):
    with pytest.raises(InvalidRequest):
        await measured(judge_nothing, tmp_path, Settings(home=tmp_path / "home"), "client", 1.0)


async def test_a_model_that_is_configured_is_measured_and_what_it_could_not_do_is_said(tmp_path, capsys):
    scripted = Scripted(lambda asked: "neither JSON nor lines")
    async with serve(scripted) as base_url:
        model = ModelSettings(openai_base_url=f"{base_url}/v1", prices={"openai:small": Price(input=1.0, output=1.0)})
        settings = Settings(home=tmp_path / "home", model=model)

        result, thinker = await measured(plan_once, tmp_path, settings, "openai:small", 1.0)

    assert (result.n > 0, thinker) == (True, "openai:small")
    assert len(scripted.asked) >= 1
    assert "plan the research" in capsys.readouterr().err
