"""Words of a statement that its evidence does not know, and clauses that are made of such words."""

from collections.abc import Sequence
from functools import lru_cache

from deepresearch_mcp.entailment.clauses import clauses_of
from deepresearch_mcp.entailment.rules import threshold, whole_threshold, word_list
from deepresearch_mcp.text.keywords import content_words, stem, words

_COVERED = threshold("unknown_words.covered")
"""Least share of a sentence's content words that its claims and their surroundings must hold."""
_MOSTLY = threshold("unknown_words.mostly")
"""A clause with a greater share of telling words that no source holds is in doubt."""
_RUN = whole_threshold("unknown_words.run")
"""So many telling words in a row that no source holds are in doubt wherever they stand."""
_FEW = whole_threshold("unknown_words.few")
"""One strange word may be a synonym; two of them state something."""
LINKING = word_list("unknown_words.linking")
"""What leads from one sentence to the next."""
_EXCUSED = LINKING | word_list("unknown_words.excused")
"""What reports, and says nothing of the matter; in a near repetition it has to stand in the claims all the same."""


def mostly_unknown(statement: str, evidence: str) -> bool:
    """Tell whether too few of the words that state something stand in the evidence, in any form of theirs."""
    said, known = set(_telling(statement)), _stems(evidence)
    return bool(said) and sum(_is_known(word, known) for word in said) / len(said) < _COVERED


def unknown_clause(statement: str, evidence: str) -> str:
    """Return the first clause that is mostly made of words that the evidence does not know; empty for none."""
    known = _stems(evidence)
    for clause in clauses_of(statement):
        telling = _telling(clause)
        strange = [not _is_known(word, known) for word in telling]
        new = sum(strange)
        if (new >= _FEW and new > _MOSTLY * len(telling)) or _longest_run(strange) >= _RUN:
            return clause
    return ""


def _longest_run(strange: Sequence[bool]) -> int:
    longest = run = 0
    for one in strange:
        run = run + 1 if one else 0
        longest = max(longest, run)
    return longest


def _telling(text: str) -> list[str]:
    """Stems of the words that state something; figures are compared elsewhere, and exactly."""
    return [
        stem(word) for word in content_words(text) if word not in _EXCUSED and not any(char.isdigit() for char in word)
    ]


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


_PREFIX = whole_threshold("unknown_words.prefix")
_SHORTEST = whole_threshold("unknown_words.shortest")
_ALIKE = threshold("unknown_words.alike")
"""Share of the longer of two words that they must begin with alike to be of one family: produce, production."""


def _is_known(word: str, known: frozenset[str]) -> bool:
    return word in known or any(
        word[:_PREFIX] == other[:_PREFIX]
        and _begin_alike(word, other) >= _ALIKE * max(len(word), len(other), _SHORTEST)
        for other in known
        if len(other) >= _PREFIX
    )


def _begin_alike(one: str, other: str) -> int:
    length = 0
    for mine, its in zip(one, other, strict=False):
        if mine != its:
            break
        length += 1
    return length
