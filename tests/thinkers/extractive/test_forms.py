import pytest

from deepresearch_mcp.thinkers.extractive.forms import parts_of


@pytest.mark.parametrize(
    ("clause", "parts"),
    [
        (
            "How do PostgreSQL and SQLite handle concurrent writers?",
            [
                "How does PostgreSQL handle concurrent writers?",
                "How does SQLite handle concurrent writers?",
            ],
        ),
        (
            "What were the causes and effects of the French Revolution?",
            ["What were the causes of the French Revolution?", "What were the effects of the French Revolution?"],
        ),
        (
            "the price and benefits of insulation",
            ["What is the price of insulation?", "What are the benefits of insulation?"],
        ),
        ("Who are Ada Lovelace and Charles Babbage?", ["Who is Ada Lovelace?", "Who is Charles Babbage?"]),
        (
            "How do cats and dogs sleep?",
            ["How do cats sleep?", "How do dogs sleep?"],
        ),
        ("Ora, Belvo and Kestrel: locks", ["Ora: locks", "Belvo: locks", "Kestrel: locks"]),
        ("Ora and Belvo: which is safer?", ["Ora and Belvo: which is safer?"]),
        ("What do finally and else do?", ["What do finally and else do?"]),
        ("How do Alice and Bob know each other?", ["How do Alice and Bob know each other?"]),
        (
            "What are the rules in chess and uses of them in schools",
            ["What are the rules in chess and uses of them in schools?"],
        ),
        (
            "How has WebAssembly evolved since 2017?",
            [
                "How has WebAssembly evolved since 2017?",
                "What was WebAssembly like in 2017?",
                "What is WebAssembly like today?",
            ],
        ),
        (
            "How did the population of Tokyo change between 1950 and 2000?",
            [
                "How did the population of Tokyo change between 1950 and 2000?",
                "What was the population of Tokyo in 1950?",
                "What was the population of Tokyo in 2000?",
            ],
        ),
        ("why is the sky blue", ["Why is the sky blue?"]),
        ("how vaccines work", ["How vaccines work"]),
    ],
)
def test_the_form_of_a_clause_names_its_parts(clause: str, parts: list[str]) -> None:
    assert [piece.text for piece in parts_of(clause)] == parts


def test_a_nested_thing_comes_first_and_the_rest_rests_on_it() -> None:
    first, second = parts_of("Where was the director of Jaws born?")

    assert first.text == "Who is the director of Jaws?"
    assert second.text == "Where was the director of Jaws born?"
    assert second.rests_on == (first.text,)


def test_a_very_long_clause_is_left_whole_and_costs_no_time() -> None:
    clause = "How do " + "X and " * 2000 + "Y differ?"

    assert [piece.text for piece in parts_of(clause)] == [clause]
