"""Place claims: the sub-question that each belongs to, and claims that repeat each other."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.keywords import content_words, stem

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


def nearest_sub_question(text: str, sub_questions: Sequence[SubQuestion]) -> str:
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
