"""Trifling differences between two claims: the last part of a version, a rounded figure, an end that is included."""

import re

from deepresearch_mcp.entailment.check import negations
from deepresearch_mcp.text.quantities import apart, differing, quantities, undated_stems

_PATCH = re.compile(r"(?<![\w.])(\d+\.\d+)(?:\.\d+)+(?![\w%]|\.\d)")
"""A version of three parts or more; its first two parts name the release."""
_BEFORE = re.compile(r"\b(?:prior to|earlier than|before|until|up to|through)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:later than|newer than|after|since|from|as of|starting)\b", re.IGNORECASE)
_INCLUDED = re.compile(r"\b(?:including|inclusive|included|and (?:later|newer|earlier|older)|through)\b", re.IGNORECASE)
_SHARED = 0.6
"""The share of the shorter claim's words that the other has where both speak of one thing."""


def is_trifle(one: str, other: str, question: str) -> bool:
    """Whether two statements at odds differ in nothing that a reader of the question needs to know.

    They speak of one thing, both deny or neither does, and what differs is the last part of a version that the question
    does not ask for, the rounding of a figure, or whether the version at which something ends is included.
    """
    if not _are_alike(one, other):
        return False
    mine, theirs = quantities(one), quantities(other)
    if differing(mine, theirs):
        return False
    versions = [{match.group(): match[1] for match in _PATCH.finditer(text)} for text in (one, other)]
    releases = [set(found.values()) for found in versions]
    rest = [found.labels - own.keys() for found, own in zip((mine, theirs), versions, strict=True)]
    if releases[0] != releases[1] or rest[0] != rest[1]:
        return False
    if releases[0] and not _PATCH.search(question):
        same = versions[0].keys() == versions[1].keys()
        return _is_one_end(one, other) if same else True
    return mine.figures != theirs.figures and not apart(mine.dates, theirs.dates)


def _are_alike(one: str, other: str) -> bool:
    words, more = sorted((undated_stems(one), undated_stems(other)), key=len)
    alike = bool(words) and len(words & more) >= _SHARED * len(words)
    return alike and bool(negations(one)) == bool(negations(other))


def _is_one_end(one: str, other: str) -> bool:
    """Whether both name the same end of a span of versions, and only one includes it."""
    sides = [(bool(_BEFORE.search(text)), bool(_AFTER.search(text))) for text in (one, other)]
    included = [bool(_INCLUDED.search(text)) for text in (one, other)]
    return sides[0] == sides[1] and sides[0].count(True) == 1 and included[0] != included[1]
