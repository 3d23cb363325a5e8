import re

import pytest

from deepresearch_mcp.text.word_lists import WordLists, read_sections

TEXT = """# A note.
[orders.verbs]
go stop
# Another note.
take part

[orders.how]
\\bhow\\b
why
"""


def test_a_section_holds_its_lines_without_notes_and_empty_ones() -> None:
    assert read_sections(TEXT, "en.txt") == {
        "orders.verbs": ("go stop", "take part"),
        "orders.how": ("\\bhow\\b", "why"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("go\n[orders.verbs]\nstop", "en.txt, line 1: this line is above the first [section]"),
        ("[orders.verbs]\ngo\n[orders.verbs]\nstop", "en.txt, line 3: [orders.verbs] is defined twice"),
        ("[orders.verbs]\n\n[orders.how]\nwhy", "en.txt: [orders.verbs] is empty"),
    ],
)
def test_a_mistake_in_a_file_is_an_error_that_says_where(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        read_sections(text, "en.txt")


def test_the_lists_of_a_room_put_the_languages_together_in_their_order() -> None:
    lists = WordLists("deepresearch_mcp.injection", ("de", "zh"))

    assert lists.alternatives("orders.opening").endswith("务必")
    assert lists.bounded("orders.how").startswith(r"\b(?:\bwie (?:")
    assert "如何" in lists.words("orders.how")


def test_a_list_that_no_file_has_is_an_error_at_once() -> None:
    with pytest.raises(ValueError, match=re.escape("no file of words/ has a list [orders.nothing]")):
        WordLists("deepresearch_mcp.injection", ("de",)).words("orders.nothing")
