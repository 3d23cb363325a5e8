"""Assess: how far the claims answer the question, and which broader queries to send next."""

from collections.abc import Sequence
from itertools import zip_longest

from deepresearch_mcp.records.evidence import Assessment, Claim, FollowUp
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.following import Learnt
from deepresearch_mcp.thinkers.extractive.parts import aspect, listed
from deepresearch_mcp.thinkers.extractive.prose import finished
from deepresearch_mcp.thinkers.extractive.queries import distinct
from deepresearch_mcp.thinkers.extractive.terms import (
    asked,
    coverage,
    names,
    phrases,
    split_topic,
    stems,
    telling,
    unique,
    wanted,
)

LEADS = 20
"""Names that are followed in a round, at most. The links of a chain are found by trying them; see `following`."""
_TRIED = 3
"""Queries after which a sub-question without a claim is given up."""
_CLAIMS = 2
_SOURCES = 2
_COVERED = 0.6
"""Share of a sub-question's words that its claims together must hold to answer it."""
_WELL_COVERED = 0.85
_WEIGHTS = {"high": 3, "medium": 2, "low": 1}


def assess(brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int) -> Assessment:
    """Return sufficiency 1 to 10, the answered ids, gaps, and at most `queries` follow-ups for what is not answered."""
    language = brief.language or "en"
    shares = [_share(part, language) for part in parts]
    answered = [part.sub_question.id for part in parts if _is_answered(part, language)]
    weights = [_WEIGHTS[part.sub_question.priority] for part in parts]
    reached = sum(share * weight for share, weight in zip(shares, weights, strict=True)) / max(1, sum(weights))
    still_open = [part for part in parts if part.sub_question.id not in answered]
    still_open.sort(key=lambda part: (len(_sources(part.claims)) > 0, -_WEIGHTS[part.sub_question.priority]))
    learnt = Learnt(brief.question, parts, language)
    if queries:
        # While queries are left, words from pages that have nothing in common do not count as an answer.
        answered = [name for name in answered if learnt.closed(name) >= _WELL_COVERED]
    unsettled = [part for part in parts if part.sub_question.id not in answered]
    return Assessment(
        sufficiency=max(1, min(10, round(1 + 9 * reached))),
        answered=tuple(answered),
        gaps=tuple(_gap(part, language) for part in parts if part in still_open),
        follow_ups=_follow_ups(learnt, unsettled, still_open, max(0, queries), language),
    )


def _share(part: SubQuestionEvidence, language: str) -> float:
    """Return how far a part is answered, 0 to 1: claims, sources and words of the question count alike."""
    if not part.claims:
        return 0.0
    steps = (
        min(1.0, len(part.claims) / _CLAIMS),
        min(1.0, len(_sources(part.claims)) / _SOURCES),
        min(1.0, _covered(part, language) / _WELL_COVERED),
    )
    return sum(steps) / len(steps)


def _is_answered(part: SubQuestionEvidence, language: str) -> bool:
    enough = len(part.claims) >= _CLAIMS and len(_sources(part.claims)) >= _SOURCES
    return enough and _covered(part, language) >= _COVERED


def _covered(part: SubQuestionEvidence, language: str) -> float:
    query = wanted(split_topic(part.sub_question.text)[1], language)
    return coverage(query, _met(part, language)) if query else 1.0


def _met(part: SubQuestionEvidence, language: str) -> frozenset[str]:
    """Return the stems that its claims hold, common words included where they are asked for."""
    also = frozenset(asked(split_topic(part.sub_question.text)[1], language))
    return frozenset(stem for claim in part.claims for stem in stems(_evidence(claim), language, also))


def _evidence(claim: Claim) -> str:
    return " ".join([claim.text, *(quote.context for quote in claim.quotes)])


def _sources(claims: Sequence[Claim]) -> set[str]:
    return {quote.source_id for claim in claims for quote in claim.quotes}


