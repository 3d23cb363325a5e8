from collections.abc import Callable

import pytest

from deepresearch_mcp.records.evidence import Claim, FollowUp
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.following import Learnt

MakeClaim = Callable[..., Claim]
MakePart = Callable[..., SubQuestion]
QUESTION = "Which river flows through the town where the painter of Grey Harbour was born?"
PAINTED = "The picture Grey Harbour was made by the painter Ottilie Brandt."
BORN = "Ottilie Brandt was born in the town of Wesselau."
FLOWS = "Wesselau is a town through which flows the river Ilm."


@pytest.fixture
def learnt(part: MakePart, claim: MakeClaim) -> Callable[..., Learnt]:
    """What some pages say, each sentence a page of its own, under one sub-question that is the question."""

    def make(*texts: str, question: str = QUESTION, asked: str = "", language: str = "en") -> Learnt:
        claims = tuple(claim(text, f"s{number}") for number, text in enumerate(texts))
        return Learnt(question, [SubQuestionEvidence(part(asked or question), claims)], language)

    return make


def names(found: list[FollowUp], *among: str) -> list[str]:
    return [name for follow_up in found for name in among if follow_up.query.startswith(name)]


def test_a_name_that_was_learnt_is_asked_for_with_what_its_page_leaves_open(learnt: Callable[..., Learnt]) -> None:
    [follow_up] = learnt(PAINTED).follow_ups()

    assert follow_up == FollowUp(sub_question="q1", query="Ottilie Brandt river flows town born", lead=True)


def test_a_name_that_a_page_opens_with_is_not_asked_for_again_but_the_next_one_is(
    learnt: Callable[..., Learnt],
) -> None:
    found = learnt(PAINTED, BORN).follow_ups()

    assert names(found, "Ottilie Brandt", "Wesselau") == ["Wesselau"]


def test_a_chain_that_is_whole_leaves_only_its_last_name(learnt: Callable[..., Learnt]) -> None:
    assert [found.query.split()[0] for found in learnt(PAINTED, BORN, FLOWS).follow_ups()] == ["Ilm"]


@pytest.mark.parametrize("article", ["The ", "the ", "An "])
def test_an_article_before_the_name_does_not_hide_that_a_page_is_about_it(
    learnt: Callable[..., Learnt], article: str
) -> None:
    assert learnt(PAINTED, f"{article}Ottilie Brandt was a boat.").follow_ups() == []


def test_a_longer_word_that_begins_like_the_name_explains_nothing(learnt: Callable[..., Learnt]) -> None:
    found = learnt("The painter of Grey Harbour lived at Wessel.", "Wesselau lies inland.").follow_ups()

    assert names(found, "Wessel ") == ["Wessel "]


def test_names_of_the_question_and_months_are_no_news(learnt: Callable[..., Learnt]) -> None:
    assert learnt("A painter showed the picture Grey Harbour in January of that year.").follow_ups() == []


def test_a_name_of_a_page_that_says_more_towards_the_question_comes_first(learnt: Callable[..., Learnt]) -> None:
    found = learnt("A shop of that sort was run by Karl Ebner.", PAINTED).follow_ups()

    assert names(found, "Ottilie", "Karl") == ["Ottilie", "Karl"]


