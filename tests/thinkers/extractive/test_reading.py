from collections.abc import Callable

import pytest

from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.thinkers.extractive.reading import read


@pytest.fixture
def pages(passage: Callable[..., Passage]) -> list[Passage]:
    return [
        passage(
            "Click here to log in.\n\nIce *floats* on water\nbecause it is less dense than liquid water.[3] "
            "It was first measured about 1750.",
            "s1",
            "Ice",
        ),
        passage("Some critics argue that ice floats on water for reasons of pressure.", "s2"),
    ]


def test_claims_are_sentences_as_they_stand_and_their_quotes_are_found(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion], pages: list[Passage]
) -> None:
    reading = read(brief(), part("Why does ice float on water?"), pages, 6)

    by_id = {page.passage_id: page for page in pages}
    assert reading.claims[0].text == "Ice floats on water because it is less dense than liquid water."
    assert all(locate(claim.quote, by_id[claim.passage_id].text) for claim in reading.claims)
    assert {claim.kind for claim in reading.claims} >= {"fact", "opinion"}
    assert reading.claims[0].confidence == "high"


def test_the_limit_of_claims_holds(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion], pages: list[Passage]
) -> None:
    assert len(read(brief(), part("Why does ice float on water?"), pages, 1).claims) == 1


def test_pages_beside_the_point_give_nothing(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion], pages: list[Passage]
) -> None:
    reading = read(brief(), part("When was the Hanseatic League founded?"), pages, 6)

    assert reading.claims == ()
    assert reading.leads == ()


def test_where_things_are_compared_a_sentence_on_one_of_them_is_not_enough(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion], passage: Callable[..., Passage]
) -> None:
    text = (
        "Unlike tuples, lists can be changed in place by anybody who holds them.\n\n"
        "Lists are often kept in memory for a long time by programs."
    )

    reading = read(brief(), part("How do lists and tuples differ?"), [passage(text)], 6)

    assert [claim.text[:13] for claim in reading.claims] == ["Unlike tuples"]


def test_less_certain_sentences_say_so(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion], passage: Callable[..., Passage]
) -> None:
    pages = [
        passage("Ice floats on water because frozen water is a crystal of low density.", "s1"),
        passage("Frozen lakes keep a density of fish below, says Marta Lindgren of Bonn.", "s2"),
    ]

    question = "Why does frozen ice of low density float, according to Marta Lindgren of Bonn?"
    reading = read(brief(), part(question), pages, 6)

    assert {claim.confidence for claim in reading.claims} <= {"high", "medium", "low"}
    assert len(reading.claims) == 2
