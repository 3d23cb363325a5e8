"""Finds words of a statement that its evidence lacks, and clauses made mostly of such words."""

from collections.abc import Sequence
from functools import lru_cache

from deepresearch_mcp.entailment.clauses import clauses_of
from deepresearch_mcp.entailment.rules import threshold, whole_threshold, word_list
from deepresearch_mcp.text.keywords import content_words, stem, words

_COVERED = threshold("unknown_words.covered")
"""The smallest share of a statement's informative words that its evidence must hold."""
_MOSTLY = threshold("unknown_words.mostly")
"""A clause with a larger share of informative words that no source holds is doubtful."""
_RUN = whole_threshold("unknown_words.run")
"""This many consecutive informative words that no source holds are doubtful in any clause."""
_FEW = whole_threshold("unknown_words.few")
"""One unknown word may be a synonym; this many state something."""
LINKING = word_list("unknown_words.linking")
"""Words that lead from one sentence to the next."""
_EXCUSED = LINKING | word_list("unknown_words.excused")
"""Reporting words, which add nothing to the content; a near repetition must still have them in the claims."""


def mostly_unknown(statement: str, evidence: str) -> bool:
    """Return whether the evidence holds too few of the informative words, in any form."""
    said, known = set(_telling(statement)), _stems(evidence)
    return bool(said) and sum(_is_known(word, known) for word in said) / len(said) < _COVERED


def unknown_clause(statement: str, evidence: str) -> str:
    """Return the first clause made mostly of words that the evidence lacks; "" for none."""
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
    """Return the stems of the informative words; figures are compared exactly elsewhere."""
    return [
        stem(word) for word in content_words(text) if word not in _EXCUSED and not any(char.isdigit() for char in word)
    ]


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


_PREFIX = whole_threshold("unknown_words.prefix")
_SHORTEST = whole_threshold("unknown_words.shortest")
_ALIKE = threshold("unknown_words.alike")
"""Two words with this share of the longer one as common beginning are related: produce, production."""


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
