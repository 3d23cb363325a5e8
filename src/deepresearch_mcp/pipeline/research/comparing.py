"""Compare claims of different sources: which say the same, and which contradict each other."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deepresearch_mcp.entailment.check import contradicts
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.records.evidence import Claim, Comparison
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.text.attributions import unattributed
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.quantities import Quantities, apart, differing, quantities, undated_names, undated_stems
from deepresearch_mcp.thinkers.base import Pair, Thinker
from deepresearch_mcp.thinkers.tasks import ComparePairs

_PAIRS = 4
"""The most pairs of one batch that a thinker is asked about."""
_SHARED = 2
"""Words, or names and numbers, that two claims must share."""
_IN_COMMON = 0.5
"""The least share of the shorter claim's rare words that the other claim has too."""
_RARE = 0.2
"""A word in more than this share of the claims says nothing about the subject of one of them."""
_FEW = 10
"""Among so few claims no word is common."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What comparing some claims gave."""

    comparisons: tuple[Comparison, ...] = ()
    """The pairs that say the same or contradict each other."""
    opponents: tuple[Claim, ...] = ()
    """All claims that contradict each other, of whatever sub-question."""
    steps: tuple[str, ...] = ()
    """The key of the question asked, if one was."""


class Comparing:
    """Compares the claims of one run, each pair once."""

    def __init__(self) -> None:
        self._known: dict[str, Claim] = {}
        self._asked: set[frozenset[str]] = set()

    async def compare(
        self, brief: Brief, claims: Sequence[Claim], thinker: Thinker, journal: Journal, step: Step
    ) -> Compared:
        """Compare new claims with each other and with all claims before them.

        Which claims those are depends on timing, so whole pairs are recorded. The thinker is asked only if a pair could
        be a contradiction. If it cannot be asked, the claims stay as they are.

        Args:
            brief: Of the run.
            claims: New ones, of one batch.
            thinker: Who is asked.
            journal: The run's.
            step: `compare/<sub-question>/<batch>`; the question's own key names the pairs instead of the batch.

        Raises:
            KeyRefused: Every later call would fail too.
        """

        async def choose() -> list[Pair]:
            return self._pairs(claims)

        choice = steps.pairs(step)
        pairs = await journal.step(choice, choose, kind="decision", result=list[Pair])
        # A resumed run reuses the recorded choice.
        self._known |= {claim.claim_id: claim for claim in claims}
        self._asked |= {frozenset((one.claim_id, other.claim_id)) for one, other in pairs}
        if not pairs:
            return Compared()
        asked = steps.compared(step, choice, [claim.claim_id for pair in pairs for claim in pair])
        try:
            said = await thinker.ask(ComparePairs(brief, pairs), asked)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded):
            return Compared()
        return _compared(pairs, said, asked.key)

    def _pairs(self, claims: Sequence[Claim]) -> list[Pair]:
        """The pairs that are worth a question, those with most in common first; no pair twice."""
        everyone = {**self._known, **{claim.claim_id: claim for claim in claims}}
        weights = _weights(list(everyone.values()))
        found: list[tuple[float, Pair]] = []
        earlier = dict(self._known)
        for claim in claims:
            for other in earlier.values():
                asked = frozenset((claim.claim_id, other.claim_id)) in self._asked
                if not asked and (score := _promise(claim, other, weights)):
                    found.append((score, (claim, other)))
            earlier.setdefault(claim.claim_id, claim)
        found.sort(key=lambda one: (-one[0], one[1][0].claim_id, one[1][1].claim_id))
        chosen: list[Pair] = []
        said: set[frozenset[str]] = set()
        for _, (one, other) in found:
            # The same words on another page would be the same question.
            words = frozenset((one.text.casefold(), other.text.casefold()))
            if words not in said and len(chosen) < _PAIRS:
                said.add(words)
                chosen.append((one, other))
        self._known = everyone
        self._asked |= {frozenset((one.claim_id, other.claim_id)) for one, other in chosen}
        return chosen


def _compared(pairs: Sequence[Pair], said: Sequence[Comparison], key: str) -> Compared:
    """The answers on the pairs that were asked about; others are dropped."""
    by_ids = {frozenset((one.claim_id, other.claim_id)): (one, other) for one, other in pairs}
    found = {
        ids: one for one in said if one.relation != "neither" and (ids := frozenset((one.first, one.second))) in by_ids
    }
    sides = (claim for ids, one in found.items() if one.relation == "contradict" for claim in by_ids[ids])
    opponents = {claim.claim_id: claim for claim in sides}
    return Compared(tuple(found.values()), tuple(opponents.values()), (key,))


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


def _weights(claims: Sequence[Claim]) -> dict[str, float]:
    """The weight of each rare word: the fewer claims have it, the more it says about their subject."""
    held = Counter(word for claim in claims for word in _said(claim.text).words)
    most = max(_FEW, _RARE * len(claims))
    return {word: math.log(1 + len(claims) / number) for word, number in held.items() if number <= most}


def _promise(one: Claim, other: Claim, weights: Mapping[str, float]) -> float:
    """How likely two claims differ about the same thing; 0 if nothing suggests it."""
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
