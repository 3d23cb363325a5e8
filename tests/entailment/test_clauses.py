"""The clauses of a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.entailment.clauses import clauses_of
from deepresearch_mcp.text.keywords import words


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Ice floats on water.", ["Ice floats on water."]),
        (
            "Trout live in the lake, which freezes over in winter because nights are cold.",
            ["Trout live in the lake", "which freezes over in winter", "because nights are cold."],
        ),
        ("Salt, pepper, thyme and sage grow wild.", ["Salt pepper thyme", "and sage grow wild."]),
        ("The bridge opened in May; tolls (two pounds a car) followed.", [
            "The bridge opened in May tolls", "two pounds a car followed.",
        ]),
        ("Costs fell by a third – the board praised staff — while sales rose sharply.", [
            "Costs fell by a third", "the board praised staff", "while sales rose sharply.",
        ]),
        ("Engineers saved fuel by shortening the wide wings.", [
            "Engineers saved fuel", "by shortening the wide wings.",
        ]),
        ("", []),
        ("– – –", []),
    ],
)  # fmt: skip
def test_a_sentence_is_cut_where_something_new_begins_to_be_stated(sentence: str, parts: list[str]) -> None:
    assert clauses_of(sentence) == parts


@given(some.text(alphabet="abcdefgh ,;:()–—-.and", max_size=200))
def test_no_word_is_lost_between_clauses(text: str) -> None:
    assert words(" ".join(clauses_of(text))) == words(text)
