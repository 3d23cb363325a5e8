from datetime import date

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.plan import Brief, Plan, Scope, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest


def parts(count: int) -> tuple[SubQuestion, ...]:
    return tuple(SubQuestion(id=f"q{number}", text="Why?") for number in range(count))


def test_a_plan_has_one_to_sixteen_sub_questions() -> None:
    assert len(Plan(sub_questions=parts(16)).sub_questions) == 16
    with pytest.raises(ValidationError, match="at least 1 item"):
        Plan(sub_questions=())
    with pytest.raises(ValidationError, match="at most 16 items"):
        Plan(sub_questions=parts(17))


def test_the_cells_of_a_scope_are_every_subject_by_every_aspect() -> None:
    scope = Scope(subjects=("PostgreSQL", "SQLite"), aspects=("writers", "backup"))

    assert [(one.id, one.subject, one.aspect) for one in scope.cells] == [
        ("s1a1", "PostgreSQL", "writers"),
        ("s1a2", "PostgreSQL", "backup"),
        ("s2a1", "SQLite", "writers"),
        ("s2a2", "SQLite", "backup"),
    ]
    assert not Scope(subjects=("PostgreSQL",)).cells


def test_a_part_of_a_plan_begins_as_something_to_do() -> None:
    [part] = parts(1)

    assert (part.status, part.priority, part.depends_on) == ("todo", "medium", ())


def test_a_brief_goes_through_json_unchanged() -> None:
    request = ResearchRequest(question="Why does ice float?")
    brief = Brief(question=request.question, language="en", today=date(2026, 11, 20), request=request)

    assert Brief.model_validate_json(brief.model_dump_json()) == brief
