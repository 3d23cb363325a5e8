import pytest

from deepresearch_mcp.thinkers.extractive.clauses import clauses, is_english
from deepresearch_mcp.thinkers.extractive.completing import subject


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How does Python decide which exception handler runs, and what do finally and else do?",
            ["How does Python decide which exception handler runs?", "Python: what do finally and else do?"],
        ),
        (
            "Why did the Roman Empire fall and what were its consequences?",
            ["Why did the Roman Empire fall?", "what were the Roman Empire’s consequences?"],
        ),
        (
            "What is a descriptor in Python, how does it work, and when should I use it?",
            [
                "What is a descriptor in Python?",
                "how does a descriptor in Python work?",
                "when should I use a descriptor in Python?",
            ],
        ),
        (
            "Please explain how vaccines work and why boosters are needed.",
            ["how vaccines work", "why boosters are needed"],
        ),
        ("In ecology, how do birds navigate at night?", ["In ecology, how do birds navigate at night?"]),
        ("How and why do cats purr?", ["How and why do cats purr?"]),
        (
            "I want a report on heat pumps. Cover: (1) costs in Germany; (2) noise limits",
            ["heat pumps", "costs in Germany", "Heat pumps: noise limits"],
        ),
        (
            "Vaccines were invented long ago. Within this domain, key questions arise: What are adjuvants?",
            ["What are adjuvants?"],
        ),
        ("Cats purr. Nobody knows the reason.", ["Cats purr. Nobody knows the reason."]),
        (
            "What are the Beatles, and are they still famous?",
            ["What are the Beatles?", "are the Beatles still famous?"],
        ),
        (
            "What is tea; green tea; ; and how is it made?",
            ["What is tea and green tea?", "how is tea and green tea made?"],
        ),
        (
            "What do tides cost the ports? List this out separately for each year.",
            ["What do tides cost the ports?"],
        ),
        ("Is tea healthy and so on?", ["Is tea healthy and so on?"]),
        ("Why is water wet, and how does ice float?", ["Why is water wet?", "how does ice float?"]),
    ],
)
def test_a_long_question_comes_apart_into_questions_that_stand_alone(question: str, expected: list[str]) -> None:
    assert clauses(question) == expected


def test_the_topic_goes_before_a_later_clause_that_names_nothing() -> None:
    assert clauses("What did the war cost and why did prices rise?") == [
        "What did the war cost?",
        "War: why did prices rise?",
    ]


def test_a_command_with_nothing_behind_it_comes_back_as_it_was_put() -> None:
    assert clauses("?!") == ["?!"]


@pytest.mark.parametrize(
    ("clause", "topic"),
    [
        ("What is an eclipse?", "an eclipse"),
        ("How did the Hanseatic League end?", "the Hanseatic League"),
        ("Why did the price of the bread rise?", "the price of the bread"),
        ("heat pumps", "heat pumps"),
        ("Why are potatoes eaten so often in the north?", ""),
    ],
)
def test_what_a_clause_is_about_is_told_only_where_it_is_plain(clause: str, topic: str) -> None:
    assert subject(clause) == topic


def test_a_few_words_are_known_as_english_by_how_they_begin() -> None:
    assert is_english("why is it so")
    assert is_english("write a paper on bees")
    assert not is_english("Warum ist das so?")
