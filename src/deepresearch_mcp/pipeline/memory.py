"""Memory: what later stages are shown of the claims, level by level, each within a budget of tokens.

Pages → their summaries (`records.report.SourceRow`) → notes on a sub-question → the brief of all sub-questions. Each
level leaves out whole claims; it never shortens a claim or a quote.
"""

from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Priority
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

_SHARES: dict[Priority, int] = {"high": 3, "medium": 2, "low": 1}
"""Shares of the brief by priority."""
_SURE = {"high": 0, "medium": 1, "low": 2}
_LITTLE = 120
"""A single claim that would be the only one left out is shown if it costs at most so many tokens."""
_FEWEST = 2
"""Claims of a sub-question that always stay: with fewer, a reader cannot see what it is about."""


def notes(part: SubQuestionEvidence, tokens: int, *, quoted: bool = True) -> SubQuestionEvidence:
    """The part with its best claims, as many as fit in about `tokens`; if `quoted`, with their quotes.

    Supported claims come before others, then witnesses, confidence and score decide. The claims that stay keep their
    order, and `more` counts the others. At least two stay. A shorter claim may take the place of one that is too long.
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
        # A reader who is told that one claim is hidden wonders whether it matters most.
        return part
    claims = tuple(claim for claim in part.claims if claim.claim_id in kept)
    return replace(part, claims=claims, more=part.more + len(part.claims) - len(claims))


def brief_of(
    parts: Sequence[SubQuestionEvidence], tokens: int, each: int, *, quoted: bool = True
) -> list[SubQuestionEvidence]:
    """The notes of all parts in about `tokens`, each in at most `each`; see `notes`.

    The room is shared by priority. What a part does not need goes to the others.
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
    """Tokens of a claim; if `quoted`, with its first quote, since the quotes of other witnesses say the same."""
    quote = claim.quotes[0].text
    return estimate(claim.text) + (0 if quote == claim.text or not quoted else estimate(quote))
