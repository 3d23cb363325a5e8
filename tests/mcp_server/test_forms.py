from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.forms import form_of, reply_from
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import Clarification, Plan, SubQuestion
from deepresearch_mcp.records.request import Limits
from deepresearch_mcp.records.run import Run

BACK = Clarification(question="Which ice is meant?", options=("frozen seas", "dry carbon"))
PART = SubQuestion(id="q1", text="Why does ice float?", queries=("ice density reason",))


def inquiry(kind: Any = "approval", *, made_by: str = "model", asks: bool = False) -> InputRequest:
    plan = Plan(sub_questions=(PART,), made_by=made_by)
    return InputRequest(inquiry_id="plan/1", kind=kind, text="What now?", plan=plan, questions=(BACK,) if asks else ())


BUDGET = InputRequest(inquiry_id="plan/afford", kind="budget", text="Too little.", raised=Limits(max_usd=0.3))


def accepted(**content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


@pytest.mark.parametrize(
    ("asked", "answer", "reply"),
    [
        (inquiry(), accepted(approve=True), Reply(decision="approve")),
        (inquiry(), accepted(), Reply(decision="approve")),
        (inquiry(), accepted(approve=False), Reply(decision="decline")),
        (inquiry(), {"action": "decline"}, Reply(decision="decline")),
        (inquiry(), {"action": "cancel"}, None),
        (inquiry(), {}, None),
        (inquiry(), accepted(approve=False, change=" Only seas. "), Reply(decision="change", note="Only seas.")),
        (inquiry(), accepted(approve=True, change="Only seas."), Reply(decision="approve", note="Only seas.")),
        (
            inquiry(made_by="extractive"),
            accepted(approve=True, change="Why?; How?\nWhen?"),
            Reply(decision="approve", sub_questions=("Why?", "How?", "When?")),
        ),
        (inquiry(), accepted(approve=True, max_usd=0.2), Reply(decision="approve", limits=Limits(max_usd=0.2))),
        (inquiry(asks=True), accepted(approve=True, answer_1="Seas."), Reply(decision="approve", answers=("Seas.",))),
        (inquiry("clarification", asks=True), accepted(answer_1="Seas."), Reply(decision="change", answers=("Seas.",))),
        (inquiry("clarification", asks=True), accepted(), Reply(decision="approve")),
        (inquiry("clarification", asks=True), {"action": "decline"}, Reply(decision="approve")),
        (BUDGET, accepted(decision="raise"), Reply(decision="approve", limits=Limits(max_usd=0.3))),
        (BUDGET, accepted(decision="narrow"), Reply(decision="approve")),
        (BUDGET, accepted(), Reply(decision="approve")),
        (BUDGET, accepted(decision="stop"), Reply(decision="decline")),
        (BUDGET, {"action": "decline"}, Reply(decision="decline")),
        (BUDGET, {"action": "cancel"}, None),
    ],
)
def test_a_filled_form_is_a_reply(asked: InputRequest, answer: dict[str, Any], reply: Reply | None) -> None:
    assert reply_from(asked, answer) == reply


def test_what_cannot_be_a_reply_is_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidRequest, match="max_usd: input should be"):
        reply_from(inquiry(), accepted(approve=True, max_usd=-1))


def test_a_form_asks_for_plain_values_only_and_looks_the_same_twice() -> None:
    run = Run(run_id="r", status="input_required", stage="planning", question="Why?", waiting=inquiry(asks=True))
    form = form_of(run)

    assert form == form_of(run)
    assert {field["type"] for field in form.requested_schema["properties"].values()} == {"boolean", "string", "number"}
    assert form.requested_schema["required"] == ["approve"]
    assert "1. Why does ice float?" in form.message
    assert form.requested_schema["properties"]["answer_1"]["title"] == "Which ice is meant?"


def test_a_form_shows_what_is_asked_however_long_the_question_is() -> None:
    run = Run(
        run_id="r", status="input_required", stage="planning", question="Why? " * 2_000, waiting=inquiry(asks=True)
    )
    message = form_of(run).message

    assert "What now?" in message
    assert "1. Why does ice float?" in message
    assert message.startswith("Research: Why? Why?")


def test_a_form_about_money_offers_only_what_can_be_done() -> None:
    fixed = BUDGET.model_copy(update={"raised": None})

    def offered(asked: InputRequest) -> list[str]:
        run = Run(run_id="r", status="input_required", stage="planning", question="Why?", waiting=asked)
        field = form_of(run).requested_schema["properties"]["decision"]
        assert field["default"] == "narrow"
        return [one["const"] for one in field["oneOf"]]

    assert offered(BUDGET) == ["raise", "narrow", "stop"]
    assert offered(fixed) == ["narrow", "stop"]
    with pytest.raises(InvalidRequest, match=r"only be raised in the settings\. Answer narrow or stop\."):
        reply_from(fixed, accepted(decision="raise"))
