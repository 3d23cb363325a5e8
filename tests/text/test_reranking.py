from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.reranking import Candidate, rerank

QUERY = "What post was held by the actress who played Corliss Archer in Kiss and Tell?"
RARITY = dict.fromkeys(["post", "held", "actress", "played", "corliss", "archer", "kiss", "tell"], 5.0)


def order(candidates: list[Candidate]) -> list[int]:
    scores = rerank(QUERY, candidates, RARITY)
    return sorted(range(len(candidates)), key=lambda at: -scores[at])


def test_a_page_that_the_query_names_comes_before_one_that_repeats_its_words() -> None:
    repeats = Candidate("Archery", "Archer, archer, archer: a post held by each who played.", 9.0)
    named = Candidate("Kiss and Tell (1945 film)", "A comedy in which Temple plays Corliss Archer.", 8.0)

    assert order([repeats, named]) == [1, 0]


def test_a_page_that_the_best_one_names_is_raised_above_equals() -> None:
    film = Candidate("Kiss and Tell (1945 film)", "Shirley Temple plays Corliss Archer, an actress.", 9.0)
    other = Candidate("Ginger Rogers", "An actress who held no post.", 3.0)
    led_to = Candidate("Shirley Temple", "An actress who held a post.", 3.0)

    assert order([film, other, led_to]) == [0, 2, 1]


def test_a_common_word_as_title_is_no_name() -> None:
    film = Candidate("Kiss and Tell", "An actress played Corliss Archer in the post.", 9.0)
    other, common = Candidate("Rogers, Ginger", "An actress.", 3.0), Candidate("post", "An actress.", 3.0)

    raised, bare = ({**RARITY, "post": rarity} for rarity in (5.0, 1.0))
    leads = [rerank(QUERY, [film, other, common], rarity) for rarity in (raised, bare)]

    assert leads[0][2] > leads[1][2]


def test_words_match_in_other_forms_and_pairs_of_characters_without_spaces() -> None:
    holds, lacks = Candidate("a", "Two actresses were kissing.", 1.0), Candidate("b", "Two people were talking.", 1.0)
    one, other = rerank(QUERY, [holds, lacks], RARITY)
    assert one > other

    here, there = Candidate("", "東京の人口は一千四百万人です。", 1.0), Candidate("", "京都はとても古い。", 1.0)
    one, other = rerank("東京人口", [here, there], {"東京": 4.0, "京人": 4.0, "人口": 4.0})
    assert one > other


def test_without_words_the_scores_of_the_index_stand() -> None:
    assert rerank("?!", [Candidate("a", "b", 2.0), Candidate("c", "d", 1.0)], {}) == [2.0, 1.0]
    assert rerank(QUERY, [], RARITY) == []


@given(st.text(max_size=60), st.lists(st.tuples(st.text(max_size=40), st.text(max_size=80)), max_size=6))
def test_any_text_gets_a_score_above_nothing(query: str, texts: list[tuple[str, str]]) -> None:
    rarity = {word.casefold(): 1.0 for word in query.split()}

    scores = rerank(query, [Candidate(title, text, 1.0) for title, text in texts], rarity)

    assert len(scores) == len(texts)
    assert all(score > 0 for score in scores)
