"""Decides whether a question continues the topic of an earlier text."""

import re

from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import name_runs
from deepresearch_mcp.text.stopwords import word_set
from deepresearch_mcp.text.wrapping import is_title

_LEANING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|such|former|latter|others?"
    r"|above|there|then|instead|else|same|so)\b|^\W*(?:and|or|but|also|what about|how about|why not)\b",
    re.IGNORECASE,
)
"""Words that refer to the text before them."""
_ANY_TOPIC = frozenset(
    map(
        stem,
        word_set(
            "answer advantage approach aspect average benefit best better big cause change common compare comparison"
            " cost country current day describe detail difference different effect example explain fact factor feature"
            " find first give good happen help history important increase information kind know large last latest list"
            " long main major make mean method month name need new number old overview part people place possible"
            " price problem question reason recent recommend recommended report research result risk role size source"
            " state study support take thing time today top type usage use value way well work world year"
        ),
    )
)
"""Words that occur in questions on any topic."""
_FEWEST = 2
"""With fewer topic words, a question is too short to decide."""
_ENOUGH = 4
"""With this many topic words, a question stands alone even without a name."""
_WHERE = re.compile(r"\b(?:in|at|for|from|within|across|outside|near)\s+(?:the\s+)?$", re.IGNORECASE)
"""A name after these words only narrows a topic: "Approval in Japan?"."""


def is_another_topic(question: str, earlier: str) -> bool:
    """Return whether a question shares no topic word with an earlier text and does not refer to it.

    It is True only if words can decide. Three kinds of question count as the same topic: one without names and with few
    topic words, which may leave out its subject ("Effects on pregnancy?"); one that refers back ("and what of its
    cost?"); and one in another language than the earlier text.
    """
    if _LEANING.search(question):
        return False
    own = {stem(word) for word in content_words(question)} - _ANY_TOPIC
    own = {word for word in own if not word.isdigit()}
    known, asked = guess(earlier[:5000]), guess(question)
    if len(own) < (_FEWEST if _names_a_topic(question) else _ENOUGH) or (known and asked and known != asked):
        return False
    return own.isdisjoint(map(stem, content_words(earlier)))


def _names_a_topic(question: str) -> bool:
    if is_title(question.rstrip("? ")):
        return False  # In a title every word has a capital, so names cannot be told apart.
    named = (re.search(rf"\b{re.escape(run[0])}\b", question) for run in name_runs(question))
    return any(found and not _WHERE.search(question, 0, found.start()) for found in named)
