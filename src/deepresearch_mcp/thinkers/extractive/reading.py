"""Read: the sentences of some passages that answer a sub-question, word for word."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.evidence import ClaimDraft, ClaimKind, Confidence, Reading
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import Candidate, candidates
from deepresearch_mcp.thinkers.extractive.choosing import COVERED, LESS_COVERED, choose
from deepresearch_mcp.thinkers.extractive.leads import leads
from deepresearch_mcp.thinkers.extractive.terms import wanted

_COMPARED = 0.75
"""Where things are compared, a sentence must name more than one of them: see `choosing.LESS_COVERED`."""
_COMPARISON = re.compile(r"^How do .+ differ\b")


def read(brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int) -> Reading:
    """Return at most `limit` sentences as claims, best first, at most three a passage, and at most two leads.

    Nothing at all where no sentence shares enough with the sub-question.
    """
    language = brief.language or "en"
    found = candidates(sub_question.text, passages, language)
    less_covered = _COMPARED if _COMPARISON.match(sub_question.text) else LESS_COVERED
    chosen = choose(found, passages, limit, len(wanted(sub_question.text, language)), less_covered)
    best = chosen[0].score if chosen else 0.0
    drafts = tuple(_draft(candidate, passages[candidate.passage], best) for candidate in chosen)
    return Reading(claims=drafts, leads=leads(sub_question.text, brief.question, chosen, found, passages, language))


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
    return "medium" if candidate.covered >= COVERED else "low"