def _gap(part: SubQuestionEvidence, language: str) -> str:
    text = part.sub_question.text.rstrip("?. ")
    if not part.claims:
        return f"Nothing was found on: {text}."
    if len(part.claims) < _CLAIMS or len(_sources(part.claims)) < _SOURCES:
        return (
            f"Only {_count(len(part.claims), 'claim')} from {_count(len(_sources(part.claims)), 'source')} on: {text}."
        )
    absent = [word for word in _absent(part, language) if not telling(wanted(word)).isdisjoint(_core(part, language))]
    if not absent:
        return f"Only part of this was found: {text}."
    return finished(f"Nothing that was found speaks of {listed(absent)}, asked for in: {text}")


def _core(part: SubQuestionEvidence, language: str) -> frozenset[str]:
    """Return the stems that say what is asked, without a topic before a colon."""
    return telling(wanted(split_topic(part.sub_question.text)[1], language))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _absent(part: SubQuestionEvidence, language: str) -> list[str]:
    """Return the words of the sub-question that stand in none of its claims."""
    met = _met(part, language)
    return [word for word in phrases(part.sub_question.text, language) if met.isdisjoint(wanted(word, language))]


def _follow_ups(
    learnt: Learnt,
    unsettled: Sequence[SubQuestionEvidence],
    still_open: Sequence[SubQuestionEvidence],
    queries: int,
    language: str,
) -> tuple[FollowUp, ...]:
    """Return queries for what was learnt, then broader ones for parts with no result."""
    ids = {part.sub_question.id for part in unsettled}
    leads = [one for one in learnt.follow_ups() if one.sub_question in ids] if queries else []
    kept = [
        FollowUp(sub_question=part.sub_question.id, query=one, lead=True) for part in unsettled for one in part.leads
    ]
    both = {one.query: one for pair in zip_longest(leads, kept) for one in pair if one}
    led = list(both.values())[: min(queries, LEADS)] if queries else []
    # A sub-question with nothing at all is asked once more in other words; variants of these find nothing new.
    empty = [part for part in still_open if not part.claims and len(part.tried) <= _TRIED]
    return (*led, *_shared_out(empty, min(len(empty), max(0, queries - len(led))), language))


def _shared_out(parts: Sequence[SubQuestionEvidence], queries: int, language: str) -> tuple[FollowUp, ...]:
    """Give each part its best new query, then second ones in turn."""
    offered = [(part.sub_question, _broader(part, language)) for part in parts]
    found: list[FollowUp] = []
    for place in range(max((len(texts) for _, texts in offered), default=0)):
        for sub_question, texts in offered:
            fresh = place < len(texts) and len(distinct([*(f.query for f in found), texts[place]])) > len(found)
            if fresh and len(found) < queries:
                found.append(FollowUp(sub_question=sub_question.id, query=texts[place]))
    return tuple(found)


def _broader(part: SubQuestionEvidence, language: str) -> list[str]:
    """Return queries unlike those tried: first with names just learnt, then without words that found nothing."""
    text = part.sub_question.text
    everything = list(phrases(text, language))
    named = [word for word in everything if word in names(text)]
    absent = _absent(part, language) if part.claims else []
    found: list[str] = []
    if part.claims and absent:
        known = set(stems(text, language))
        learnt = [
            name for claim in part.claims for name in names(claim.text) if not set(stems(name, language)) <= known
        ]
        found.extend(" ".join([name, *absent[:3]]) for name in unique(learnt)[:2])
    kept = [word for word in everything if word not in absent]
    found.append(" ".join(kept if 1 < len(kept) < len(everything) else everything[:-1]))
    others = [word for word in everything if word not in named]
    # Long words are rare, so more pages match without the longest one.
    longest = max(others, key=len, default="")
    found.append(" ".join(word for word in everything if word != longest))
    asks = split_topic(text)[1]
    hint = aspect(asks)
    if named:
        found.append(" ".join([*named[:2], hint or "overview"]))
    elif everything:
        found.append(" ".join([*everything[:2], hint or "overview"]))
    return _untried(part.sub_question, found)


def _untried(sub_question: SubQuestion, found: Sequence[str]) -> list[str]:
    tried = distinct(sub_question.queries)
    return distinct([*tried, *(query for query in found if query)])[len(tried) :]
