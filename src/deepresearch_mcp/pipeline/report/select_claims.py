"""Pick: where claims belong, which of them are worth writing, and which are written together."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.base import SubQuestionEvidence


def ranked(parts: Sequence[SubQuestionEvidence], question: str) -> list[SubQuestionEvidence]:
    """The parts with their claims scored by one measure: how much they say of the question, and of their part of it.

    A claim's own score is that of the passage that it was read from, among the passages that were chosen with it.
    """
    claims = [claim for part in parts for claim in part.claims]
    ranker = Ranker([f"{claim.text} {claim.quotes[0].heading}" for claim in claims])
    whole, at, found = ranker.scores(question), 0, list[SubQuestionEvidence]()
    for part in parts:
        own = ranker.scores(" ".join((part.sub_question.text, *part.sub_question.queries)))
        scored = [
            claim.model_copy(update={"score": whole[number] + own[number]})
            for number, claim in enumerate(part.claims, at)
        ]
        at += len(scored)
        found.append(replace(part, claims=tuple(scored)))
    return found


def pick(claims: Sequence[Claim], limit: int) -> list[Claim]:
    """The claims worth writing, in reading order: supported before partly, and one of each source before a second.

    Then by score, confidence, witnesses and the standing of the source.

    Claims that contradict each other come together, one behind the other: all of them or none, as far as `limit` goes.
    """
    distinct = {claim.claim_id: claim for claim in claims}
    best = sorted(distinct.values(), key=_merit)
    sources: set[str] = set()
    again = {
        one.claim_id: one.quotes[0].source_id in sources or bool(sources.add(one.quotes[0].source_id)) for one in best
    }
    best.sort(key=lambda claim: (_merit(claim)[0], again[claim.claim_id]))
    chosen: dict[str, Claim] = {}
    for claim in best:
        sides = [claim, *(distinct[name] for name in claim.disputes if name in distinct)]
        fresh = {one.claim_id: one for one in sides if one.claim_id not in chosen}
        if claim.claim_id in fresh and (not chosen or len(chosen) + len(fresh) <= limit):
            chosen |= dict(list(fresh.items())[:limit])
    ordered: dict[str, Claim] = {}
    for claim in distinct.values():
        if claim.claim_id in chosen:
            ordered[claim.claim_id] = claim
            ordered |= {name: chosen[name] for name in claim.disputes if name in chosen and name not in ordered}
    return list(ordered.values())


def grouped(claims: Sequence[Claim], size: int) -> list[list[Claim]]:
    """Claims in their order in even groups of about `size`: 8 are 4 and 4, not 6 and 2.

    Neighbours that contradict each other stay in one group, which may then hold a few more.
    """
    count = -(-len(claims) // size)
    groups = [list(claims[len(claims) * i // count : len(claims) * (i + 1) // count]) for i in range(count)]
    for before, after in pairwise(groups):
        while before and after and _at_odds(before, after[0]):
            before.append(after.pop(0))
    return [group for group in groups if group]


def _at_odds(group: Sequence[Claim], claim: Claim) -> bool:
    return any(claim.claim_id in other.disputes for other in group)


def _merit(claim: Claim) -> tuple[bool, float]:
    """Less comes first. Standing and confidence are coarse on purpose: both weigh a tenth of the best score."""
    sure = {"high": 0.1, "medium": 0.0, "low": -0.1}[claim.confidence]
    standing = {"good": 0.1, "fair": 0.0, "poor": -0.1}[claim.standing]
    worth = claim.score + sure + standing + 0.05 * max(0, min(3, claim.backing - 1))
    return claim.verdict not in {"supported", "disputed"}, -worth
