"""What could not be established."""

import pytest

from deepresearch_mcp.pipeline.report.gaps import points_of, told_gaps
from deepresearch_mcp.records.evidence import Assessment, PointCoverage
from deepresearch_mcp.records.plan import Deliverable, Scope
from deepresearch_mcp.records.report import Gap
from pipeline_fakes import claim
from two_pages import ICE, found

FIRST = claim(ICE, "Ice floats because it is less dense.", sub_question="q1")
SCOPE = Scope(
    deliverables=(Deliverable(id="d1", text="why ice floats on lakes"),), subjects=("ice",), aspects=("weight",)
)


@pytest.mark.parametrize(
    ("gap", "line"),
    [
        (
            Gap(missing="how old ice is", pages=7, queries=("age of ice", "old ice")),
            "How old ice is. Nothing on it was found in the 7 pages that were read, nor by searching for “age of ice”"
            " and “old ice”.",
        ),
        (
            Gap(missing="How old is ice?", pages=1, ceiling="max_tokens"),
            "Not in the 1 page that was read, and not searched for further, as the token limit was reached: how old is"
            " ice.",
        ),
        (
            Gap(missing="How old ice is.", ceiling="max_minutes"),
            "Not searched for any further, as the time limit was reached: how old ice is.",
        ),
    ],
)
def test_a_gap_says_what_is_missing_what_was_tried_and_why_that_ended(gap: Gap, line: str):
    findings = found(FIRST)
    findings.gaps.append(gap)

    assert told_gaps(findings, ended_early=False)[0] == line


def test_a_gap_whose_words_no_source_backs_is_told_in_the_words_of_what_was_asked():
    findings = found(FIRST)
    findings.brief = findings.brief.model_copy(update={"scope": SCOPE})
    findings.gaps += [Gap(missing="Whether 41 % float.", point="s1a1", pages=2), Gap(missing="Whether 42 % sink.")]
    findings.assessment = Assessment(sufficiency=5, coverage=(PointCoverage(point="s1a1", status="open"),))

    told = told_gaps(findings, ended_early=False)

    assert told[0] == "Ice: weight. Nothing on it was found in the 2 pages that were read."
    assert not any("42" in one or "41" in one for one in told)
    assert points_of(SCOPE) == {"d1": "why ice floats on lakes", "s1a1": "ice: weight"}


def test_a_gap_of_the_analyst_that_was_looked_for_is_told_once():
    findings = found(FIRST)
    findings.gaps.append(Gap(missing="how old the ice of lakes is", pages=2))
    findings.assessment = Assessment(sufficiency=5, gaps=("How old the ice of lakes is.",))

    assert sum("old" in one for one in told_gaps(findings, ended_early=False)) == 1


def test_a_point_with_claims_is_not_called_missing_because_a_gap_in_it_may_not_be_shown():
    findings = found(FIRST)
    findings.brief = findings.brief.model_copy(update={"scope": SCOPE})
    findings.gaps.append(Gap(missing="Whether 41 % float.", point="s1a1", pages=2))
    findings.assessment = Assessment(sufficiency=5, coverage=(PointCoverage(point="s1a1", status="thin"),))

    assert not any("Ice: weight" in line for line in told_gaps(findings, ended_early=False))


def test_what_a_limit_left_open_is_one_line_and_nothing_is_told_twice():
    findings = found(FIRST)
    findings.gaps += [
        Gap(missing="How old ice is.", ceiling="max_tokens"),
        Gap(missing="Whether ice is old", ceiling="max_tokens"),
        Gap(missing="Who measured lakes", pages=3),
        Gap(missing="GIN indexes", ceiling="max_tokens"),
        Gap(missing="Where seals breathe", ceiling="max_tokens", pages=3),
        Gap(missing="What a bridge bears", ceiling="max_tokens", pages=4),
    ]
    told = told_gaps(findings, ended_early=False)

    assert told[0].startswith("Who measured lakes.")
    assert told[1] == (
        "Not in the 4 pages that were read, and not searched for further, as the token limit was reached:"
        " where seals breathe; what a bridge bears."
    )
    assert told[2] == "Not searched for any further, as the token limit was reached: how old ice is; GIN indexes."
