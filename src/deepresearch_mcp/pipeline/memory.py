"""Memory: what is carried from pages to prose, level by level, each within a budget of tokens.

Raw pages → their summaries (records.report.SourceRow) → notes of a sub-question → the brief of them all. Only whole
claims are left out on the way up: neither a claim nor a quote is ever shortened.
"""

from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Priority
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

_SHARES: dict[Priority, int] = {"high": 3, "medium": 2, "low": 1}
"""Shares of the brief: what the answer cannot do without has three times the room of what is good to know."""
_SURE = {"high": 0, "medium": 1, "low": 2}
_LITTLE = 120
"""Tokens for which a last claim is shown that else were the only one left out."""
_FEWEST = 2
"""Claims of a sub-question that stay whatever they cost: with fewer one cannot see what it turned out to be about."""


def notes(part: SubQuestionEvidence, tokens: int, *, quoted: bool = True) -> SubQuestionEvidence:
    """The part with its best claims only, as many as fit in about `tokens`; if `quoted`, together with their quotes.

    Best are supported ones before others, then by witnesses, the reader's confidence and score; those that are kept
    stay in their order, and `more` counts the others. Two stay in any case. A claim too long for the room that is left
    gives way to a shorter one.
    """
    left = tokens
    kept: set[str] = set()
    for claim in sorted(part.claims, key=_rank):
        cost = _cost(claim, quoted=quoted)
        if cost <= left or len(kept) < _FEWEST:
            kept.add(claim.claim_id)
            left -= cost
    hidden = [claim for claim in part.claims if claim.claim_id not in kept]
    if len(hidden) == 1 and _cost(hidden[0], quoted=quoted) <= _LITTLE:
        # Told that a single one is not shown, a reader wonders whether it decides.
        return part
    claims = tuple(claim for claim in part.claims if claim.claim_id in kept)
    return replace(part, claims=claims, more=part.more + len(part.claims) - len(claims))


def brief_of(
    parts: Sequence[SubQuestionEvidence], tokens: int, each: int, *, quoted: bool = True
) -> list[SubQuestionEvidence]:
    """The notes of all parts in about `tokens`, none of them longer than `each`; see `notes`.

    Shared by priority; what a part has no use for goes to the others.
    """
    wanted = [min(each, sum(_cost(claim, quoted=quoted) for claim in part.claims)) for part in parts]
    room = list(wanted)
    left = tokens
    sharing: list[int] = list(range(len(parts)))
    while sharing:
        shares = sum(_SHARES[parts[at].sub_question.priority] for at in sharing)
        given = {at: left * _SHARES[parts[at].sub_question.priority] // shares for at in sharing}
        content = [at for at in sharing if wanted[at] <= given[at]]
        if not content:
            for at in sharing:
                room[at] = given[at]
            break
        left -= sum(wanted[at] for at in content)
        sharing = [at for at in sharing if at not in content]
    return [notes(part, size, quoted=quoted) for part, size in zip(parts, room, strict=True)]


def _rank(claim: Claim) -> tuple[bool, int, int, float]:
    return claim.verdict != "supported", -claim.backing, _SURE[claim.confidence], -claim.score


def _cost(claim: Claim, *, quoted: bool) -> int:
    """Tokens of a claim, with the words that it was read from if `quoted`; the other witnesses' say the same."""
    quote = claim.quotes[0].text
    return estimate(claim.text) + (0 if quote == claim.text or not quoted else estimate(quote))
