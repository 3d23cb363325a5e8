"""Read: the sentences of some passages that answer a sub-question, word for word."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from deepresearch_mcp.records.evidence import ClaimDraft, Confidence, Reading
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.thinkers.extractive.candidates import Candidate, candidates
from deepresearch_mcp.thinkers.extractive.choosing import COVERED, LESS_COVERED, choose
from deepresearch_mcp.thinkers.extractive.leads import at_home, leads
from deepresearch_mcp.thinkers.extractive.links import link_leads
from deepresearch_mcp.thinkers.extractive.terms import wanted
from deepresearch_mcp.thinkers.extractive.wording import dated, kind_of

_NO_PAGES: Mapping[str, DocumentCard] = MappingProxyType({})
_COMPARED = 0.75
"""Where things are compared, a sentence must name more than one of them: see `choosing.LESS_COVERED`."""
_COMPARISON = re.compile(r"^How do .+ differ\b")


def read(
    brief: Brief,
    sub_question: SubQuestion,
    passages: Sequence[Passage],
    limit: int,
    pages: Mapping[str, DocumentCard] = _NO_PAGES,
) -> Reading:
    """Return at most `limit` sentences as claims, best first, at most three a passage, and leads: links, then names.

    The reading is empty where no sentence shares enough with the sub-question.
    """
    language = brief.language or "en"
    found = candidates(sub_question.text, passages, language)
    less_covered = _COMPARED if _COMPARISON.match(sub_question.text) else LESS_COVERED
    chosen = choose(found, passages, limit, len(wanted(sub_question.text, language)), less_covered)
    best = chosen[0].score if chosen else 0.0
    drafts = tuple(_draft(candidate, passages[candidate.passage], best) for candidate in chosen)
    named = link_leads(sub_question.text, passages, pages, language)
    # The site of a thing answers itself: names on its pages lead nowhere.
    home = at_home(brief.question, (passage.heading for passage in passages))
    led = () if home else leads(sub_question.text, brief.question, chosen, found, language)
    return Reading(claims=drafts, leads=(*named, *led))


def _draft(candidate: Candidate, passage: Passage, best: float) -> ClaimDraft:
    return ClaimDraft(
        text=candidate.text,
        quote=passage.text[candidate.start : candidate.end],
        passage_id=passage.passage_id,
        kind=kind_of(candidate.text),
        confidence=_confidence(candidate, best),
        dated=dated(candidate.text),
    )


def _confidence(candidate: Candidate, best: float) -> Confidence:
    if candidate.covered >= 0.6 and candidate.score >= 0.7 * best:
        return "high"
    return "medium" if candidate.covered >= COVERED else "low"
