import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.attributions import unattributed

SAID = "Ada Lovelace was born on 11 December 1815"


@pytest.mark.parametrize(
    "text",
    [
        f"{SAID}, according to a parish list.",
        f"{SAID} according to the keeper.",
        f"According to a parish list, {SAID}.",
        f"{SAID}, as recorded in the parish list of 1815.",
        f"{SAID}, as a parish list has it.",
        f"{SAID}, the keeper wrote to her mother.",
        f"{SAID}, says the keeper of the list.",
        f"{SAID} (source: a parish list).",
        f"The keeper of the parish list reported in 1816 that {SAID}.",
        f"{SAID}, selon une liste de la paroisse.",
        f"Laut einer Liste, {SAID}.",
        f"{SAID}, according to Ann Lee, director of the archive.",
        f"{SAID} according to Ann Lee.",
        f"{SAID} - according to a list that was printed in 1850.",
        f"{SAID}, as Dr. Lee found in 1850.",
        f"{SAID}, reports The Guardian.",
        f"{SAID}, the keeper of the list reported in 1850.",
        f"{SAID}, per Ann Lee of the archive.",
        f"Dr. A. B. Lee of the U.S. archive found that {SAID}.",
    ],
)
def test_a_statement_is_left_without_whom_it_is_from(text: str) -> None:
    assert unattributed(text) == f"{SAID}."


def test_an_attribution_within_is_left_out() -> None:
    assert unattributed("Ada Lovelace, according to a list, was born in 1815") == "Ada Lovelace was born in 1815"


@pytest.mark.parametrize(
    "text",
    [
        "Dues rise according to income.",
        "The keeper denied that she was born in 1815.",
        "According to Ann, no.",
        "Rome, Paris and London grew.",
        "The tank is 3 m high, holds 20 litres and costs 40 dollars.",
        "The bridge is 3 km long; estimated costs were 4 billion.",
        "The drug is safe in adults - as shown in children under five it is not.",
        "The drug is safe in adults, as shown in the trial in children it is harmful.",
        "The drug is safe, as shown in adults.",
        "The pump moves 3 litres, per minute of operation.",
        "Per minute of operation, the pump moves 3 litres.",
        "Inflation was 2.1 % in May according to the harmonised index.",
        "Inflation was 1.8 % in May, according to the national index.",
        "According to the national index, inflation was 1.8 % in May.",
        "Inflation was 1.8 % in May (according to the national index).",
        "He was born on 1 May 1700 according to the Julian calendar.",
        "Dues rise with time, based on the income of the household.",
        "Prices rose in May and the bank said that wages fell.",
        "Prices rose in May. The bank said that wages fell.",
        "The old mill stood here, and its wheel was found in 1815.",
        "It reached 48.8 degrees there, the highest temperature recorded in Europe.",
        "It had rabies in 1815, the first case reported in Rome.",
        "The hall has judges, the court clerks and the reports.",
        "It borders three countries, two seas and four states.",
        "He knelt before them, said the prayer and left.",
        "William ruled all of England (from 1066 to 1087).",
        "",
    ],
)
def test_what_is_no_attribution_stays(text: str) -> None:
    assert unattributed(text) == text


@pytest.mark.parametrize(
    "said",
    [
        "The committee did not find that",
        "The committee didn't say that",
        "The committee never found that",
        "Few studies found that",
        "No study found that",
        "Studies hardly suggest that",
        "Only one small study found that",
        "Nobody reported that",
        "Neither trial showed that",
        "The makers failed to show that",
        "The trial aims to show that",
        "The trial may show that",
        "The makers falsely claimed that",
        "Critics dismissed claims that",
        "The board rejects reports that",
        "Despite reports that",
        "If the trial shows that",
        "The trial found in none of its groups that",
    ],
)
def test_what_is_denied_narrowed_or_supposed_does_not_become_an_assertion(said: str) -> None:
    assert unattributed(f"{said} the drug is safe.") == f"{said} the drug is safe."


def test_what_is_said_within_keeps_both_halves() -> None:
    said = "Prices rose in May, according to the bank, and wages fell."

    assert unattributed(said) == "Prices rose in May and wages fell."


@given(
    st.sampled_from(["found", "said", "showed", "reported", "suggested", "held"]),
    st.sampled_from(["not", "never", "hardly", "rarely", "scarcely", "falsely", "wrongly"]),
)
def test_a_denied_verb_of_saying_is_never_cut(verb: str, denial: str) -> None:
    text = f"The board {denial} {verb} that the drug is safe."

    assert unattributed(text) == text


@given(st.text(max_size=300))
def test_no_word_is_added(text: str) -> None:
    assert len(unattributed(text)) <= len(text) + 1
    assert unattributed("x " * 3000 + text) == "x " * 3000 + text
