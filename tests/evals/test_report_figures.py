from deepresearch_mcp.evals.report_figures import ROWS, ReportFigures, measured, total, with_judgement
from deepresearch_mcp.evals.reports import MadeReport
from deepresearch_mcp.pipeline.judging import JudgedReports
from deepresearch_mcp.records.checks import CheckedClaim
from deepresearch_mcp.records.evidence import Verdict
from deepresearch_mcp.records.judging import AnswerKey, KeyedQuestion, ReportMarks, Weighing
from exported_runs import run_of


def claim(verdict: Verdict, *urls: str) -> CheckedClaim:
    return CheckedClaim(claim_id="k", text="It is so.", verdict=verdict, urls=urls)


def test_half_is_counted_for_what_is_carried_in_part_and_nothing_for_what_could_not_be_read() -> None:
    checks = (
        claim("supported", "http://a.example/1", "http://b.example/"),
        claim("partly", "http://a.example/2"),
        claim("unsupported", "http://a.example/1"),
        claim("unverifiable", "http://c.example/"),
    )
    check = run_of().model_copy(update={"checks": checks})

    found = measured(MadeReport("peer", "One two three."), check)

    assert (found.supported, found.checkable, found.cited) == (0.5, 0.75, 4)
    assert (found.sources, found.sites, found.words) == (4, 3, 3)
    assert (found.seconds, found.usd, found.located) == (None, None, None)


def test_a_report_that_could_not_be_checked_has_no_figures_of_its_citations() -> None:
    found = measured(MadeReport("ours", "Words.", run_of()), None)

    assert found.supported is None
    assert found.seconds is not None


def test_keys_count_by_weight_and_one_that_was_not_judged_does_not_count() -> None:
    keys = [("a", 3, "fact"), ("b", 1, "judgement"), ("c", 3, "fact")]
    asked = KeyedQuestion.model_validate(
        {"question": "Why?", "keys": [{"id": id_, "weight": w, "kind": kind, "fact": "So."} for id_, w, kind in keys]}
    )
    marks = ReportMarks(comprehensiveness=7, insight=6, instructions=5, readability=4, trust=3)
    weighing = Weighing(marks=(marks,), answered=((True,), (None,), (False,)))
    judged = JudgedReports({"a": ("yes",), "b": ("partly",)}, weighing)

    found = with_judgement(ReportFigures(), 0, judged, asked)

    assert (found.keys, found.facts, found.judgements, found.deliverables) == (0.875, 1.0, 0.5, 0.5)
    assert (found.insight, found.trust) == (6, 3)
    assert isinstance(asked.keys[0], AnswerKey)


def test_over_all_questions_shares_are_means_and_time_and_cost_sums() -> None:
    found = total([ReportFigures(keys=0.5, seconds=10, usd=0.1), ReportFigures(keys=1.0, seconds=20), ReportFigures()])

    assert (found.keys, found.seconds, found.usd, found.trust) == (0.75, 30, 0.1, None)
    assert {row.figure for row in ROWS} == set(ReportFigures.__dataclass_fields__)
