from collections.abc import Sequence

import pytest

from deepresearch_mcp.thinkers.extractive.scoring import Cut, common, ranks, scores, telling_weight
from deepresearch_mcp.thinkers.extractive.terms import stems

QUESTION = "Why does ice float on water?"
ICE = "Ice floats on water because it is less dense than liquid water."
TEA = "Tea was carried over land for many hundreds of years before."


def cut(text: str, place: int = 0, passage: int = 0, *, prose: bool = True) -> Cut:
    return Cut(passage, place, 0, len(text), text, tuple(stems(text)), prose)


def scored(question: str, texts: Sequence[str], *, ordered: bool = True) -> list[float]:
    return scores(question, [cut(text, at) for at, text in enumerate(texts)], [1.0], "en", ordered=ordered)


def test_words_of_the_question_count_and_rare_ones_more() -> None:
    texts = ["The crank was oiled on the bench.", "The spindle lay on the bench.", "There was a bench.", TEA]
    crank, _, bench, none = scored("Who oiled the crank on the bench?", texts, ordered=False)

    assert crank > bench > none


def test_words_that_only_share_a_root_count_less_than_the_word_itself() -> None:
    same, root, none = scored(
        "Is biology hard?", ["They like biology.", "They like biologists.", "They like herrings."], ordered=False
    )

    assert same > root > none


def test_the_opening_of_a_passage_and_what_carries_it_on_count_more() -> None:
    texts = ["Herrings of Varn swim north.", "A bell rings in autumn there.", "Herrings swim back in autumn too."]
    opening, apart, carried = scored(QUESTION, texts)
    alone = scored(QUESTION, texts, ordered=False)

    assert opening - alone[0] > carried - alone[2] > apart - alone[1]


def test_an_opening_counts_only_as_far_as_its_passage_is_about_the_question() -> None:
    [near] = scores(QUESTION, [cut(TEA)], [1.0], "en")
    [far] = scores(QUESTION, [cut(TEA)], [0.0], "en")

    assert near > far


def test_a_sentence_that_matches_better_than_its_neighbours_stands_out() -> None:
    behind_tea = scored(QUESTION, [TEA, TEA, ICE])[2]
    behind_better = scored(QUESTION, [TEA, f"{ICE[:-1]}, and ice does float: why?", ICE])[2]

    assert behind_tea > behind_better


def test_neighbours_in_other_passages_are_none() -> None:
    cuts = [cut(TEA), cut(ICE, passage=1)]

    tea, _ = scores(QUESTION, cuts, [0.0, 0.0], "en")
    beside, _ = scores(QUESTION, [cut(TEA), cut(ICE, 1)], [0.0, 0.0], "en")

    assert tea > beside


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("When did the mill burn?", "The mill burned in 1817.", "The mill burned in wind."),
        ("What is a mill?", "A mill grinds the corn.", "A mill had 14 stones."),
        ("Mills of Varn", "The mill burned down then.", "The mill burned down then,"),
    ],
)
def test_the_sort_of_words_and_a_whole_sentence_count(question: str, better: str, worse: str) -> None:
    first, second = scored(question, [better, worse], ordered=False)

    assert first > second


def test_what_is_no_prose_loses() -> None:
    good, odd = scores(QUESTION, [cut(ICE), cut(ICE, prose=False)], [0.0], "en", ordered=False)

    assert good > odd


def test_a_question_of_no_words_and_a_sentence_of_no_words_score_without_fault() -> None:
    assert len(scored("?", [ICE, "So it is."])) == 2
    assert scored(QUESTION, []) == []


def test_a_word_of_all_sentences_still_weighs_something_and_a_word_of_none_most() -> None:
    weights = [telling_weight("herring", 10, holding) for holding in (0, 1, 5, 10)]

    assert weights == sorted(weights, reverse=True)
    assert weights[0] == pytest.approx(1.5)
    assert weights[-1] > 0.5
    assert telling_weight("chang", 10, 1) == telling_weight("herring", 10, 1) / 2


def test_ranks_are_shares_of_the_best_and_count_common_words_that_are_asked_for() -> None:
    assert ranks([ICE, TEA], QUESTION, "en") == [1.0, 0.0]
    assert ranks([TEA], QUESTION, "en") == [0.0]
    assert common("What do else and finally do?", "en") >= {"else"}
    assert ranks(["Or else it ends."], "What does else do?", "en") == [1.0]
