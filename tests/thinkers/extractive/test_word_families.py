"""The nouns that headings have for words of a question."""

from deepresearch_mcp.thinkers.extractive.word_families import as_headings_say


def test_a_word_becomes_the_noun_of_a_heading_and_a_name_stays() -> None:
    assert as_headings_say(["PostgreSQL", "Concurrent", "writers"]) == ["PostgreSQL", "concurrency", "writing"]
