from datetime import date

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest


def parts(count: int) -> tuple[SubQuestion, ...]:
    return tuple(SubQuestion(id=f"q{number}", text="Why?") for number in range(count))


def test_a_plan_has_the_question_itself_and_at_most_seven_more() -> None:
    assert len(Plan(sub_questions=parts(8)).sub_questions) == 8
    with pytest.raises(ValidationError, match="at least 1 item"):
        Plan(sub_questions=())
    with pytest.raises(ValidationError, match="at most 8 items"):
        Plan(sub_questions=parts(9))


def test_a_part_of_a_plan_begins_as_something_to_do() -> None:
    [part] = parts(1)

    assert (part.status, part.priority, part.depends_on) == ("todo", "medium", ())


def test_a_brief_goes_through_json_unchanged() -> None:
    request = ResearchRequest(question="Why does ice float?")
    brief = Brief(question=request.question, language="en", today=date(2026, 11, 20), request=request)

    assert Brief.model_validate_json(brief.model_dump_json()) == brief
