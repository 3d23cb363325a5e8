"""The closing lines on the research itself."""

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.verdict import coverage_line
from deepresearch_mcp.records.evidence import Assessment, PointCoverage
from deepresearch_mcp.records.plan import Deliverable, Scope
from pipeline_fakes import brief

WANTED = Scope(
    deliverables=(
        Deliverable(id="d1", text="why ice floats"),
        Deliverable(id="d2", text="which boat to take."),
        Deliverable(id="d3", text="how long it lasts"),
    )
)


def found(*coverage: PointCoverage) -> Findings:
    findings = Findings(brief().model_copy(update={"scope": WANTED}), rounds=2)
    findings.assessment = Assessment(sufficiency=7, coverage=coverage, open=())
    return findings


def test_what_is_not_covered_is_named():
    findings = found(
        PointCoverage(point="d1", status="covered"),
        PointCoverage(point="d2", status="one_sided"),
        PointCoverage(point="d3", status="open"),
        PointCoverage(point="s1a1", status="open"),
    )

    assert coverage_line(findings) == (
        "Answered: 2 of 3 points; one side only on which boat to take; nothing on how long it lasts"
    )


def test_where_all_is_covered_nothing_is_named():
    findings = found(PointCoverage(point="d1", status="covered"))
    findings.ended = "All was covered."

    assert coverage_line(findings) == "Answered: 1 of 1 point"


def test_a_run_that_was_not_assessed_says_nothing():
    assert coverage_line(Findings(brief())) == ""
    assert coverage_line(found()) == ""


def test_a_long_wish_is_cut():
    findings = found(PointCoverage(point="d1"))
    findings.brief = findings.brief.model_copy(
        update={"scope": Scope(deliverables=(Deliverable(id="d1", text="ice " * 100),))}
    )

    assert len(coverage_line(findings)) < 170


def test_coverage_that_no_model_assessed_is_said_to_be_counted():
    findings = found(PointCoverage(point="d1", status="covered"))
    findings.assessment = Assessment(sufficiency=7, coverage=(PointCoverage(point="d1", status="covered"),))

    assert coverage_line(findings) == "Answered (estimated): 1 of 1 point"


def test_many_one_sided_deliverables_are_counted_and_not_listed():
    findings = found(*(PointCoverage(point=f"d{number}", status="one_sided") for number in (1, 2, 3)))

    assert coverage_line(findings) == "Answered: 3 of 3 points; one side only on all of them"
