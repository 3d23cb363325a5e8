import pytest

from deepresearch_mcp.thinkers.extractive.comparisons import alternatives, comparison


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Compare Python, Go and Rust on concurrency",
            ["Python: concurrency", "Go: concurrency", "Rust: concurrency"],
        ),
        ("How do lists and tuples differ", ["Lists", "Tuples"]),
        ("React vs Vue: bundle size", ["React: bundle size", "Vue: bundle size"]),
        (
            "What are the main differences in memory use between Java and Kotlin",
            ["Java: memory use", "Kotlin: memory use"],
        ),
        (
            "How do Ora and Belvo differ in full-text search and in JSON support",
            [
                "Ora: full-text search",
                "Belvo: full-text search",
                "Ora: JSON support",
                "Belvo: JSON support",
            ],
        ),
        (
            "Which is better for time series, InfluxDB or TimescaleDB",
            [
                "InfluxDB: time series",
                "TimescaleDB: time series",
                "Which is better for time series: InfluxDB or TimescaleDB?",
            ],
        ),
        ("Is Rust faster than Go", ["Rust", "Go"]),
        ("Compare asyncio.wait and asyncio.gather", ["asyncio.wait", "asyncio.gather"]),
    ],
)
def test_a_comparison_asks_for_each_thing_by_each_aspect(question: str, parts: list[str]) -> None:
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
