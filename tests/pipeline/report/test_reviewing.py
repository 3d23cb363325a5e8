"""The review by itself; what a whole run makes of it stands in test_writer."""

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import NoMoreEvidence
from deepresearch_mcp.pipeline.report.quote_blocks import QuoteBlocks
from deepresearch_mcp.pipeline.report.report_facts import ReportFacts
from deepresearch_mcp.pipeline.report.reviewing import ReportReview, ReviewedDraft
from deepresearch_mcp.records.report import Draft, Review, Sentence, Sketch
from pipeline_fakes import Heard, ScriptedThinker, brief, claim, page, prose

ICE = page("https://one.example/ice", "Ice floats on water. Lakes freeze from above.")
FLOATS, LAKES = claim(ICE, "Ice floats on water."), claim(ICE, "Lakes freeze from above.")


def review(thinker: ScriptedThinker) -> ReportReview:
    findings = Findings(brief(), documents={ICE.source_id: ICE})
    findings.of("q1").claims += [FLOATS, LAKES]
    known = ReportFacts(findings, thinker, Heard().append, NoMoreEvidence())
    known.settle()
    return ReportReview(known, QuoteBlocks(findings.documents, ("ice",)))


def drafted(text: str) -> ReviewedDraft:
    section = prose("A", FLOATS.model_copy(update={"text": text}))
    return ReviewedDraft(Draft(title=text, sections=(section,)), ("edit/1",))


async def test_a_draft_that_the_audit_would_take_apart_is_not_saved_by_its_reviewer():
    false = drafted("Ice floats on water, because winter spirits blessed it.")
    thinker = ScriptedThinker(review=lambda brief, draft, *rest: Review(worth=10 if draft == false.draft else 7))

    number, best = await review(thinker).best({1: false, 2: drafted("Ice floats on water.")})

    assert (number, best.draft.title) == (2, "Ice floats on water.")
    assert best.needs == ("edit/1", "review/2")


async def test_nothing_asked_for_changes_nothing():
    one = drafted("Ice floats on water.")
    thinker = ScriptedThinker()

    done = await review(thinker).done(one, one, [], Sketch(title="T"))

    assert done.draft.sections == one.draft.sections
    assert thinker.calls == []


async def test_an_opening_that_came_back_empty_leaves_the_one_before():
    one = drafted("Ice floats on water.")
    opening = (Sentence(text="It floats.", claim_ids=(FLOATS.claim_id,)),)
    given = ReviewedDraft(one.draft.model_copy(update={"in_short": opening}), (), review=Review(opening="Longer."))

    done = await review(ScriptedThinker(opening=[])).done(given, given, [], Sketch(title="T"))

    assert done.draft.in_short == opening
