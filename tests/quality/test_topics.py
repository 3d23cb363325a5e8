"""What a question is about."""

from datetime import date

import pytest

from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.quality.topics import topic_of

TODAY = date(2026, 11, 20)


def topic(question: str, profile: str = "general") -> str:
    return topic_of(question, profile, own_scale(), TODAY)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How do PostgreSQL and SQLite handle concurrent writers?", "technology"),
        ("What is the latest news on the election?", "current_events"),
        ("Who won the vote of 2026?", "current_events"),
        ("How did interest rates change inflation?", "business"),
        ("Does a vaccine lower the risk of the disease?", "science"),
        ("Why did the Roman empire fall?", "history"),
        ("What happened in Vienna in 1848?", "history"),
        ("Who ruled Kyoto in the 12th century?", "history"),
        ("Which bands were popular in the 1980s?", "history"),
        ("Why does ice float?", "reference"),
        ("", "reference"),
    ],
)
def test_the_words_of_a_question_tell_its_topic(question: str, wanted: str):
    assert topic(question) == wanted


@pytest.mark.parametrize(
    ("profile", "wanted"),
    [
        ("general", "reference"),
        ("academic", "science"),
        ("technical", "technology"),
        ("news", "current_events"),
        ("finance", "business"),
        ("legal", "reference"),
        ("medical", "science"),
    ],
)
def test_where_the_words_tell_nothing_the_profile_does(profile: str, wanted: str):
    assert topic("Why does ice float?", profile) == wanted


def test_a_tie_goes_to_the_profile_and_a_clear_word_stands_over_it():
    assert topic("What is the latest research?", "academic") == "science"
    assert topic("What is the latest research?", "news") == "current_events"
    assert topic("Why did the tulip market of 1637 collapse in the 17th century?", "finance") == "history"


def test_a_number_that_is_no_year_makes_no_history():
    assert topic("How much is 1,500 or 1500.5 miles?") == "reference"
