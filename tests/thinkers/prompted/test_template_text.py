import pytest

from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.specs import TEMPLATE_NAMES
from deepresearch_mcp.report_templates.loading import open_template
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.prompted import material, report_material
from deepresearch_mcp.thinkers.prompted.template_text import for_planner, for_writers
from pipeline_fakes import brief

REVIEW = brief().model_copy(update={"template": open_template("literature_review")})


def test_planner_and_writers_are_told_the_form_that_is_wanted() -> None:
    planned, written = material.limits(REVIEW), report_material.asked(REVIEW)

    assert "Form of the report: literature review, whose sections are: Scope (What is reviewed" in planned
    assert "the user wants a literature review. It weighs what has been published." in written
    headings = [line for line in written.splitlines() if line[:1].isdigit()]
    assert headings[0].startswith("1. Scope: What is reviewed")
    assert headings[1].startswith("2. Studies at a glance [table]: ")
    assert len(headings) == 5


def test_without_a_template_no_prompt_changes() -> None:
    assert (for_planner(ReportTemplate()), for_writers(ReportTemplate())) == ("", [])
    assert "Form of the report" not in material.limits(brief()) + report_material.asked(brief())


def test_a_template_of_a_title_alone_names_no_sections() -> None:
    memo = ReportTemplate(name="memo", note="Short.")

    assert for_planner(memo) == "memo"
    assert for_writers(memo) == ["Form of the report: the user wants a memo. Short."]


@pytest.mark.parametrize("name", TEMPLATE_NAMES)
def test_a_template_takes_little_of_a_prompt(name: str) -> None:
    assert estimate("\n".join(for_writers(open_template(name)))) < 350
