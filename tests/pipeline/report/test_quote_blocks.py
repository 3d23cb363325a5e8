from deepresearch_mcp.pipeline.report.quote_blocks import QuoteBlocks
from pipeline_fakes import claim, page

PART = "Ice floats on water because it is lighter than water at any depth. " * 30
WHY = "They do so only in a hard winter, because the water below is warmer and keeps them from freezing through."
MORE = "Some of them live for twenty years and grow very large in the dark, as old books and many anglers tell."
TEXT = (
    f"# Ice\n\n{PART}\n\n## Lakes\n\nLakes freeze from above. {WHY}\n\n"
    f"## Fish\n\nFish live below the ice. {MORE}\n\n## Birds\n\nBirds fly south.\n"
)
ICE = page("https://one.example/ice", TEXT, title="On ice")
LONG = page("https://two.example/ice", TEXT + PART * 60, title="Long")
LAKES, FISH = claim(ICE, "Lakes freeze from above."), claim(ICE, "Fish live below the ice.")


async def test_each_quote_is_shown_with_what_stands_around_it_in_the_order_of_the_page():
    blocks = await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([FISH, LAKES, FISH], 1_000)

    assert [one.heading for one in blocks] == ["On ice › Ice › Lakes", "On ice › Ice › Fish"]
    assert all(one.text == TEXT[one.start : one.end] for one in blocks)
    assert [one.passage_id for one in blocks] == [f"{ICE.source_id}:{one.start}" for one in blocks]


async def test_reasons_and_conditions_come_before_what_only_says_more():
    blocks = await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([FISH, LAKES], 40)

    assert [one.heading for one in blocks] == ["On ice › Ice › Lakes"]


async def test_a_block_that_holds_little_but_the_quotes_is_not_shown():
    birds = claim(ICE, "Birds fly south.")

    assert await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([birds], 1_000) == []


async def test_the_quotes_themselves_cost_nothing():
    whole = claim(ICE, f"Fish live below the ice. {MORE[:60]}")

    assert await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([FISH], 20) == []
    assert len(await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([whole], 20)) == 0
    assert len(await QuoteBlocks({ICE.source_id: ICE}, ("ice",)).around([FISH], 40)) == 1


async def test_a_second_source_is_looked_at_too():
    both = LAKES.model_copy(update={"quotes": (*LAKES.quotes, *claim(LONG, "Lakes freeze from above.").quotes)})
    pages = {one.source_id: one for one in (ICE, LONG)}

    every = await QuoteBlocks(pages, ("ice",)).around([both, FISH], 1_000)

    assert [one.source_id for one in every] == [ICE.source_id, ICE.source_id, LONG.source_id]


async def test_a_page_that_is_not_there_or_has_changed_shows_nothing():
    changed = page(ICE.url, "Now something else stands here.")

    assert await QuoteBlocks({}, ("ice",)).around([LAKES], 1_000) == []
    assert await QuoteBlocks({ICE.source_id: changed}, ("ice",)).around([LAKES], 1_000) == []
