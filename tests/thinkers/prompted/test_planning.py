from typing import Any

import pytest

from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.thinkers.prompted import planning
from deepresearch_mcp.thinkers.tasks import PlanResearch
from filled_prompts import Filled, filled


def answered(sheet: Filled, **answer: object) -> Any:
    return sheet.answered(**answer)


def planned(question: str, **more: object) -> dict[str, object]:
    return {"question": question, "priority": "high", "queries": ["ice density"], "depends_on": []} | more


def test_a_plan_is_asked_in_numbers_with_the_whole_question(brief: Brief) -> None:
    sheet = filled(planning.PLAN, PlanResearch(brief, 4, 8))

    assert (sheet.values["parts"], sheet.values["expectations"], sheet.values["question"]) == (
        "4",
        "12",
        brief.question,
    )
    assert sheet.limits["sub_questions"]["maxItems"] == 4
    assert sheet.limits["queries"] == {"minItems": 1, "maxItems": 3}


@pytest.mark.parametrize(("breadth", "parts"), [(0, 1), (1, 1), (10, 10), (12, 10)])
def test_a_plan_has_room_for_every_breadth(brief: Brief, breadth: int, parts: int) -> None:
    sheet = filled(planning.PLAN, PlanResearch(brief, breadth, 3))

    assert sheet.limits["sub_questions"] == {"minItems": 1, "maxItems": parts}
    # An answer holds a brief of some 500 tokens, and for each part a question, three queries and three statements.
    assert sheet.max_tokens >= 1_000 + 350 * parts


def test_a_plan_says_what_is_asked_for_and_what_is_expected_of_each_part(brief: Brief) -> None:
    plan = answered(
        filled(planning.PLAN, PlanResearch(brief, 3, 6)),
        deliverables=[
            {"kind": "Comparison", "text": "Ice\nand water"},
            {"kind": "advice", "text": "What to do"},
            {"kind": "list", "text": " "},
        ],
        subjects=["ice", "water", ""],
        aspects=["density"],
        constraints=["in winter"],
        premises=[{"statement": "Ice sinks.", "query": "ice sinks water"}],
        sub_questions=[
            planned("How dense?", expect=[{"statement": "Ice has 0.917 g/cm³.", "query": "ice density g/cm³"}]),
            planned(" ", expect=[{"statement": "Lost with its part.", "query": "a b"}]),
            planned("Why?", expect=[{"statement": "", "query": "a b"}, {"statement": "Bonds.", "query": " bonds "}]),
        ],
    )

    scope = plan.scope
    assert [(one.id, one.kind, one.text) for one in scope.deliverables] == [
        ("d1", "comparison", "Ice and water"),
        ("d2", "answer", "What to do"),
    ]
    assert (scope.subjects, scope.aspects, scope.constraints) == (("ice", "water"), ("density",), ("in winter",))
    assert scope.premises == ("Ice sinks.",)
    assert [(one.id, one.sub_question, one.premise, one.statement, one.query) for one in plan.hypotheses] == [
        ("h1", "", True, "Ice sinks.", "ice sinks water"),
        ("h2", "q1", False, "Ice has 0.917 g/cm³.", "ice density g/cm³"),
        ("h3", "q2", False, "Bonds.", "bonds"),
    ]


def test_a_plan_has_at_most_as_many_parts_as_asked_and_waits_only_for_earlier_ones(brief: Brief) -> None:
    sheet = filled(planning.PLAN, PlanResearch(brief, 3, 6))

    plan = answered(
        sheet,
        goal=" Know\nwhy. ",
        sub_questions=[
            planned("How dense?", depends_on=[1, 2], queries=["ice density", "", "ice density"]),
            planned(" "),
            planned("Why?", priority="urgent", depends_on=["1", "q2", 9]),
            planned("So what?", priority="LOW"),
            planned("One too many?"),
        ],
    )

    assert (plan.goals, plan.made_by) == (("Know why.",), "m")
    assert [(one.id, one.text, one.priority, one.queries, one.depends_on) for one in plan.sub_questions] == [
        ("q1", "How dense?", "high", ("ice density",), ()),
        ("q2", "Why?", "medium", ("ice density",), ("q1",)),
        ("q3", "So what?", "low", ("ice density",), ()),
    ]


def test_a_planner_may_ask_back_and_what_the_user_has_said_stands_beside_the_question(brief: Brief) -> None:
    told = brief.model_copy(update={"wishes": ("Asked “Which?”, the user said: the animal", "Only in winter.")})
    sheet = filled(planning.PLAN, PlanResearch(told, 3, 6))

    back = [{"question": "Which\njaguar?", "options": ["the animal", "the car"]}, {"question": " ", "options": []}]
    plan = answered(sheet, sub_questions=[planned("Why?")], ask=back)

    assert [(one.question, one.options) for one in plan.questions] == [("Which jaguar?", ("the animal", "the car"))]
    assert "counts as part of the question: Asked “Which?”, the user said: the animal" in sheet.values["limits"]
    assert "counts as part of the question: Only in winter." in sheet.values["limits"]


def test_a_plan_without_a_question_is_none(brief: Brief) -> None:
    assert answered(filled(planning.PLAN, PlanResearch(brief, 3, 6)), sub_questions=[planned("")]) is None
    assert answered(filled(planning.PLAN, PlanResearch(brief, 3, 6)), sub_questions=[planned("Why?")]).goals == ()
