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
        "",
    ],
)
def test_what_is_no_attribution_stays(text: str) -> None:
    assert unattributed(text) == text


@given(st.text(max_size=300))
def test_no_word_is_added(text: str) -> None:
    assert len(unattributed(text)) <= len(text) + 1
    assert unattributed("x " * 3000 + text) == "x " * 3000 + text
