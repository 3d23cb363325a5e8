"""Whether a question goes on about what an earlier text was about."""

import re

from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.stopwords import listed

_LEANING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|such|former|latter|others?"
    r"|above|there|then|instead|else|same|so)\b|^\W*(?:and|or|but|also|what about|how about|why not)\b",
    re.IGNORECASE,
)
"""Words that point back: what they mean stands in what went before."""
_ANY_TOPIC = frozenset(
    map(
        stem,
        listed(
            "answer advantage approach aspect average benefit best better big cause change common compare comparison"
            " cost country current day describe detail difference different effect example explain fact factor feature"
            " find first give good happen help history important increase information kind know large last latest list"
            " long main major make mean method month name need new number old overview part people place possible"
            " price problem question reason recent recommend recommended report research result risk role size source"
            " state study support take thing time today top type usage use value way well work world year"
        ),
    )
)
"""Words of questions on every topic."""
_FEWEST = 2
"""Words on the topic below which a question is too short to tell."""


def is_another_topic(question: str, earlier: str) -> bool:
    """Whether a question shares no word on its topic with an earlier text, and points to nothing in it.

    Says so only where words can tell: a question of one word on its topic, one that points back ("and what of its
    cost?"), and one in another language than the earlier text count as the same topic.
    """
    if _LEANING.search(question):
        return False
    own = {stem(word) for word in content_words(question)} - _ANY_TOPIC
    own = {word for word in own if not word.isdigit()}
    known, asked = guess(earlier[:5000]), guess(question)
    if len(own) < _FEWEST or (known and asked and known != asked):
        return False
    return own.isdisjoint(map(stem, content_words(earlier)))
