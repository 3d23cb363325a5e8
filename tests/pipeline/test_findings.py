"""What a research has brought together, at any moment."""

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.records.plan import Plan
from pipeline_fakes import brief, claim, page, part

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze.")
FLOATS, LAKES = claim(ICE, "Ice floats."), claim(ICE, "Lakes freeze.")


def test_before_there_is_a_plan_the_question_is_its_only_part():
    findings = Findings(brief("Why does ice float?"))

    assert [one.text for one in findings.sub_questions] == ["Why does ice float?"]
    assert findings.whole.id == WHOLE_QUESTION
    assert (findings.claims, findings.steps, findings.settled()) == ([], (), {})


def test_claims_come_in_the_order_of_the_plan_with_those_of_the_whole_question_last():
    findings = Findings(brief(), plan=Plan(sub_questions=(part("q1"), part("q2"))))
    findings.of(WHOLE_QUESTION).claims.append(LAKES)
    findings.of("q2").claims.append(FLOATS)
    findings.of("q2").steps.append("verify/q2/1")

    assert [one.sub_question.id for one in findings.parts] == ["q1", "q2", WHOLE_QUESTION]
    assert findings.claims == [FLOATS, LAKES]
    assert findings.steps == ("verify/q2/1",)
    assert findings.of("q2") is findings.states["q2"]


def test_claims_that_say_the_same_are_settled_into_one():
    twin = page("https://two.example/ice", "Ice floats.")
    findings = Findings(brief(), documents={one.source_id: one for one in (ICE, twin)})
    findings.of(WHOLE_QUESTION).claims += [FLOATS, same := claim(twin, "Ice floats.")]

    settled = findings.settled()

    assert settled[FLOATS.claim_id] == settled[same.claim_id]
    assert len(settled[same.claim_id].quotes) == 2


FROST, FISH = part("q1", "When do lakes freeze?"), part("q2", "Why does ice float?")


def test_claims_and_leads_are_filed_under_the_part_that_they_fit_whatever_they_were_read_for():
    findings = Findings(brief(), plan=Plan(sub_questions=(FROST, FISH)), documents={ICE.source_id: ICE})
    moved = claim(ICE, "Ice floats.", sub_question="q1")
    findings.of("q1").claims.append(moved)
    findings.of(WHOLE_QUESTION).claims.append(LAKES)
    findings.of(WHOLE_QUESTION).leads.append("lakes freeze dates")
    findings.of("q2").leads.append("buoyancy")

    first, second = findings.claims_by_sub_question

    assert [one.text for one in first.claims] == ["Lakes freeze."]
    assert [(one.text, one.sub_question) for one in second.claims] == [("Ice floats.", "q2")]
    assert (first.leads, second.leads) == (("lakes freeze dates",), ("buoyancy",))


def test_a_claim_that_a_page_carries_in_part_gives_way_to_its_supported_twin():
    findings = Findings(brief(), plan=Plan(sub_questions=(FROST, FISH)), documents={ICE.source_id: ICE})
    whole = claim(ICE, "Ice floats.", "Ice floats.", claim_id="c1", sub_question="q2")
    again = claim(ICE, "Ice floats.", "All ice floats.", claim_id="c2", sub_question="q1", verdict="partly")
    again = again.model_copy(update={"weight": 3, "covers": ("d1", "s1a1")})
    findings.of("q1").claims.append(again)
    findings.of("q2").claims.append(whole)

    settled = findings.settled()

    assert settled["c1"] == settled["c2"]
    assert (settled["c1"].weight, settled["c1"].covers) == (3, ("d1", "s1a1"))
    assert [[one.claim_id for one in filed.claims] for filed in findings.claims_by_sub_question] == [[], ["c1"]]
