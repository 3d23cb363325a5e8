"""Which claims of different sources may contradict each other."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deepresearch_mcp.entailment.check import contradicts
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.attributions import unattributed
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.quantities import Quantities, apart, differing, quantities, undated_names, undated_stems

_SHARED = 2
"""Words, or names and numbers, that two claims must share."""
_IN_COMMON = 0.5
"""The least share of the shorter claim's rare words that the other claim has too."""
_RARE = 0.2
"""A word in more than this share of the claims says nothing about the subject of one of them."""
_FEW = 10
"""Among so few claims no word is common."""


@dataclass(frozen=True, slots=True)
class _Said:
    words: frozenset[str]
    """Stems, without figures and months."""
    names: frozenset[str]
    quantities: Quantities
    language: str


@lru_cache(maxsize=4096)
def _said(text: str) -> _Said:
    text = unattributed(text)
    return _Said(undated_stems(text), undated_names(text), quantities(text), guess(text))


def weights_of(claims: Sequence[Claim]) -> dict[str, float]:
    """The weight of each rare word: the fewer claims have it, the more it says about their subject."""
    held = Counter(word for claim in claims for word in _said(claim.text).words)
    most = max(_FEW, _RARE * len(claims))
    return {word: math.log(1 + len(claims) / number) for word, number in held.items() if number <= most}


def promise(one: Claim, other: Claim, weights: Mapping[str, float]) -> float:
    """How likely two claims differ about the same thing; 0 if nothing suggests it. `weights`: see `weights_of`."""
    if {quote.source_id for quote in one.quotes} & {quote.source_id for quote in other.quotes}:
        return 0.0
    first, second = _said(one.text), _said(other.text)
    if first.language and second.language and first.language != second.language:
        return _across(first, second)
    if first.names and second.names and first.names.isdisjoint(second.names):
        return 0.0
    shared = [weights[word] for word in first.words & second.words if word in weights]
    shorter = min(sum(weights.get(word, 0.0) for word in side.words) for side in (first, second))
    if len(shared) < _SHARED or sum(shared) < _IN_COMMON * shorter:
        return 0.0
    if first.quantities.labels != second.quantities.labels or not _unlike(one, other, first, second):
        return 0.0
    return sum(shared) / max(1, len(first.words | second.words))


def _unlike(one: Claim, other: Claim, first: _Said, second: _Said) -> bool:
    """Whether figures of one kind or dates differ, or one denies what the other states."""
    return (
        bool(differing(first.quantities, second.quantities))
        or apart(first.quantities.dates, second.quantities.dates)
        or contradicts(*(unattributed(claim.text) for claim in (one, other)))
        or contradicts(*(unattributed(claim.text) for claim in (other, one)))
    )


def _across(first: _Said, second: _Said) -> float:
    """The same for two languages, where only names and figures can be compared: the share of common ones."""
    mine, theirs = ((side.quantities.figures, side.quantities.dates) for side in (first, second))
    figures = sum(len(values & theirs[0].get(kind, frozenset())) for kind, values in mine[0].items())
    figures += len(mine[1] & theirs[1])
    named = len(first.names & second.names)
    if not named or named + figures < _SHARED or not (figures or differing(first.quantities, second.quantities)):
        return 0.0
    fewer = min(
        len(side.names) + len(side.quantities.dates) + sum(map(len, side.quantities.figures.values()))
        for side in (first, second)
    )
    share = (named + figures) / fewer
    return share if share >= _IN_COMMON else 0.0
