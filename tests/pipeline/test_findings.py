"""What a research has brought together, at any moment."""

from deepresearch_mcp.pipeline.findings import WHOLE, Findings
from deepresearch_mcp.records.plan import Plan
from pipeline_fakes import brief, claim, page, part

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze.")
FLOATS, LAKES = claim(ICE, "Ice floats."), claim(ICE, "Lakes freeze.")


def test_before_there_is_a_plan_the_question_is_its_only_part():
    findings = Findings(brief("Why does ice float?"))

    assert [one.text for one in findings.sub_questions] == ["Why does ice float?"]
    assert findings.whole.id == WHOLE
    assert (findings.claims, findings.steps, findings.settled()) == ([], (), {})


def test_claims_come_in_the_order_of_the_plan_with_those_of_the_whole_question_last():
    findings = Findings(brief(), plan=Plan(sub_questions=(part("q1"), part("q2"))))
    findings.of(WHOLE).claims.append(LAKES)
    findings.of("q2").claims.append(FLOATS)
    findings.of("q2").steps.append("verify/q2/1")

    assert [one.sub_question.id for one in findings.parts] == ["q1", "q2", WHOLE]
    assert findings.claims == [FLOATS, LAKES]
    assert findings.steps == ("verify/q2/1",)
    assert findings.of("q2") is findings.gathered["q2"]


def test_claims_that_say_the_same_are_settled_into_one():
    twin = page("https://two.example/ice", "Ice floats.")
    findings = Findings(brief(), documents={one.source_id: one for one in (ICE, twin)})
    findings.of(WHOLE).claims += [FLOATS, same := claim(twin, "Ice floats.")]

    settled = findings.settled()

    assert settled[FLOATS.claim_id] == settled[same.claim_id]
    assert len(settled[same.claim_id].quotes) == 2
