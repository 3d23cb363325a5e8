from deepresearch_mcp.pipeline.more_evidence import NoMoreEvidence
from deepresearch_mcp.records.evidence import ClaimDraft, FollowUp
from deepresearch_mcp.records.report import ThinSpot


async def test_where_nothing_can_be_read_again_there_is_nothing_more():
    none = NoMoreEvidence()

    assert await none.from_pages([ThinSpot(missing="x", query="y")]) == ()
    assert await none.from_search([FollowUp(sub_question="q1", query="x y")]) == ()
    assert await none.proposed({"n1": ClaimDraft(text="x", quote="y", passage_id="s:0")}) == {}
