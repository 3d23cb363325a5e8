"""Cuts the opening of a report into paragraphs: as its writer did, or, where it is one long block, by length."""

import re
from collections.abc import Sequence
from itertools import pairwise

from deepresearch_mcp.records.report import Sentence

_LONG = 120
"""Words of an opening that is cut although its writer did not."""
_ENOUGH = 60
"""Words after which such a paragraph may end."""
_LEANING = re.compile(
    r"""[“"'(]?(?:also|and|both|but|each|hence|however|instead|its?|latter|moreover|neither|nor|or|otherwise|so|such"""
    r"""|that|their|then|therefore|these|they|this|those|thus|yet)\b""",
    re.IGNORECASE,
)
"""First words of a sentence that is not understood without the one before it."""


def paragraphs(sentences: Sequence[Sentence]) -> list[tuple[Sentence, ...]]:
    """The sentences of each paragraph, none of them empty."""
    starts = [at for at, one in enumerate(sentences) if one.opens and at]
    if not starts and sum(map(_words, sentences)) > _LONG:
        starts = _by_length(sentences)
    edges = [0, *starts, len(sentences)]
    cut = (tuple(sentences[first:last]) for first, last in pairwise(edges))
    return [one for one in cut if one]


def _by_length(sentences: Sequence[Sentence]) -> list[int]:
    starts: list[int] = []
    behind, left = 0, sum(map(_words, sentences))
    for at, one in enumerate(sentences):
        # A last paragraph of a few words would look like an afterthought.
        if behind >= _ENOUGH and left >= _ENOUGH // 2 and not _LEANING.match(one.text):
            starts.append(at)
            behind = 0
        behind += _words(one)
        left -= _words(one)
    return starts


def _words(sentence: Sentence) -> int:
    return len(sentence.text.split())
