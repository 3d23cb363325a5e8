import hashlib
from collections.abc import Iterator

import pytest

from clocks import NOON, HandClock
from deepresearch_mcp.evals.corpus import Corpus, Paper
from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.records.sources import Query

LAMP = Paper("a1", "The Lamp of Orrin", f"A lamp was lit at Orrin in 1888. {'The keeper slept. ' * 30}")
MILL = Paper("b2", "Mill", "The miller of Tarn ground his flour, and kept a lamp in the window.")
TWIN = Paper("b1", "Mill", "The miller of Tarn ground his flour, and kept a lamp in the window.")
KYOTO = Paper("c3", "京都", "京都は日本の古い都です。")


@pytest.fixture
def corpus() -> Iterator[Corpus]:
    made = Corpus([MILL, LAMP, KYOTO, TWIN], HandClock())
    yield made
    made.close()


def test_a_word_in_the_title_weighs_more_than_the_same_word_in_the_text(corpus: Corpus) -> None:
    assert corpus.ranked("lamp", 10)[0] == LAMP


def test_equal_paragraphs_come_in_the_order_of_their_ids_whatever_the_order_they_were_given_in(corpus: Corpus) -> None:
    assert corpus.ranked("flour", 10) == [TWIN, MILL]


def test_any_word_of_a_query_is_enough_and_its_endings_do_not_matter(corpus: Corpus) -> None:
    assert corpus.ranked("grinding keepers nowhere", 10) == [LAMP]


def test_no_more_paragraphs_are_given_than_were_asked_for(corpus: Corpus) -> None:
    assert corpus.ranked("lamp flour", 1) == [TWIN]
    assert len(corpus.ranked("lamp flour", 10)) == 3


@pytest.mark.parametrize("query", ["", "?!", "   "])
def test_a_query_without_words_finds_nothing(corpus: Corpus, query: str) -> None:
    assert corpus.ranked(query, 10) == []


def test_marks_that_mean_something_to_the_index_are_only_marks_in_a_query(corpus: Corpus) -> None:
    assert corpus.ranked('title:"Lamp" AND (NOT', 10)[0] == LAMP


def test_words_of_a_script_without_spaces_are_found(corpus: Corpus) -> None:
    assert corpus.ranked("古い都", 10) == [KYOTO]


async def test_a_hit_shows_the_beginning_of_its_paragraph_and_keeps_to_the_limit_of_the_query(corpus: Corpus) -> None:
    [hit] = await corpus.search(Query("lamp", limit=1), needs=("x",))

    assert (hit.url, hit.title, hit.engines) == ("https://pa1.example/", "The Lamp of Orrin", ("corpus",))
    assert hit.snippet == LAMP.text[:300]


async def test_what_a_hit_leads_to_is_the_whole_paragraph_under_the_hash_of_its_text(corpus: Corpus) -> None:
    [hit] = await corpus.search(Query("lamp", limit=1))

    document = await corpus.fetch(hit.url, needs=("x",))

    assert document.text == LAMP.text
    assert document.length == len(LAMP.text)
    assert document.snapshot == hashlib.sha256(LAMP.text.encode()).hexdigest()
    assert (document.url, document.title, document.site) == (LAMP.address, LAMP.title, "pa1.example")
    assert document.read_at == NOON
    assert "undated" in document.flags


async def test_an_address_written_otherwise_is_the_same_page_and_the_same_source(corpus: Corpus) -> None:
    plain = await corpus.fetch("https://pa1.example/")
    other = await corpus.fetch("HTTPS://PA1.example#keeper")

    assert (other.source_id, other.url) == (plain.source_id, plain.url)
    assert other.requested_url == "HTTPS://PA1.example#keeper"


async def test_equal_paragraphs_are_two_sources_with_one_snapshot(corpus: Corpus) -> None:
    one, other = await corpus.fetch(TWIN.address), await corpus.fetch(MILL.address)

    assert one.snapshot == other.snapshot
    assert one.source_id != other.source_id


async def test_an_address_that_is_no_paragraphs_is_not_found(corpus: Corpus) -> None:
    with pytest.raises(FetchFailed, match="no paragraph") as caught:
        await corpus.fetch("https://pzz.example/")

    assert caught.value.reason == "not_found"
