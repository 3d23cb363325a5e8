from deepresearch_mcp.pipeline.report.quote_blocks import QuoteBlocks
from pipeline_fakes import claim, page

PART = "Ice floats on water because it is lighter than water at any depth. " * 30
TEXT = f"# Ice\n\n{PART}\n\n## Lakes\n\nLakes freeze from above.\n\n## Fish\n\nFish live below the ice.\n"
ICE = page("https://one.example/ice", TEXT, title="On ice")
LONG = page("https://two.example/ice", TEXT + PART * 60, title="Long")
LAKES, FISH = claim(ICE, "Lakes freeze from above."), claim(ICE, "Fish live below the ice.")


async def test_each_quote_is_shown_with_what_stands_around_it_in_the_order_of_the_page():
    blocks = await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([FISH, LAKES, FISH], 1_000)

    assert [one.heading for one in blocks] == ["On ice › Ice › Lakes", "On ice › Ice › Fish"]
    assert all(one.text == TEXT[one.start : one.end] for one in blocks)
    assert [one.passage_id for one in blocks] == [f"{ICE.source_id}:{one.start}" for one in blocks]


async def test_what_does_not_fit_is_left_out_and_earlier_facts_come_first():
    floats = claim(ICE, PART.strip()[:66])

    blocks = await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([LAKES, floats], 60)

    assert [one.heading for one in blocks] == ["On ice › Ice › Lakes"]


async def test_every_fact_comes_before_the_second_source_of_any():
    both = LAKES.model_copy(update={"quotes": (*LAKES.quotes, *claim(LONG, "Lakes freeze from above.").quotes)})
    pages = {one.source_id: one for one in (ICE, LONG)}

    two = await QuoteBlocks(pages, ("ice",)).around([both, FISH], 14)
    every = await QuoteBlocks(pages, ("ice",)).around([both, FISH], 1_000)

    assert {one.source_id for one in two} == {ICE.source_id}
    assert [one.source_id for one in every] == [ICE.source_id, ICE.source_id, LONG.source_id]


async def test_a_page_that_is_not_there_or_has_changed_shows_nothing():
    changed = page(ICE.url, "Now something else stands here.")

    assert await QuoteBlocks({}, ("ice",)).around([LAKES], 1_000) == []
    assert await QuoteBlocks({ICE.source_id: changed}, ("ice",)).around([LAKES], 1_000) == []
