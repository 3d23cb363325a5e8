"""What a digest says about itself."""

from deepresearch_mcp.pipeline.findings import DigestPart, Findings
from deepresearch_mcp.pipeline.report.digest_figures import evidence_line, sufficiency_of, unanswered
from pipeline_fakes import brief, claim, page

ICE = page("https://one.example/ice", "Ice floats on water.", title="Ice")
FLOATS = claim(ICE, "Ice floats on water.")


def made(*parts: DigestPart) -> Findings:
    findings = Findings(brief("Why does ice float?"))
    findings.digest = parts
    findings.documents = {ICE.source_id: ICE}
    if any(part.passages for part in parts):
        findings.passages = {FLOATS.claim_id: FLOATS}
    return findings


def test_it_says_which_sub_questions_have_a_passage_and_no_figure_of_support() -> None:
    findings = made(DigestPart("q1", "Why does ice float?", 1), DigestPart("q2", "Who found out?", 0))

    assert evidence_line(findings) == (
        "Digest: 1 passage from 1 of the 1 page that was read · 1 of 2 sub-questions have a relevant passage"
        " · nothing relevant on: Who found out? · no model has judged them"
    )
    assert sufficiency_of(findings) == 5
    assert unanswered(findings) == {"q2"}


def test_one_without_a_passage_says_so_and_a_written_report_says_nothing() -> None:
    assert evidence_line(made(DigestPart("q1", "Why?", 0))) == (
        "Digest: nothing in the 1 page that was read answers the question · no model has looked"
    )
    assert evidence_line(made()) == ""
    assert sufficiency_of(made()) == 0
