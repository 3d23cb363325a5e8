"""The things that a question joins with `and` or `or`: a passage on one of them answers its part."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.stopwords import STOPWORDS

_WORD = r"[^\W\d_][\w-]*"
_LIST = re.compile(rf"{_WORD}(?:, {_WORD})*,? (?:and|or) {_WORD}")
_BETWEEN = re.compile(r",? (?:and|or) |, ")
_SET_SIDE_BY_SIDE = re.compile(
    r"\b(?:between|both|compare[ds]?|comparison|differ\w*|versus|vs|together|relat\w+|interact\w*|same)\b",
    re.IGNORECASE,
)
"""Words of a question whose answer speaks of all that it joins."""


def joined(question: str, asked: Collection[str]) -> tuple[frozenset[str], ...]:
    """Return the stems of each list of single words in a question, in order.

    Args:
        question: What is asked.
        asked: The words of it that carry its meaning, casefolded; a list of others is none.
    """
    if _SET_SIDE_BY_SIDE.search(question):
        return ()
    return tuple(_lists(question, asked))


def in_turn(groups: Sequence[frozenset[str]], texts: Sequence[str]) -> list[int]:
    """Return the places of some texts, best first, so that each of the joined things has its turn.

    A text on more of them comes before one on fewer, and one on none of them last.
    """
    order = list(range(len(texts)))
    for group in groups:
        own: dict[frozenset[str], list[int]] = {}
        for at in order:
            own.setdefault(group.intersection(map(stem, words(texts[at]))), []).append(at)
        rest = own.pop(frozenset(), [])
        parted = sorted(own, key=lambda held: (-len(held), order.index(own[held][0])))
        order = [at for row in zip_longest(*map(own.__getitem__, parted)) for at in row if at is not None] + rest
    return order


def _lists(question: str, asked: Collection[str]) -> Iterator[frozenset[str]]:
    for match in _LIST.finditer(question):
        items = [item.casefold() for item in _BETWEEN.split(match.group())]
        if all(item in asked and item not in STOPWORDS["en"] for item in items):
            yield frozenset(map(stem, items))
