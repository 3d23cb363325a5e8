"""How the plan of a run comes about."""

from deepresearch_mcp.events import Degraded
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    ProviderError,
)
from pipeline_fakes import (
    ScriptedThinker,
)
from research_world import world


async def test_an_earlier_runs_findings_reach_the_planner():
    ice = world(background="An earlier run asked: …")

    await ice.run()

    assert ice.thinker.called("plan")[0].args[0].background == "An earlier run asked: …"


async def test_an_unusable_plan_is_told_of_and_the_question_stands_for_it():
    ice = world(thinker=ScriptedThinker(plan=ProviderError("openai", "no answer")))

    await ice.run()

    assert ice.findings.plan.made_by == "default"
    assert ice.heard.of(Degraded)
    assert ice.findings.claims


async def test_a_ceiling_met_while_planning_is_known_and_the_question_is_the_plan():
    ice = world(depth=2, thinker=ScriptedThinker(plan=BudgetExceeded("max_usd", 0.1, 0.1)))

    await ice.run()

    assert ice.findings.ceiling == "max_usd"
    assert ice.findings.plan.made_by == "default"
    assert ice.findings.rounds == 1
