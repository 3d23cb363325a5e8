"""Read: the sentences of some passages that answer a sub-question, word for word."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.evidence import ClaimDraft, ClaimKind, Confidence, Reading
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import Candidate, candidates, follows
from deepresearch_mcp.thinkers.extractive.leads import leads
from deepresearch_mcp.thinkers.extractive.terms import wanted

_PER_PASSAGE = 3
_COVERED = 0.3
"""Least share of the question's words in the best sentence; below it there is no answer. On the open half of ClapNQ this
keeps 92 % of the passages with an answer and drops 42 % of those without."""
_BELOW_BEST = 0.45
"""Sentences that score less than this share of the best are left where they are."""
_LESS_COVERED = 0.4
"""Sentences with less than this share of the best one's words of the question are beside the point."""
_COMPARED = 0.75
"""The same where things are compared: a sentence must name more than one of them."""
_COMPARISON = re.compile(r"^How do .+ differ\b")
_ALIKE = 0.8
"""Share of stems in common from which two sentences say the same."""


def read(brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int) -> Reading:
    """Return at most `limit` sentences as claims, best first, at most three a passage, and at most two leads.

    Nothing at all where no sentence shares enough with the sub-question.
    """
    language = brief.language or "en"
    found = candidates(sub_question.text, passages, language)
    least = _COMPARED if _COMPARISON.match(sub_question.text) else _LESS_COVERED
    chosen = chosen_among(found, wanted(sub_question.text, language), passages, limit, least)
    best = chosen[0].score if chosen else 0.0
    drafts = tuple(_draft(candidate, passages[candidate.passage], best) for candidate in chosen)
    return Reading(claims=drafts, leads=leads(sub_question.text, brief.question, chosen, found, passages, language))


def chosen_among(
    found: Sequence[Candidate], query: Sequence[str], passages: Sequence[Passage], limit: int, least: float = _LESS_COVERED
) -> list[Candidate]:
    """Choose the best sentences that together stay within the limits; one that leans on its neighbour comes only with it.

    Copies of a sentence on other pages come last, where there is room: they are no second witness.
    """
    most = max((candidate.covered for candidate in found), default=0.0)
    if most < (max(_COVERED, 1 / len(query)) if len(query) > 1 else _COVERED):
        return []
    ranked = sorted(found, key=lambda candidate: (-_worth(candidate), candidate.passage, candidate.place))
    floor = _BELOW_BEST * ranked[0].score
    chosen: list[Candidate] = []
    copies: list[Candidate] = []
    taken = [0] * len(passages)
    for candidate in ranked:
        if len(chosen) >= limit or candidate.score < floor:
            break
        if candidate.covered < least * most or taken[candidate.passage] >= _PER_PASSAGE or candidate in chosen:
            continue
        if twin := _twin(candidate, chosen):
            if passages[twin.passage].source_id != passages[candidate.passage].source_id:
                copies.append(candidate)
            continue
        together = [candidate] if not candidate.dangling else _with_support(candidate, chosen, found)
        if (
            not together
            or taken[candidate.passage] + len(together) > _PER_PASSAGE
            or len(chosen) + len(together) > limit
        ):
            continue
        chosen.extend(together)
        taken[candidate.passage] += len(together)
    return [*chosen, *copies[: limit - len(chosen)]]


def _with_support(candidate: Candidate, chosen: Sequence[Candidate], found: Sequence[Candidate]) -> list[Candidate]:
    """Return a leaning sentence behind the one it leans on, where that one stands by itself; nothing else."""
    if any(follows(candidate, other) for other in chosen):
        return [candidate]
    before = next((other for other in found if follows(candidate, other) and not other.dangling), None)
    return [before, candidate] if before else []


def _worth(candidate: Candidate) -> float:
    return candidate.score - (0.3 if candidate.dangling else 0.0)


def _twin(candidate: Candidate, chosen: Sequence[Candidate]) -> Candidate | None:
    """Return a chosen sentence that says the same in nearly the same words."""
    mine = set(candidate.stems)
    for other in chosen:
        theirs = set(other.stems)
        if len(mine & theirs) >= _ALIKE * len(mine | theirs):
            return other
    return None


def _draft(candidate: Candidate, passage: Passage, best: float) -> ClaimDraft:
    return ClaimDraft(
        text=candidate.text,
        quote=passage.text[candidate.start : candidate.end],
        passage_id=passage.passage_id,
        kind=kind_of(candidate.text),
        confidence=_confidence(candidate, best),
        dated=dated(candidate.text),
    )


_KINDS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    (
        "forecast",
        re.compile(
            r"\b(?:forecasts?|projected|projections?|predicts?|predicted|(?:is|are) (?:expected|set|due|likely|on track) to|expected (?:to|by|in)|will (?:be|have|become|grow|reach|rise|fall|increase|"
            r"decrease|exceed)\b[^.]*\b(?:by|in|until) 20\d\d|by 20[3-9]\d)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "opinion",
        re.compile(
            r"\b(?:believe[sd]?|argu(?:e|es|ed|ing)|in (?:my|our|his|her|their) (?:opinion|view)|i think|we think|opine[sd]?|claims? that|claimed that|suggests? that|"
            r"criticis(?:e|es|ed)|criticiz(?:e|es|ed)|contends?|contended|should be|arguably|according to critics)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "estimate",
        re.compile(
            r"\b(?:about|approximately|approx|around|roughly|nearly|almost|some|an? estimated|estimate[sd]?|up to|more than|over|circa|ca\.?|c\.)\s+[$€£]?\d|\b(?:estimate[sd]?|estimates?|approximately|roughly)\b",
            re.IGNORECASE,
        ),
    ),
)


def kind_of(text: str) -> ClaimKind:
    """Tell from the wording whether a sentence forecasts, holds an opinion, estimates, or states a fact."""
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), "fact")


_DATED = re.compile(
    r"\b(?:as of|as at|since|until|by|in|during|on)\s+((?:(?:early|mid|late)[ -])?(?:\d{1,2}\s+)?(?:(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+"
    r"(?:\d{1,2},?\s+)?)?(?:1[5-9]|20)\d\d)\b",
    re.IGNORECASE,
)


def dated(text: str) -> str:
    """Return the first date that the sentence says it holds at, as written; "" where it gives none."""
    match = _DATED.search(text)
    return match.group(1) if match else ""


def _confidence(candidate: Candidate, best: float) -> Confidence:
    if candidate.covered >= 0.6 and candidate.score >= 0.7 * best:
        return "high"
    return "medium" if candidate.covered >= _COVERED else "low"
