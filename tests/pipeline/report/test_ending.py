import pytest

from deepresearch_mcp.pipeline.report.ending import partial_line, with_ending
from deepresearch_mcp.records.assessment import CoveredPoint, RunAssessment
from deepresearch_mcp.records.evidence import PointStatus
from deepresearch_mcp.records.report import Section
from deepresearch_mcp.records.run import BY_RULE, NOTHING_FOUND, Run, RunStatus


@pytest.mark.parametrize(
    ("status", "opens"),
    [
        ("completed", "# Ice"),
        ("partial", "Not everything could be researched: a limit was reached; see the end.\n\n# Ice"),
        ("cancelled", "Cancelled before it was done: this is what was found until then.\n\n# Ice"),
        ("failed", "Run r failed. The model is gone. Try again. What was found until then:\n\n# Ice"),
    ],
)
def test_a_report_that_is_not_whole_says_so_before_anything_else(status: RunStatus, opens: str) -> None:
    error = {"message": "The model is gone.", "action": "Try again."} if status == "failed" else None
    run = Run(run_id="r", status=status, stage="ended", question="Why?", report="# Ice\n", error=error)

    assert with_ending(run) == f"{opens}\n"
    assert with_ending(run.model_copy(update={"report": ""})) == ""


@pytest.mark.parametrize(
    ("why", "by_rules", "line"),
    [
        ("max_usd", False, "Not everything could be researched: the cost limit was reached; see the end."),
        (
            "max_usd",
            True,
            "Not everything could be researched: the cost limit was reached; see the end.",
        ),
        (
            BY_RULE,
            True,
            "A part was done without the language model: the report says which part and why.",
        ),
        (
            NOTHING_FOUND,
            False,
            "Nothing was found that answers the question: this partial report lists what was tried.",
        ),
    ],
)
def test_each_cause_of_a_partial_report_is_named(why: str, by_rules: bool, line: str) -> None:
    sections = (Section(heading="Done without the model", markdown="a:b could not read."),) if by_rules else ()
    assessed = RunAssessment(why=why)
    run = Run(run_id="r", status="partial", stage="ended", question="Why?", sections=sections, assessment=assessed)

    assert partial_line(run) == line


def test_a_report_that_is_partial_for_want_of_a_model_says_so() -> None:
    told = Section(heading="Done without the model", markdown="a:b could not read passages.")
    run = Run(run_id="r", status="partial", stage="ended", question="Why?", report="# Ice\n", sections=(told,))

    assert with_ending(run).startswith("A part was done without the language model:")


@pytest.mark.parametrize(
    ("status", "sections", "opens"),
    [
        ("covered", (), "# Ice"),
        ("thin", (), "# Ice"),
        ("open", (), "Not everything could be researched"),
        ("covered", (Section(heading="What could not be established", markdown="- How old."),), "Not everything"),
    ],
)
def test_a_ceiling_that_cost_the_answer_nothing_is_not_told_before_it(
    status: PointStatus, sections: tuple[Section, ...], opens: str
) -> None:
    assessed = RunAssessment(why="max_tokens", coverage=(CoveredPoint(point="d1", text="why", status=status),))
    run = Run(run_id="r", status="partial", stage="ended", question="Why?", report="# Ice\n", assessment=assessed)

    assert with_ending(run.model_copy(update={"sections": sections})).startswith(opens)
    assert partial_line(run) == "Not everything could be researched: the token limit was reached; see the end."
