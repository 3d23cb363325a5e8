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
        "What is the best light laptop for students and teachers in 2026?",
        "Who runs Ryanair today?",
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


METFORMIN = (
    "How does metformin work?\nMetformin lowers the glucose that the liver releases, and helps cells to use insulin."
)


@pytest.mark.parametrize(
    "question",
    [
        "Effects on pregnancy and breastfeeding mothers?",
        "Is pregnancy a contraindication?",
        "Pregnancy and Breastfeeding?",
        "Approval by regulators in Japan?",
        "Dosage for elderly patients?",
    ],
)
def test_a_question_that_leaves_out_what_it_asks_about_keeps_the_topic(question: str) -> None:
    assert not is_another_topic(question, METFORMIN)


@pytest.mark.parametrize(
    "question", ["How tall is the Eiffel Tower?", "Which birds cross oceans without landing to feed?"]
)
def test_a_question_that_names_something_else_or_stands_alone_has_another_topic(question: str) -> None:
    assert is_another_topic(question, METFORMIN)
