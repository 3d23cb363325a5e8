"""Containment: decides whether words hold a statement unchanged, or clause by clause in the order of its words."""

from collections.abc import Sequence

from deepresearch_mcp.entailment.alignment import TURNS
from deepresearch_mcp.entailment.clauses import clauses_of
from deepresearch_mcp.entailment.rules import threshold, whole_threshold, word_list
from deepresearch_mcp.entailment.unknown_words import LINKING
from deepresearch_mcp.text.keywords import content_words, stem, words
from deepresearch_mcp.text.sentences import sentences

_SKIPPED = whole_threshold("containment.skipped")
"""Significant words that a near restatement may skip within a clause."""

_WHOLE = threshold("containment.whole")
"""The smallest share of a quote that may be cited alone: a smaller part may say what the whole denies."""
_BEARING = word_list("containment.bearing")
"""Stopwords whose position or presence changes what a sentence says."""


def is_verbatim(statement: str, quote: str) -> bool:
    """Return whether a statement is a part of a quote, word for word, and most of it."""
    stated, quoted = words(statement), words(quote)
    size = len(stated)
    if not size or size > len(quoted):
        return False
    at = next((at for at in range(len(quoted) - size + 1) if quoted[at : at + size] == stated), None)
    # After "some say that", it is not the page's own claim.
    return at is not None and size >= _WHOLE * len(quoted) and not TURNS.intersection(quoted[:at])


def repeats(text: str, pieces: Sequence[str]) -> bool:
    """Return whether one piece holds all words of a text consecutively."""
    said = f" {' '.join(words(text))} "
    return any(said in f" {' '.join(words(piece))} " for piece in pieces)


def restates(text: str, pieces: Sequence[str]) -> bool:
    """Return whether one sentence of the pieces holds each clause's significant words in order, with few skipped."""
    whole = [_bearing(piece[span.start : span.end]) for piece in dict.fromkeys(pieces) for span in sentences(piece)]
    parts = [_bearing(clause) for clause in clauses_of(text)]
    return any(_in_order(_bearing(text), one) for one in whole) or all(
        any(_in_order(part, one) for one in whole) for part in parts
    )


def _bearing(text: str) -> list[str]:
    content = set(content_words(text)) - LINKING
    return [stem(word) for word in words(text) if word in content or word in _BEARING]


def _in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    for start, word in enumerate(whole):
        if part and word != part[0]:
            continue
        at, found = start, 0
        while at < len(whole) and found < len(part) and at - start - found <= _SKIPPED:
            found += whole[at] == part[found]
            at += 1
        if found == len(part):
            return True
    return not part
