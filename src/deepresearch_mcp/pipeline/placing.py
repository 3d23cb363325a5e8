"""Place claims: the sub-question that each belongs to, and claims that repeat each other."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.pipeline.same_fact import adds_nothing
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.keywords import content_words, stem

_TITLED = 0.5
"""Weight of the title and headings above a quote beside the claim's own words. They name the subject of a table."""
_AHEAD = 0.8
"""How far ahead another sub-question must be to take a claim, counted in words that only it has."""
_SAME_WORDS = 0.6
"""Share of the shorter claim's words from which two claims on the same quote say the same."""
_NAME = re.compile(r"[^\W\d_]\w*_\w+")
"""A name like `select_for_update`. It counts as one word with the weight of all its parts."""


def assign_claims(claims: Sequence[Claim], sub_questions: Sequence[SubQuestion]) -> dict[str, list[Claim]]:
    """The claims of each sub-question: those whose words, or whose page's title, fit it best.

    Only words that set a sub-question apart from the others count. A claim leaves the sub-question that it was read for
    only if another is clearly ahead. A claim that was read for the whole question goes to the nearest sub-question.
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


def nearest_sub_question(text: str, sub_questions: Sequence[SubQuestion]) -> str:
    """The id of the sub-question that a text fits best."""
    scores = _nearness(sub_questions)(text)
    return sub_questions[scores.index(max(scores))].id


def _nearness(sub_questions: Sequence[SubQuestion]) -> Callable[[str], list[float]]:
    """How well a text fits each sub-question: 1 for a word that only one of them has, less for a shared word."""
    asked = [_terms(" ".join((part.text, *part.queries))) for part in sub_questions]
    spread = Counter(term for terms in asked for term in terms)
    telling = {
        term: (1 + term.count("_")) * math.log(len(asked) / times) / math.log(max(2, len(asked)))
        for term, times in spread.items()
    }

    def nearness(text: str) -> list[float]:
        said = _terms(text)
        # Sorted before summing: the order of a set differs between processes.
        return [sum(sorted(telling[term] for term in said & terms)) for terms in asked]

    return nearness


@lru_cache(maxsize=8192)
def _terms(text: str) -> frozenset[str]:
    # Claims are placed anew after each round and before each stage of the report.
    return frozenset(name.lower() for name in _NAME.findall(text)) | set(map(stem, content_words(_NAME.sub(" ", text))))


def twins(claims: Sequence[Claim]) -> dict[str, str]:
    """Claims that repeat a claim of another sub-question on the same words: id → id of the claim that stays.

    One quote lies within the other, and the claim that stays says all that the other says. A supported claim stays
    before one that is carried in part, and of two the fuller one: a reason that only one of them gives is not lost.
    Of equals the id decides, not which came first: in a resumed run claims come in another order.
    """
    at: dict[str, list[Claim]] = {}
    found: dict[str, str] = {}
    for claim in sorted(claims, key=lambda one: (one.verdict != "supported", -len(_terms(one.text)), one.claim_id)):
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


def _alike(claim: Claim, holder: Claim) -> bool:
    first, second = _terms(claim.text), _terms(holder.text)
    if details_missing_from(claim.text, holder.text) or details_missing_from(holder.text, claim.text):
        return False
    if len(first & second) < _SAME_WORDS * min(len(first), len(second)):
        return False
    # What a page carries in part only says too much.
    return claim.verdict == "partly" or adds_nothing(claim, holder)
