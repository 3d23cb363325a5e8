import pytest

from deepresearch_mcp.text.topics import is_another_topic

EARLIER = (
    "How do PostgreSQL and SQLite handle concurrent writers?\nPostgreSQL keeps row versions, so writers of different"
    " rows do not wait. SQLite admits one writer at a time, in WAL mode too. The best choice depends on the use."
)


@pytest.mark.parametrize(
    "question",
    [
        "Is intermittent fasting safe for older people?",
        "Which electric cars have the longest range?",
        "What is the best laptop for students in 2026?",
    ],
)
def test_a_question_without_a_word_of_the_earlier_text_has_another_topic(question: str) -> None:
    assert is_another_topic(question, EARLIER)


@pytest.mark.parametrize(
    "question",
    [
        "How does vacuum remove old row versions?",
        "And on Windows servers?",
        "What does it cost to run them in a cloud?",
        "Autovacuum?",
        "Wie verhält sich die Datenbank bei vielen gleichzeitigen Benutzern?",
        "What about MySQL?",
        "Why?",
        "",
    ],
)
def test_a_question_that_shares_a_word_points_back_or_is_too_short_keeps_the_topic(question: str) -> None:
    assert not is_another_topic(question, EARLIER)
