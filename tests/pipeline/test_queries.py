"""Queries: what is one, and how text becomes one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.queries import (
    MOST_NAMED_PAGES,
    is_query,
    named_pages,
    one_language,
    query_key,
    without_page_addresses,
)


def test_the_pages_that_a_question_names_come_in_order_and_once() -> None:
    question = "Compare https://a.example/x, https://b.example/y and (https://a.example/x)."

    assert named_pages(question) == ("https://a.example/x", "https://b.example/y")
    assert named_pages("Why does ice float on water.example or so?") == ()
    assert len(named_pages(" ".join(f"https://a.example/{number}" for number in range(50)))) == MOST_NAMED_PAGES


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does http://127.0.0.11:8900/library say about locks?", "What does say about locks?"),
        ("Why does ice float?", "Why does ice float?"),
        ("https://docs.example.org/guide/locking_modes.html", "docs.example.org guide locking modes"),
        ("Summarise https://docs.example.org/guide/", "Summarise docs.example.org guide"),
        ("http://127.0.0.11:8900/library", "library"),
        ("http://127.0.0.11:8900/", "http://127.0.0.11:8900/"),
    ],
)
def test_an_address_is_no_words_for_a_search_box(question: str, words: str) -> None:
    assert without_page_addresses(question) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ice float water", "water: ice, float?"),
        ("why does ICE float", "ice float"),
        ("?!", " ?! "),
    ],
)
def test_queries_of_the_same_words_are_the_same(one: str, other: str) -> None:
    assert query_key(one) == query_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C++ memory model", "C# memory model"),
        ("C++ memory model", "C memory model"),
        ("vitamin C deficiency symptoms", "vitamin D deficiency symptoms"),
        ("coffee with sugar", "coffee without sugar"),
        ("SQLite changes before 2020", "SQLite changes after 2020"),
        ("python 2 string types", "python 3 string types"),
    ],
)
def test_queries_that_one_sign_sets_apart_are_two(one: str, other: str) -> None:
    assert query_key(one) != query_key(other)


@pytest.mark.parametrize("text", ["ice water", "冰为什么浮在水上", "SARS-CoV-2", "SQLite site:sqlite.org locks"])
def test_two_words_are_a_query(text: str) -> None:
    assert is_query(text)


@pytest.mark.parametrize("text", ["", "SQLite", "? !", "site:sqlite.org", "SQLite site:sqlite.org", "SQLite -"])
def test_one_word_is_no_query(text: str) -> None:
    assert not is_query(text)


WORDS = st.lists(st.from_regex(r"[a-zäé]{1,7}[+#0-9]?", fullmatch=True), min_size=1, max_size=6)


@given(WORDS.flatmap(lambda some: st.tuples(st.just(some), st.permutations(some))))
def test_the_order_of_the_words_never_makes_another_query(both: tuple[list[str], list[str]]) -> None:
    one, other = both

    assert query_key(" ".join(one)) == query_key(" ".join(other))


@pytest.mark.parametrize(
    ("query", "languages", "looked_for"),
    [
        ("Why does ice float on water?", ("de",), "de"),
        ("Warum schwimmt Eis auf Wasser?", ("fr", "de"), "de"),
        ("Why does ice float on water?", ("fr", "de"), ""),
    ],
)
def test_pages_are_looked_for_in_the_only_language_or_in_that_of_the_query(
    query: str, languages: tuple[str, ...], looked_for: str
) -> None:
    assert one_language(query, languages) == looked_for
