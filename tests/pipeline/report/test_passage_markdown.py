"""Passages as Markdown."""

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.passage_markdown import passages
from deepresearch_mcp.records.report import Block, Sentence
from pipeline_fakes import claim, page

ICE = page("https://one.example/ice", "Ice floats.\n\n# It is <b>cold</b>.", title="Ice")


def test_a_passage_is_a_quotation_under_its_place_and_nothing_in_it_comes_alive() -> None:
    own = claim(ICE, ICE.text)
    block = Block(
        kind="passage", rows=((Sentence(text=ICE.text, claim_ids=(own.claim_id,)),),), title="Ice (one.example)"
    )
    numbering = Numbering({own.claim_id: own}, {ICE.source_id: ICE})

    title, text = passages((block, Block(rows=block.rows)), numbering)

    assert title == "### Ice (one.example)"
    assert text.splitlines()[:2] == ["> Ice floats.", ">"]
    assert "[1]" in text
    assert "<b>" not in text.replace("\\<b>", "")
    assert "> # It" not in text
