import pytest

from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.search.data_sources.lookups import each_once, few_words, in_few_words

LONG = "What were the revenue and the operating margin of Siemens Energy in the wind power business after 2021?"


async def test_a_query_that_finds_nothing_is_put_once_more_in_fewer_words() -> None:
    asked: list[str] = []

    async def search(words: str) -> list[int]:
        asked.append(words)
        return []

    assert await in_few_words(LONG, search) == []
    assert [len(words.split()) for words in asked] == sorted((len(words.split()) for words in asked), reverse=True)
    assert len(asked) == 2
    assert "Siemens Energy" in asked[-1]


async def test_a_query_of_few_words_is_put_once() -> None:
    asked: list[str] = []

    async def search(words: str) -> list[int]:
        asked.append(words)
        return [1] if words == "found" else []

    assert await in_few_words("ice", search) == []
    assert await in_few_words("found", search) == [1]
    assert asked == ["ice", "found"]


@pytest.mark.parametrize("query", ["repo:evil/x ice", "title:range(1,2) ice*", "-ice", '"ice" {water}'])
def test_no_sign_of_a_query_language_is_left(query: str) -> None:
    assert not set('":()*{}') & set(few_words(query, 7))
    assert "ice" in few_words(query, 7).split()


def test_of_hits_with_one_address_the_first_is_kept() -> None:
    hits = [Hit(url="https://a.test/", title="first"), Hit(url="https://b.test/"), Hit(url="https://a.test/")]

    assert each_once(hits) == hits[:2]


def test_a_query_of_stopwords_stays_as_it_is() -> None:
    assert few_words("to be or not", 3)
