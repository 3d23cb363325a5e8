from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.ranking import Ranker, query_coverage

TEXTS = [
    "Cats sleep most of the day.",
    "Inflation in the euro area fell as rates were raised.",
    "Raising the rate again: how inflation was brought down, and inflation alone.",
    "東京の人口は一千四百万人です。",
]


def test_texts_about_the_query_come_first_in_whatever_form_its_words_stand() -> None:
    ranker = Ranker(TEXTS)

    assert ranker.top("inflation raised", 3) == [2, 1]
    assert ranker.top("sleeping cat", 3) == [0]
    assert ranker.top("東京人口", 1) == [3]


def test_what_matches_nothing_scores_nothing() -> None:
    ranker = Ranker(TEXTS)

    assert ranker.scores("zebra") == [0.0] * 4
    assert ranker.top("zebra", 5) == []
    assert ranker.top("inflation", 0) == []
    assert Ranker([]).top("inflation", 5) == []
    assert Ranker(["", ""]).scores("x") == [0.0, 0.0]


def test_a_query_of_stopwords_alone_is_still_asked() -> None:
    assert Ranker(["to be or not", "cats"]).top("to be", 2) == [0]


def test_ties_go_to_the_earlier_text() -> None:
    assert Ranker(["same words", "other", "same words"]).top("same", 3) == [0, 2]


def test_a_rare_word_counts_for_more_and_length_against() -> None:
    ranker = Ranker(["common rare", "common common", "common " + "filler " * 30])
    scores = ranker.scores("common rare")

    assert scores[0] > scores[1] > scores[2] > 0


@given(st.lists(st.text(alphabet="ab ", max_size=20), max_size=8), st.text(alphabet="ab ", max_size=6))
def test_there_is_one_score_a_text_and_none_below_nothing(texts: list[str], query: str) -> None:
    ranker = Ranker(texts)

    assert len(ranker.scores(query)) == len(texts)
    assert all(score >= 0 for score in ranker.scores(query))
    assert len(ranker.top(query, 3)) <= 3


def test_coverage_is_the_share_of_the_querys_words_that_a_text_holds() -> None:
    assert query_coverage("row locks in tables", "A table is locked by its rows.") == 1.0
    assert query_coverage("row locks", "rows") == 0.5
    assert query_coverage("row locks", "") == 0.0
    assert query_coverage("?", "anything") == 1.0
