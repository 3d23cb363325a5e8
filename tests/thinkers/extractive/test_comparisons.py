import pytest

from deepresearch_mcp.thinkers.extractive.comparisons import alternatives, comparison


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Compare Python, Go and Rust on concurrency",
            [
                "What is known about Python with regard to concurrency?",
                "What is known about Go with regard to concurrency?",
                "What is known about Rust with regard to concurrency?",
                "How do Python, Go and Rust differ with regard to concurrency?",
            ],
        ),
        (
            "How do lists and tuples differ",
            ["What characterises lists?", "What characterises tuples?", "How do lists and tuples differ?"],
        ),
        (
            "React vs Vue: bundle size",
            [
                "What is known about React with regard to bundle size?",
                "What is known about Vue with regard to bundle size?",
                "How do React and Vue differ with regard to bundle size?",
            ],
        ),
        (
            "What are the main differences in memory use between Java and Kotlin",
            [
                "What is known about Java with regard to memory use?",
                "What is known about Kotlin with regard to memory use?",
                "How do Java and Kotlin differ with regard to memory use?",
            ],
        ),
        (
            "Which is better for time series, InfluxDB or TimescaleDB",
            [
                "What is known about InfluxDB with regard to time series?",
                "What is known about TimescaleDB with regard to time series?",
                "Which is better for time series: InfluxDB or TimescaleDB?",
            ],
        ),
        (
            "Is Rust faster than Go",
            ["What characterises Rust?", "What characterises Go?", "How do Rust and Go differ?"],
        ),
    ],
)
def test_a_comparison_asks_for_each_thing_and_then_for_the_difference(question: str, parts: list[str]) -> None:
    assert [piece.text for piece in comparison(question)] == parts


@pytest.mark.parametrize(
    "question",
    [
        "How do planes fly",
        "Compare these models in terms of risk and the one that we have used in all of our earlier work and papers",
        "Compare a, b, c, d, e and f",
    ],
)
def test_what_is_no_comparison_of_a_few_things_gives_no_parts(question: str) -> None:
    assert not list(comparison(question))


def test_two_things_held_against_one_fact_are_each_looked_up() -> None:
    pieces = list(alternatives("Were Scott Derrickson and Ed Wood of the same nationality"))

    assert [(piece.text, piece.aspect) for piece in pieces] == [
        ("What is known about Scott Derrickson?", "nationality"),
        ("What is known about Ed Wood?", "nationality"),
        ("Were Scott Derrickson and Ed Wood of the same nationality?", "comparison"),
    ]


def test_a_choice_between_names_looks_up_each_name() -> None:
    pieces = list(alternatives("Who is older, Annie Morton or Terry Richardson"))

    assert [piece.text for piece in pieces][:2] == [
        "What is known about Annie Morton?",
        "What is known about Terry Richardson?",
    ]
    assert not list(alternatives("Who is older"))
