from typing import Any

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import MOST_PARTS, Clarification, Estimate, Plan, SubQuestion

PLAN = Plan(sub_questions=(SubQuestion(id="q1", text="Why?", queries=("ice density",)),), made_by="openai:x")


def inquiry(**given: Any) -> InputRequest:
    return InputRequest.model_validate({"inquiry_id": "plan/approve/1", "kind": "approval", "text": "So?"} | given)


def test_a_reply_to_another_plan_is_none_to_this_but_another_price_is_the_same_plan() -> None:
    dear = PLAN.model_copy(update={"estimate": Estimate(usd=1.0, tokens=1, searches=1, pages=1, seconds=1)})
    other = PLAN.model_copy(update={"sub_questions": (SubQuestion(id="q1", text="Why so?"),)})

    assert inquiry(plan=PLAN).subject() == inquiry(plan=dear).subject()
    assert inquiry(plan=PLAN).subject() != inquiry(plan=other).subject()
    assert inquiry(plan=PLAN).subject() != inquiry(plan=PLAN, questions=(Clarification(question="Which?"),)).subject()


def test_only_a_planner_that_reads_hears_notes() -> None:
    assert inquiry(plan=PLAN).hears_notes
    assert not inquiry(plan=PLAN.model_copy(update={"made_by": "extractive"})).hears_notes


@pytest.mark.parametrize(
    "given",
    [
        {"decision": "change"},
        {"decision": "change", "note": "  "},
        {"decision": "change", "answers": ["", " "]},
        {"decision": "approve", "note": "n", "sub_questions": ["Why?"]},
        {"decision": "approve", "sub_questions": [" "]},
        {"decision": "approve", "sub_questions": [f"Why {at}?" for at in range(MOST_PARTS + 1)]},
        {"decision": "approve", "note": "x" * 2_001},
        {"decision": "approve", "limits": {"max_usd": -1}},
        {"decision": "perhaps"},
    ],
)
def test_a_reply_that_says_nothing_or_two_things_is_none(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Reply.model_validate(given)


def test_whatever_is_to_be_other_is_a_change() -> None:
    assert not Reply(decision="approve").changes
    assert Reply.model_validate({"decision": "change", "limits": {"max_pages": 3}}).changes
    assert Reply(decision="change", answers=("", "the animal")).changes
