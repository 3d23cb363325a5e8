"""Pick: where claims belong, which of them are worth writing, and which are written together."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

_TITLED = 0.5
"""What the title and headings above a claim's quote count beside its own words: of whom a table tells, they say."""
_AHEAD = 0.8
"""How far another sub-question must be ahead of the one that a claim was read for, in words of its own alone."""
_SAME_WORDS = 0.6
"""Share of the shorter claim's words that two claims on the very same quote share where they say the same."""
_NAME = re.compile(r"[^\W\d_]\w*_\w+")
"""A name like `select_for_update`: it is none of the words that it is made of, and tells as much as they together."""


def assign_claims(claims: Sequence[Claim], sub_questions: Sequence[SubQuestion]) -> dict[str, list[Claim]]:
    """Every claim with the sub-question that it, or its page's title, fits best, whatever it was read for.

    What counts are words that tell a sub-question from its siblings. A claim leaves the one that it was read for only
    where another is clearly ahead; what was read for the question as a whole goes to the nearest.
    """
    placed: dict[str, list[Claim]] = {part.id: [] for part in sub_questions}
    nearness = _nearness(sub_questions)
    for claim in claims:
        told, titled = nearness(claim.text), nearness(claim.quotes[0].heading)
        scores = [one + _TITLED * other for one, other in zip(told, titled, strict=True)]
        best = scores.index(max(scores))
        own = next((at for at, part in enumerate(sub_questions) if part.id == claim.sub_question), None)
        fits = best if own is None or scores[best] - scores[own] >= _AHEAD else own
        placed[sub_questions[fits].id].append(claim)
    return placed


def nearest(text: str, sub_questions: Sequence[SubQuestion]) -> str:
    """The id of the sub-question that some words fit best."""
    scores = _nearness(sub_questions)(text)
    return sub_questions[scores.index(max(scores))].id


def _nearness(sub_questions: Sequence[SubQuestion]) -> Callable[[str], list[float]]:
    """How far a text speaks of each: 1 for every word that no other one has, less for one that others have too."""
    asked = [_terms(" ".join((part.text, *part.queries))) for part in sub_questions]
    spread = Counter(term for terms in asked for term in terms)
    telling = {
        term: (1 + term.count("_")) * math.log(len(asked) / times) / math.log(max(2, len(asked)))
        for term, times in spread.items()
    }

    def nearness(text: str) -> list[float]:
        said = _terms(text)
        # Summed in an order of their own: a set's differs from process to process.
        return [sum(sorted(telling[term] for term in said & terms)) for terms in asked]

    return nearness


def _terms(text: str) -> set[str]:
    return {name.lower() for name in _NAME.findall(text)} | set(map(stem, content_words(_NAME.sub(" ", text))))


def twins(claims: Sequence[Claim]) -> dict[str, str]:
    """Claims that say once more what another says of the same words, read for something else: id → the other's.

    They are the very words of the other's quote, or some of them, and the claims have the same figures and names. What
    the page carries in whole stands for what it carries in part, else the first.
    """
    at: dict[str, list[Claim]] = {}
    found: dict[str, str] = {}
    for claim in sorted(claims, key=lambda one: one.verdict != "supported"):
        others = at.setdefault(claim.quotes[0].source_id, [])
        same = (
            other
            for other in others
            if other.sub_question != claim.sub_question and _of_one_place(claim, other) and _alike(claim, other)
        )
        if other := next(same, None):
            if other.claim_id != claim.claim_id:
                found[claim.claim_id] = other.claim_id
        else:
            others.append(claim)
    return found


def _of_one_place(one: Claim, other: Claim) -> bool:
    first, second = one.quotes[0], other.quotes[0]
    inside = second.start <= first.start and first.end <= second.end
    around = first.start <= second.start and second.end <= first.end
    return inside or around


def _alike(one: Claim, other: Claim) -> bool:
    first, second = _terms(one.text), _terms(other.text)
    if details_missing_from(one.text, other.text) or details_missing_from(other.text, one.text):
        return False
    return len(first & second) >= _SAME_WORDS * min(len(first), len(second))


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
