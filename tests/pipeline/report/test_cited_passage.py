"""A passage of a digest as a claim."""

from deepresearch_mcp.pipeline.report.cited_passage import cited_passage
from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage
from pipeline_fakes import page, part

ICE = page("https://one.example/ice", "Ice floats on water. It is less dense.", title="Ice")


def test_it_cites_the_words_at_their_place_under_their_heading() -> None:
    passage = PoolPassage(ICE, 0, len(ICE.text), "Ice › Why")

    said = cited_passage(passage, part("q1"), 0, 20, "", 0.5)
    told = cited_passage(passage, part("q1"), 0, 20, "Ice floats.", 0.5)

    [quote] = said.quotes
    assert (said.text, quote.text, quote.heading, quote.context) == (
        "Ice floats on water.",
        ICE.text[quote.start : quote.end],
        "Ice › Why",
        ICE.text,
    )
    assert told.text == "Ice floats."
    assert told.claim_id != said.claim_id