def test_of_two_names_on_a_page_the_one_beside_words_of_the_question_comes_first(
    learnt: Callable[..., Learnt],
) -> None:
    found = learnt("The frame was carved by Karl Ebner. The painter of Grey Harbour was Ottilie Brandt.").follow_ups()

    assert names(found, "Ottilie", "Karl") == ["Ottilie", "Karl"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_name_on_two_pages_is_asked_for_once_with_the_words_open_on_the_better_page(
    learnt: Callable[..., Learnt], turned: bool
) -> None:
    texts = [PAINTED, "A shop in a town was run by OTTILIE BRANDT."]

    found = learnt(*(reversed(texts) if turned else texts)).follow_ups()

    assert [follow_up.query for follow_up in found] == ["Ottilie Brandt river flows town born"]


def test_words_that_stand_in_the_name_are_not_said_twice(learnt: Callable[..., Learnt]) -> None:
    [follow_up] = learnt(
        "The picture was made at Ilm River.", question="Which river has the bridge of the picture?"
    ).follow_ups()

    assert follow_up.query == "Ilm River bridge"


def test_at_most_six_words_of_the_question_go_with_a_name(learnt: Callable[..., Learnt]) -> None:
    asked = "Which picture shows bridges, castles, rivers, meadows, orchards, harbours, vineyards, mountains?"

    [follow_up] = learnt("The picture belongs to Karl Ebner.", question=asked).follow_ups()

    assert follow_up.query == "Karl Ebner shows bridges castles rivers meadows orchards"


def test_of_a_very_long_question_only_the_part_goes_with_a_name(learnt: Callable[..., Learnt]) -> None:
    asked = "Where was the painter of Grey Harbour born?"
    longer = f"{asked} {'And whatever became of the castles in the meadows?' * 8}"

    [whole] = learnt(PAINTED, question=f"{asked} And the castles?", asked=asked).follow_ups()
    [part] = learnt(PAINTED, question=longer, asked=asked).follow_ups()

    assert whole.query == "Ottilie Brandt born castles"
    assert part.query == "Ottilie Brandt born"


def test_a_name_is_asked_for_in_the_sub_question_that_rests_on_the_one_it_was_learnt_in(
    part: MakePart, claim: MakeClaim
) -> None:
    first = part("Who was the painter of Grey Harbour?", "q1")
    second = part("Which river flows through the town?", "q2", depends_on=("q1",))

    [follow_up] = Learnt(
        QUESTION, [SubQuestionEvidence(first, (claim(PAINTED),)), SubQuestionEvidence(second, ())], "en"
    ).follow_ups()

    assert follow_up.sub_question == "q2"


def test_a_page_that_several_sub_questions_quote_belongs_to_the_first(part: MakePart, claim: MakeClaim) -> None:
    parts = [SubQuestionEvidence(part(QUESTION, name), (claim(PAINTED),)) for name in ("q1", "q2")]

    [follow_up] = Learnt(QUESTION, parts, "en").follow_ups()

    assert follow_up.sub_question == "q1"


def test_the_sentences_around_a_quote_are_what_was_learnt(part: MakePart, claim: MakeClaim) -> None:
    said = claim("It was painted.", context=f"It was painted. {PAINTED}")

    [follow_up] = Learnt(QUESTION, [SubQuestionEvidence(part(QUESTION), (said,))], "en").follow_ups()

    assert follow_up.query.startswith("Ottilie Brandt")


def test_a_quote_without_sentences_around_it_stands_for_itself(part: MakePart, claim: MakeClaim) -> None:
    said = claim(PAINTED)
    bare = said.model_copy(update={"quotes": (said.quotes[0].model_copy(update={"context": ""}),)})

    [follow_up] = Learnt(QUESTION, [SubQuestionEvidence(part(QUESTION), (bare,))], "en").follow_ups()

    assert follow_up.query.startswith("Ottilie Brandt")


def test_nothing_learnt_leaves_nothing_to_follow_and_nothing_closed(learnt: Callable[..., Learnt]) -> None:
    empty = learnt()

    assert empty.follow_ups() == []
    assert empty.closed("q1") == 0.0


def test_a_sub_question_is_closed_by_one_page_that_holds_its_words(learnt: Callable[..., Learnt]) -> None:
    whole = learnt("The painter of Grey Harbour was born there.", asked="Where was the painter of Grey Harbour born?")

    assert whole.closed("q1") == pytest.approx(1.0)


def test_two_pages_close_a_sub_question_together_only_where_a_name_joins_them(learnt: Callable[..., Learnt]) -> None:
    asked = "Where was the painter of Grey Harbour born?"

    joined = learnt(PAINTED, BORN, asked=asked).closed("q1")
    apart = learnt(PAINTED, "Karl Ebner was born in the town of Wesselau.", asked=asked).closed("q1")

    assert joined == pytest.approx(1.0)
    assert 0 < apart < joined


def test_a_sub_question_is_closed_by_what_was_learnt_for_another(part: MakePart, claim: MakeClaim) -> None:
    parts = [
        SubQuestionEvidence(part("Who painted it?", "q1"), (claim(BORN),)),
        SubQuestionEvidence(part("Was Ottilie Brandt born in Wesselau?", "q2"), ()),
    ]

    assert Learnt(QUESTION, parts, "en").closed("q2") == pytest.approx(1.0)


def test_a_sub_question_without_a_telling_word_is_answered_by_anything(learnt: Callable[..., Learnt]) -> None:
    assert learnt(PAINTED, asked="Who was it?").closed("q1") == 1.0
    assert learnt(asked="Who was it?").closed("q1") == 1.0
