"""Compare: whether two sentences contradict each other, as far as their words and figures show it."""

import re
from collections.abc import Sequence

from deepresearch_mcp.entailment.check import contradicts, details_missing_from
from deepresearch_mcp.records.evidence import Claim, Comparison, Difference
from deepresearch_mcp.text.attributions import unattributed
from deepresearch_mcp.text.dates import MONTHS
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.quantities import Quantities, apart, differing, quantities
from deepresearch_mcp.thinkers.base import Pair
from deepresearch_mcp.thinkers.extractive.prose import dangles

_ALIKE = 0.75
"""Share of content words in common, figures and names of months aside, from which two sentences are on one thing."""
_WORDS = 3
"""Fewer words in common say too little of what they are on."""
_ONCE = re.compile(
    r"\b(?:born|died|dies|founded|established|incorporated|opened|completed|built|invented|discovered|published|released|launched|"
    r"signed|adopted|abolished|discontinued)\b",
    re.IGNORECASE,
)
"""What happens to a thing once: there two dates contradict each other; elsewhere both may be true."""


_STANDING = re.compile(r"\b(?:as of|as at|at present|currently|today|now)\b", re.IGNORECASE)
"""What says that something stands so at a date, not that it happened then."""


def compare(pairs: Sequence[Pair]) -> tuple[Comparison, ...]:
    """Return the pairs that contradict each other, and why where it shows.

    Slow to accuse: sentences that stand by themselves, the same words about the same names from different sources,
    and either one figure of a kind for another, or another unit, or two dates of what happens once, or a denial. Two
    figures of two years are both true; of two dates at which something stood so, the reader is told that they are two.
    """
    found: list[Comparison] = []
    for one, other in pairs:
        reason = _contradiction(one, other)
        if reason is not None:
            found.append(Comparison(first=one.claim_id, second=other.claim_id, relation="contradict", reason=reason))
    return tuple(found)


def _contradiction(one: Claim, other: Claim) -> Difference | None:
    """Hold two claims against each other by what they say; whom they have it from makes none of them true."""
    one, other = (claim.model_copy(update={"text": unattributed(claim.text)}) for claim in (one, other))
    first, second = quantities(one.text), quantities(other.text)
    shared = {quote.source_id for quote in one.quotes} & {quote.source_id for quote in other.quotes}
    named = _names(one.text)
    # Without a name it is unclear whether "the town" is the same town.
    if shared or first.labels != second.labels or not named or named != _names(other.text):
        return None
    mine, theirs = _words(one.text), _words(other.text)
    if len(mine & theirs) < _WORDS or dangles(one.text) or dangles(other.text):
        return None
    if not (mine <= theirs or theirs <= mine):
        return _measure(one, other, first, second, mine ^ theirs)
    # A word put in the place of another makes another statement: one may only say more.
    if len(mine & theirs) < _ALIKE * len(mine | theirs):
        return None
    if differing(first, second) or contradicts(one.text, other.text) or contradicts(other.text, one.text):
        return _reason(one, other, first, second)
    once = _ONCE.search(one.text) and _ONCE.search(other.text)
    return "" if once and not first.figures and apart(first.dates, second.dates) else None


def _reason(one: Claim, other: Claim, first: Quantities, second: Quantities) -> Difference | None:
    """Why two statements differ, by the dates at which they hold; None where that alone makes both true."""
    mine, theirs = (
        claim.dates or quantities(dated).dates for claim, dated in ((first, one.dated), (second, other.dated))
    )
    if not mine and not theirs:
        return ""
    if mine and theirs and not apart(mine, theirs):
        return ""
    standing = all(_STANDING.search(claim.text) or not found.dates for claim, found in ((one, first), (other, second)))
    return "date" if mine and theirs and standing else None


def _measure(one: Claim, other: Claim, first: Quantities, second: Quantities, odd: frozenset[str]) -> Difference | None:
    """One figure in two units: the words differ by these alone."""
    if len(odd) != 2 or first.figures != second.figures or first.dates != second.dates:
        return None
    lacking = details_missing_from(one.text, other.text)
    return "measure" if any(char.isdigit() for detail in lacking for char in detail) else None


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text) if not _dating(word))


def _names(text: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in names_in(text) if not _dating(name.casefold()))


def _dating(word: str) -> bool:
    """Tell figures and months, which are compared by themselves."""
    return word in MONTHS or any(char.isdigit() for char in word)
