"""What an analyst is shown of the claims: of each point as much as of any other, and nothing twice."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from deepresearch_mcp.pipeline.same_fact import things_missing
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.numbers import numbers
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

TOKENS = 7_000
"""Of claims, in all."""
SHOWN = 320
"""Characters of a claim: few are longer, and what decides often stands at the end."""
_LINE = 3
"""Tokens of a line beside the claim's."""
_SAME = 0.75
"""Share of the shorter claim's words from which one of two on a point is left out."""


def notes_by_point(parts: Sequence[SubQuestionEvidence], tokens: int = TOKENS) -> list[SubQuestionEvidence]:
    """The parts with the claims that fit: the best of every point, then the second best; `more` counts the others.

    So a point with few claims shows all of them, and one with many the best, without those that repeat another.
    """
    claims = {claim.claim_id: claim for part in parts for claim in part.claims}
    of_point: dict[str, list[Claim]] = {}
    for claim in claims.values():
        of_point.setdefault(point_of(claim) or claim.sub_question, []).append(claim)
    ranked = [_distinct(sorted(own, key=_rank)) for own in of_point.values()]
    kept: set[str] = set()
    left = tokens
    for turn in zip_longest(*ranked):
        for claim in turn:
            if claim is not None and (cost := estimate(claim.text[:SHOWN]) + _LINE) <= left:
                kept.add(claim.claim_id)
                left -= cost
    return [_with(part, kept) for part in parts]


def point_of(claim: Claim) -> str:
    """The point that a claim is listed under: a cell, else a deliverable; "" where it names none."""
    return min(claim.covers, key=lambda name: ("sdh".find(name[:1]), name), default="")


def _with(part: SubQuestionEvidence, kept: set[str]) -> SubQuestionEvidence:
    claims = tuple(claim for claim in part.claims if claim.claim_id in kept)
    return replace(part, claims=claims, more=part.more + len(part.claims) - len(claims))


def _distinct(claims: Sequence[Claim]) -> list[Claim]:
    """Without claims that say what a better one says; one with a figure, function or version of its own stays."""
    found: list[tuple[frozenset[str], Claim]] = []
    for claim in claims:
        said = frozenset(map(stem, content_words(claim.text)))
        if not any(_repeats(claim, said, other, words) for words, other in found):
            found.append((said, claim))
    return [claim for _, claim in found]


def _repeats(claim: Claim, said: frozenset[str], other: Claim, words: frozenset[str]) -> bool:
    if len(said & words) < _SAME * max(1, min(len(said), len(words))):
        return False
    return not (things_missing(claim.text, other.text) or numbers(claim.text) - numbers(other.text))


def _rank(claim: Claim) -> tuple[int, bool, int, float, str]:
    return -claim.weight, claim.verdict != "supported", -claim.backing, -claim.score, claim.claim_id
