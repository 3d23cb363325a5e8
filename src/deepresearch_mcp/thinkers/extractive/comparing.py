"""Compare: whether the words and figures of two sentences contradict each other."""

import re
from collections.abc import Sequence

from deepresearch_mcp.entailment.check import contradicts, details_missing_from
from deepresearch_mcp.records.evidence import Claim, Comparison, Difference
from deepresearch_mcp.text.attributions import unattributed
from deepresearch_mcp.text.quantities import Quantities, apart, differing, quantities, undated_names, undated_stems
from deepresearch_mcp.thinkers.base import Pair
from deepresearch_mcp.thinkers.extractive.prose import dangles

_ALIKE = 0.75
"""From this share of content words in common, without figures and months, two sentences are on the same thing."""
_WORDS = 3
"""Fewer words in common do not show that they are on the same thing."""
_ONCE = re.compile(
    r"\b(?:born|died|dies|founded|established|incorporated|opened|completed|built|invented|discovered|published|released|launched|"
    r"signed|adopted|abolished|discontinued)\b",
    re.IGNORECASE,
)
"""What happens to a thing once, so that two dates for it contradict each other; otherwise both may be true."""


_STANDING = re.compile(r"\b(?:as of|as at|at present|currently|today|now)\b", re.IGNORECASE)
"""Says that something is so at a date, not that it happened then."""


def compare(pairs: Sequence[Pair]) -> tuple[Comparison, ...]:
    """Return the pairs that contradict each other, and why where it shows.

    It needs strong evidence: complete sentences from different sources that say the same words about the same names,
    with another figure, another unit, two dates of something that happens once, or a denial. Figures of two different
    years may both be true; where they hold at two dates, the reason given is "date".
    """
    found: list[Comparison] = []
    for one, other in pairs:
        reason = _contradiction(one, other)
        if reason is not None:
            found.append(Comparison(first=one.claim_id, second=other.claim_id, relation="contradict", reason=reason))
    return tuple(found)


def _contradiction(one: Claim, other: Claim) -> Difference | None:
    """Compare two claims by what they say, without the words that attribute it to a source."""
    one, other = (claim.model_copy(update={"text": unattributed(claim.text)}) for claim in (one, other))
    first, second = quantities(one.text), quantities(other.text)
    shared = {quote.source_id for quote in one.quotes} & {quote.source_id for quote in other.quotes}
    named = undated_names(one.text)
    # Without a name, "the town" may be another town.
    if shared or first.labels != second.labels or not named or named != undated_names(other.text):
        return None
    mine, theirs = undated_stems(one.text), undated_stems(other.text)
    if len(mine & theirs) < _WORDS or dangles(one.text) or dangles(other.text):
        return None
    if not (mine <= theirs or theirs <= mine):
        return _measure(one, other, first, second, mine ^ theirs)
    # Replacing a word makes another statement, so one sentence may only say more than the other.
    if len(mine & theirs) < _ALIKE * len(mine | theirs):
        return None
    if differing(first, second) or contradicts(one.text, other.text) or contradicts(other.text, one.text):
        return _reason(one, other, first, second)
    once = _ONCE.search(one.text) and _ONCE.search(other.text)
    return "" if once and not first.figures and apart(first.dates, second.dates) else None


def _reason(one: Claim, other: Claim, first: Quantities, second: Quantities) -> Difference | None:
    """Why two statements differ, by the dates at which they hold; None where the dates make both true."""
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
    """One figure in two units: the sentences differ in nothing else."""
    if len(odd) != 2 or first.figures != second.figures or first.dates != second.dates:
        return None
    lacking = details_missing_from(one.text, other.text)
    return "measure" if any(char.isdigit() for detail in lacking for char in detail) else None
