import pytest

from deepresearch_mcp.pipeline.report.ending import partial_line, with_ending
from deepresearch_mcp.records.assessment import RunAssessment
from deepresearch_mcp.records.report import Section
from deepresearch_mcp.records.run import BY_RULE, NOTHING_FOUND, Run, RunStatus


@pytest.mark.parametrize(
    ("status", "opens"),
    [
        ("completed", "# Ice"),
        ("partial", "A ceiling was met, so this is a partial report.\n\n# Ice"),
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
        ("max_usd", False, "max_usd was met, so this is a partial report."),
        (
            "max_usd",
            True,
            "max_usd was met, so this is a partial report. A part was done without the model: it says below which part"
            " and why.",
        ),
        (
            BY_RULE,
            True,
            "A part was done without the model, so this is a partial report: it says below which part and why.",
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

    assert with_ending(run).startswith("A part was done without the model, so this is a partial report:")
