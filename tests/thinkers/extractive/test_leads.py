from collections.abc import Callable

import pytest

from deepresearch_mcp.records.evidence import Lead
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import candidates
from deepresearch_mcp.thinkers.extractive.leads import at_home, is_a_name, leads

Make = Callable[..., Passage]
QUESTION = "What public office was held by the singer who portrayed Marta Lindgren?"


def found(texts: list[str], passage: Make, question: str = QUESTION, whole: str = "") -> tuple[Lead, ...]:
    read = candidates(question, [passage(text, f"s{n}") for n, text in enumerate(texts)])
    return leads(question, whole or question, read, read, "en")


def test_an_unexplained_name_becomes_a_query_with_the_words_still_open(passage: Make) -> None:
    [lead] = found(["Marta Lindgren was portrayed on the screen by Greta Solberg in the forties."], passage)

    assert lead.query == "Greta Solberg public office held singer"


def test_a_name_that_a_page_explains_leads_nowhere(passage: Make) -> None:
    texts = [
        "Marta Lindgren was portrayed on the screen by Greta Solberg in the forties.",
        "Greta Solberg was an actress who later served as an ambassador.",
    ]

    assert not any("Greta Solberg" in lead.query for lead in found(texts, passage))


def test_names_of_the_question_months_code_and_quoted_words_are_no_leads(passage: Make) -> None:
    text = 'Marta Lindgren was portrayed in January with my_function and "something small" by a woman.'

    assert found([text], passage) == ()


def test_there_are_at_most_two_leads_and_always_the_same(passage: Make) -> None:
    texts = ["Marta Lindgren was portrayed by Anna Bell, Carl Dorn and Emil Fox on the radio."]

    assert len(found(texts, passage)) == 2
    assert found(texts, passage) == found(texts, passage)


def test_in_a_very_long_question_only_the_part_counts(passage: Make) -> None:
    whole = f"{QUESTION} {'and many other things ' * 12}"

    [lead] = found(["Marta Lindgren was portrayed on the screen by Greta Solberg."], passage, whole=whole)

    assert "things" not in lead.query


def test_where_a_sentence_holds_every_word_of_the_question_no_name_is_followed(passage: Make) -> None:
    assert not found(
        ["Zurich is the town where the Alpha Club plays chess."], passage, question="Which club plays chess?"
    )


@pytest.mark.parametrize(
    ("name", "sentence", "good"),
    [
        ("Ottilie Brandt", "The picture was painted by Ottilie Brandt in a small town.", True),
        ("J. R. Brandt", "The picture was painted by J. R. Brandt in a small town.", True),
        ("Ora 2.7. Get Ora", "Ora 2.7. Get Ora Docs Advanced Tutorials News About", False),
        ("Tutorials News", "Home Docs Advanced Tutorials News About", False),
        ("read_file()", "The data is read by read_file() in one step.", False),
        ("Monday", "It was painted on a Monday in a small town.", False),
    ],
)
def test_a_name_stands_in_a_sentence_and_is_no_furniture_of_a_page(name: str, sentence: str, good: bool) -> None:
    assert is_a_name(name, sentence) is good


def test_names_on_the_pages_of_a_things_own_site_lead_nowhere() -> None:
    question = "What is the default of most_clients in Orasql?"

    assert at_home(question, ["Clients — Orasql 3.2 Manual › Settings"])
    assert not at_home(question, ["Orasql — Kit 1.4 Manual", "Clients", ""])
