"""The passages of all pages that come nearest to some words."""

from deepresearch_mcp.pipeline.report.nearest_passages import NearestPassages
from pipeline_fakes import page

FILLER = "Much more is said of other things here. " * 40
LONG = page(
    "https://one.example/",
    f"# Limits\n\nThe size limit of a tsvector is 1 MB.\n\n# Prices\n\nSupport has a price. {FILLER}",
    title="Manual",
)
SHORT = page("https://two.example/", "A tsvector is sorted by its lexemes, and each of them has a place.")
PAGES = {one.source_id: one for one in (LONG, SHORT)}


async def test_a_section_is_shown_whole_under_its_headings() -> None:
    [first, *_] = await NearestPassages(PAGES).of("size limit tsvector", 3)

    assert first.passage.text.strip().endswith("The size limit of a tsvector is 1 MB.")
    assert first.passage.heading == "Manual › Limits"
    assert first.passage.passage_id == f"{LONG.source_id}:{first.passage.start}"
    assert first.share == 1.0


async def test_a_passage_that_goes_on_from_another_begins_a_few_words_earlier() -> None:
    text = f"{FILLER}{FILLER}The size limit of a tsvector is 1 MB. {FILLER}"
    whole = page("https://three.example/", text)

    [found] = await NearestPassages({whole.source_id: whole}).of("size limit tsvector", 1)

    at = found.passage.text.index("size limit")
    assert at > 200
    assert found.passage.text == text[found.passage.start : found.passage.end]
    assert text[found.passage.start - 1] == " "


async def test_each_of_the_best_pages_has_a_passage_before_any_has_two() -> None:
    found = await NearestPassages(PAGES).of("tsvector", 2, pages=2)

    assert {one.passage.source_id for one in found} == set(PAGES)


async def test_a_passage_with_the_identifier_comes_before_one_with_its_words() -> None:
    words = "Wait for a result of the race, wait for the race, and wait for the result that was lost."
    log = "In version 3.9 wait_for() no longer drops a result that came in at that very moment, by a race."
    pages = {one.source_id: one for one in (page("https://w.example/", words), page("https://l.example/", log))}

    [found] = await NearestPassages(pages).of("race result lost wait_for", 1)

    assert found.passage.text == log


async def test_a_sentence_that_holds_the_words_comes_before_a_passage_that_has_them_far_apart() -> None:
    apart = "Glaciers end in the sea. Snow is white. Boats sail. Bears hunt. Every summer ships carry salt. Ice is old."
    close = "Much is known of the poles. Sea ice carries salt into every glacier. Whales breathe. Birds fly far away."
    pages = {one.source_id: one for one in (page("https://a.example/", apart), page("https://c.example/", close))}

    [found] = await NearestPassages(pages).of("glacier ice sea salt", 1)

    assert found.passage.text == close


async def test_a_passage_must_hold_a_word_of_each_where_any_page_has_one() -> None:
    both = await NearestPassages(PAGES).of("tsvector", 3, each=("price limit", "blueberry"))

    assert [one.passage.source_id for one in both] == [LONG.source_id]
    assert [
        one.passage.source_id
        for one in await NearestPassages(PAGES).of("tsvector", 1, favoured={SHORT.source_id}, beside={"sorted": 1})
    ] == [SHORT.source_id]


async def test_a_page_that_was_not_shown_whole_and_words_that_stand_nowhere_find_nothing() -> None:
    walled = LONG.model_copy(update={"flags": ("paywalled",)})

    assert await NearestPassages({walled.source_id: walled}).of("tsvector", 3) == []
    assert await NearestPassages(PAGES).of("blueberry", 3) == []
    assert await NearestPassages({}).of("tsvector", 3) == []


async def test_a_page_that_comes_later_is_searched_too() -> None:
    nearest = NearestPassages({LONG.source_id: LONG})

    first = await nearest.of("tsvector", 3)
    nearest.know(PAGES)
    second = await nearest.of("tsvector", 3)

    assert {one.passage.source_id for one in first} == {LONG.source_id}
    assert {one.passage.source_id for one in second} == set(PAGES)
