from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.report.listing import listed_claims
from deepresearch_mcp.records.plan import Plan
from pipeline_fakes import brief, claim, page, part

ICE = page(
    "https://one.example/ice", "Ice floats on water. Lakes freeze from above in winter. Ice may sink.", title="Ice"
)
TWIN = page("https://two.example/ice", "Everybody knows it. Ice floats on water.")
FLOATS, TWICE = claim(ICE, "Ice floats on water."), claim(TWIN, "Ice floats on water.")
PARTLY = claim(ICE, "Lakes freeze from above in winter.", "All lakes freeze from above in winter.", verdict="partly")
DISPUTED = claim(ICE, "Ice may sink.", verdict="disputed")
PLAN = Plan(sub_questions=(part("q1", "Why does ice float?"), part("q2", "Who found out?")), made_by="scripted")


def found(**given: object) -> Findings:
    findings = Findings(brief("Why does ice float?", **given), plan=PLAN)
    findings.documents = {one.source_id: one for one in (ICE, TWIN)}
    findings.of("q1").claims += [FLOATS, PARTLY, DISPUTED]
    findings.of(WHOLE_QUESTION).claims.append(TWICE)
    return findings


def test_every_claim_is_told_once_under_its_question_and_a_part_in_its_sources_words():
    draft = listed_claims(found())

    [section] = draft.sections
    assert section.heading == "Why does ice float?"
    assert [[one.text for one in block.sentences] for block in section.blocks] == [
        ["Ice floats on water."],
        ["Lakes freeze from above in winter."],
    ]
    assert [one.text for one in draft.in_short] == ["Ice floats on water."]


def test_a_short_answer_has_no_sections():
    draft = listed_claims(found(mode="answer"))

    assert (draft.sections, len(draft.in_short)) == ((), 1)


def test_without_claims_there_is_nothing_to_list():
    draft = listed_claims(Findings(brief("Why?")))

    assert (draft.sections, draft.in_short) == ((), ())
