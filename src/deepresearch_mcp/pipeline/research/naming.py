"""Naming: whether a text names the subject and the aspect of a cell, or what a deliverable is about."""

from collections.abc import Collection, Sequence
from functools import lru_cache

from deepresearch_mcp.records.plan import Cell
from deepresearch_mcp.text.keywords import content_words, stem

_HALF = 0.5
"""Share of the words of an aspect, or of a deliverable, from which a text names it."""
_PREFIX, _ENDING = 6, 3
"""Letters that two words of one root share at least, and by which their lengths differ at most."""


def names_cell(text: str, cell: Cell, about: str = "") -> bool:
    """Whether a text names a cell: its whole subject, and half of its aspect there or in what the text is `about`."""
    said = _words(text)
    return names_all(said, cell.subject) and names_half({*said, *_words(about)}, cell.aspect)


def names_all(said: Collection[str], name: str) -> bool:
    """Whether all words of a name are among what is said."""
    wanted = _words(name)
    return bool(wanted) and all(_is_said(word, said) for word in wanted)


def names_half(said: Collection[str], name: str) -> bool:
    """Whether half of the words of a name are among what is said."""
    wanted = _words(name)
    return bool(wanted) and sum(_is_said(word, said) for word in wanted) >= _HALF * len(wanted)


def said_in(*texts: str) -> frozenset[str]:
    """The words of some texts, as the other functions compare them."""
    return frozenset(word for text in texts for word in _words(text))


def telling_words(text: str, others: Sequence[str]) -> list[str]:
    """The words of a text that not all of the `others` have; all of its words without others."""

    def is_shared(word: str) -> bool:
        return bool(others) and all(stem(word) in _words(other) for other in others)

    return list(dict.fromkeys(word for word in content_words(text) if not is_shared(word)))


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(stem, content_words(text)))


def _is_said(word: str, said: Collection[str]) -> bool:
    return word in said or any(_is_related(word, other) for other in said)


def _is_related(one: str, other: str) -> bool:
    """Whether two words have one root: concurrent and concurrency, but not document and documentation."""
    if min(len(one), len(other)) < _PREFIX or abs(len(one) - len(other)) > _ENDING:
        return False
    return one[:_PREFIX] == other[:_PREFIX]
