import pytest

from deepresearch_mcp.thinkers.extractive.parts import Piece, aspect
from deepresearch_mcp.thinkers.extractive.queries import distinct, queries_for
from deepresearch_mcp.thinkers.extractive.terms import stems


def made(text: str, whole: str = "", language: str = "en") -> list[str]:
    return queries_for(Piece(text, aspect(text)), whole or text, language)


@pytest.mark.parametrize(
    "question",
    [
        "What is photosynthesis?",
        "Why is the sky blue?",
        "How does PostgreSQL handle concurrent writers?",
        "Which editor with work on “Drift” later wrote a film starring Anna Berg?",
        "Entropy",
        "How do quiet suburban residential streets change over long periods of time?",
    ],
)
def test_queries_are_several_and_none_is_one_word_or_says_the_same_as_another(question: str) -> None:
    queries = made(question)

    assert len(queries) >= 3
    assert all(len(query.split()) > 1 for query in queries)
    assert len({frozenset(stems(query)) for query in queries}) == len(queries)


def test_names_and_quoted_phrases_are_kept_whole() -> None:
    first = made("Who published the Review of Coastal Engineering before “The Grey Harbour”?")[0]

    assert "Review of Coastal Engineering" in first
    assert "Grey Harbour" in first


def test_a_part_that_names_nothing_borrows_the_name_of_the_whole_question() -> None:
    assert made("what does the with statement do?", "How does Python close files?")[0].startswith("Python ")


def test_a_part_that_points_back_borrows_the_topic() -> None:
    queries = made("What cues influence this process?", "How do birds navigate at night?")

    assert queries[0] == "birds navigate cues influence process"


def test_a_question_in_another_language_gets_no_english_words() -> None:
    queries = made("Wie funktioniert die Photosynthese in Pflanzen?", language="de")

    assert queries
    assert not any(word in query for query in queries for word in ("overview", "explained", "definition"))


def test_a_question_without_blanks_between_words_is_asked_whole() -> None:
    queries = made("中国的高铁网络是如何发展的，它有什么影响？", language="zh")

    assert queries[0] == "中国的高铁网络是如何发展的，它有什么影响"


def test_many_names_are_cut_to_what_an_engine_takes() -> None:
    question = "Did " + ", ".join(f"Anna{n} Berta{n} Carla{n}" for n in range(9)) + " meet?"

    assert all(len(query.split()) <= 14 for query in made(question))


def test_queries_of_the_same_words_count_once() -> None:
    assert distinct(["blue sky", "sky blue", "sky", "blue skies at night"]) == ["blue sky", "blue skies at night"]


def test_a_second_query_has_the_noun_that_headings_have_for_a_word_of_the_question() -> None:
    found = queries_for(Piece("How does PostgreSQL handle concurrent writers?"), "", "en")

    assert found[:2] == ["PostgreSQL concurrent writers", "PostgreSQL concurrency writing"]
