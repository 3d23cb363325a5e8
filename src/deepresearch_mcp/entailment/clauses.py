"""Splits a sentence into clauses."""

import re

from deepresearch_mcp.entailment.rules import alternatives, whole_threshold
from deepresearch_mcp.text.keywords import content_words

_BREAK = re.compile(
    # A run of blanks is tried only from its beginning, which keeps the time linear.
    rf"[;:,]\s+|(?<!\s)\s++[–—-]{{1,2}}\s+|—|(?:(?<!\s)\s++)?[()]\s*|(?<!\s)\s++(?=(?:{alternatives('clauses.joining')})\s)"
    rf"|(?<!\s)\s++(?=(?:{alternatives('clauses.before_gerund')})\s+\w+ing\b)",
    re.IGNORECASE,
)
_NEVER_BARE = whole_threshold("clauses.never_bare")
"""In characters. A clause this long counts as whole whatever its words, so that none is counted again and again."""
_FEWEST = whole_threshold("clauses.fewest")
"""The fewest content words of a clause; with fewer it states nothing apart from its neighbour, such as a list item."""


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a sentence in order, each with the word that joins it to the previous one.

    Semicolons, colons, commas, dashes, brackets, conjunctions and relative pronouns separate clauses (English, and the
    most common German, French and Spanish words). A piece with fewer than two content words stays with its neighbour.
    """
    found: list[list[str]] = []
    bare = False
    length = 0
    for part in (piece.strip() for piece in _BREAK.split(text)):
        if not any(char.isalnum() for char in part):
            continue
        few = len(content_words(part)) < _FEWEST
        if found and (few or bare):
            found[-1].append(part)
            length += len(part)
            bare = bare and length < _NEVER_BARE and len(content_words(" ".join(found[-1]))) < _FEWEST
        else:
            found.append([part])
            bare, length = few, len(part)
    return [" ".join(parts) for parts in found]
