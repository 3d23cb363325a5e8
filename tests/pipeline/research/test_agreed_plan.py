"""How the plan of a run comes about."""

from deepresearch_mcp.events import Degraded
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    ProviderError,
)
from deepresearch_mcp.pipeline.research.agreed_plan import extended
from deepresearch_mcp.records.evidence import AddedSubQuestion, Expected
from deepresearch_mcp.records.plan import Hypothesis, Plan
from pipeline_fakes import ScriptedThinker, part
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


def test_a_round_adds_what_the_plan_does_not_have_and_no_more_than_a_plan_may_hold():
    known = Hypothesis(id="h1", statement="Ice is lighter than water.", query="ice density")
    plan = Plan(sub_questions=(part("q1", "Why does ice float?"),), hypotheses=(known,))
    added = [AddedSubQuestion(text="Why does ice float?", queries=("x",))]
    added += [AddedSubQuestion(text=f"What about lake {n}?", queries=(f"lake {n}",)) for n in range(30)]
    expected = [
        Expected(statement="Ice is lighter than water.", query="ice", sub_question="q1"),
        Expected(statement="Lake 3 freezes in March.", query="lake 3 March", sub_question="q1"),
    ]

    found = extended(plan, added, expected)

    assert [one.id for one in found.sub_questions] == [f"q{n}" for n in range(1, 17)]
    assert found.sub_questions[1].queries == ("lake 0",)
    assert [(one.id, one.statement) for one in found.hypotheses] == [
        ("h1", "Ice is lighter than water."), ("h2", "Lake 3 freezes in March."),
    ]  # fmt: skip
