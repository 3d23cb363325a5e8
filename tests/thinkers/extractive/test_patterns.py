import re

import pytest

from deepresearch_mcp.thinkers.extractive.patterns import AUX, MONTH, THING, WH, any_of


def test_alternatives_are_joined_so_that_what_follows_holds_for_all() -> None:
    assert [bool(re.fullmatch(any_of("a", "b|c") + "d", text)) for text in ("ad", "bd", "cd", "a")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(WH, "to what extent"), (WH, "in which year"), (AUX, "could"), (MONTH, "Sept."), (THING, "the Bank of England")],
)
def test_the_shared_patterns_match_what_they_are_named_after(pattern: str, text: str) -> None:
    assert re.fullmatch(pattern, text)
