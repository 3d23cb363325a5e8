"""What a question joins with `and` or `or`."""

import pytest

from deepresearch_mcp.thinkers.extractive.joined import in_turn, joined
from deepresearch_mcp.thinkers.extractive.terms import asked


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How do Django migrations handle renames and squashing?", [{"renam", "squash"}]),
        ("How are indexes, views, and triggers made?", [{"index", "view", "trigger"}]),
        ("What is the difference between merge and rebase?", []),
        ("How do readers and writers interact?", []),
        ("How does a finally clause work?", []),
    ],
)
def test_a_list_of_words_is_joined_unless_they_are_set_side_by_side(question: str, found: list[set[str]]) -> None:
    assert [set(one) for one in joined(question, asked(question))] == found


def test_each_joined_thing_has_its_turn_and_a_text_on_none_of_them_comes_last() -> None:
    texts = ["a squash", "a squash too", "nothing", "a rename", "rename and squash"]

    assert in_turn((frozenset({"renam", "squash"}),), texts) == [4, 0, 3, 1, 2]
