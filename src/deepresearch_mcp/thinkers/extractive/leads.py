"""Leads: new names in the best sentences that no passage explains, each as a query for the next fact."""

import re
from collections.abc import Iterable, Sequence

from deepresearch_mcp.records.evidence import Claim, Lead
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.thinkers.extractive.candidates import Candidate
from deepresearch_mcp.thinkers.extractive.parts import RELEASE_NOTES, aspect
from deepresearch_mcp.thinkers.extractive.patterns import MONTH
from deepresearch_mcp.thinkers.extractive.terms import (
    coverage,
    names,
    names_and_owners,
    phrases,
    split_topic,
    stems,
    unique,
    wanted,
)

_MOST = 2
_LOOKED_AT = 8
_ASPECT_WORDS = 4
_SHORT = 40
"""Words. The parts of a longer question may be unrelated."""
_COMMON_NAME = re.compile(
    rf"^(?:{MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Chapter|Section|Figure|Table|Note|Internet|Web|English|"
    r"American|British|French|German|Italian|European|AD|BC|CE|BCE|AM|PM|USA?|UK|EU)\b[\d ,]*$"
)


def leads(
    question: str,
    whole: str,
    chosen: Sequence[Candidate],
    found: Sequence[Candidate],
    language: str,
) -> tuple[Lead, ...]:
    """Return at most two leads, best first.

    Args:
        question: The sub-question.
        whole: The run's question, whose names are not new either.
        chosen: The sentences that became claims, best first.
        found: All sentences of the passages.
        language: ISO 639-1 of the question.
    """
    if not is_a_chain(question) or any(candidate.covered >= _ANSWERED for candidate in chosen):
        # A sentence that holds nearly all that is asked leaves no link of a chain open.
        return ()
    known = {word for text in (question, whole) for word in stems(text, language)}
    openings = [candidate.text.casefold() for candidate in found]
    ranked: dict[str, float] = {}
    for candidate in chosen[:_LOOKED_AT]:
        for name in names(candidate.text):
            if set(stems(name, language)) <= known or not is_a_name(name, candidate.text):
                continue
            folded = name.casefold()
            if any(_explains(text, folded) for text in openings):
                continue
            held = sum(folded in text for text in openings)
            worth = candidate.score * candidate.covered + 0.5 * candidate.named + 0.1 * min(3, held)
            ranked[name] = max(ranked.get(name, 0.0), worth)
    best = sorted(ranked, key=lambda name: (-ranked[name], name))
    return tuple(Lead(query=_query(name, question, whole, chosen, language)) for name in best[:_MOST])


def _explains(sentence: str, name: str) -> bool:
    """Tell whether a sentence is about the name: it opens with it and then says what it is or does."""
    return bool(re.match(rf"(?:the |an? )?{re.escape(name)}\s+(?:\(|is|was|are|were|has|had|became|[,–—-])", sentence))


def is_a_chain(question: str) -> bool:
    """Tell whether a question may be answered by a fact on a page that another page leads to.

    One that asks how, why, whether, what is new, or for an aspect of a thing is answered by pages that say so
    themselves.
    """
    topic, asks = split_topic(question)
    return not topic and aspect(asks) != RELEASE_NOTES and not _SAID_ITSELF.match(asks)


_SAID_ITSELF = re.compile(
    r"^(?:how (?!many|much|old|long|far|tall|big|large|high)|why|does|do|can|could|should|will|would)\b", re.IGNORECASE
)


def leads_on(sub_question: SubQuestion, claims: Sequence[Claim]) -> bool:
    """Tell whether the answer to a sub-question may stand on a page that another page leads to.

    It depends on another, or it names a thing, no page of that thing's own site was read, and no one sentence holds
    nearly all that is asked of it.
    """
    text = sub_question.text
    if sub_question.depends_on:
        return True
    if not is_a_chain(text) or not names(text):
        return False
    if at_home(text, (quote.heading for claim in claims for quote in claim.quotes)):
        return False
    query = wanted(text)
    return not any(coverage(query, stems(claim.text)) >= _ANSWERED for claim in claims)


def at_home(question: str, headings: Iterable[str]) -> bool:
    """Tell whether one of these pages is of a site that is called like a thing in the question.

    A title says so behind a dash: `Locks — Orasql 3.2 Manual`. Such a site answers itself, or not at all.
    """
    called = [{word for word in stems(name) if not word[0].isdigit()} for name in names_and_owners(question)]
    sites = (set(stems(site)) for one in headings for site in _SITE.split(headings_of(one)[0] if one else "")[1:])
    return any(name and name <= site for site in sites for name in called)


_SITE = re.compile(r"\s+[—–|·]\s+")


def is_a_name(name: str, sentence: str) -> bool:
    """Tell whether these words of a sentence are the name of a thing, not furniture of a page or a row of capitals.

    A name is short, has no end of a sentence inside, and words that are not names stand around it.
    """
    parts = name.split()
    if len(parts) > _LONGEST_NAME or _COMMON_NAME.match(name) or _NO_NAME.search(name) or name.islower():
        return False
    around = sentence.replace(name, " ").split()
    lower = sum(word[:1].islower() for word in around)
    return lower >= max(_FEWEST_AROUND, _LOWER * len(around))


_NO_NAME = re.compile(r"_|\(\)|[a-z\d]{3,}[.!?]\s|\d[.!?]\s|[:;|]\s|^\W*\d")
"""Code, the end of a sentence or a menu inside. Initials end no sentence."""
_LONGEST_NAME = 6
_FEWEST_AROUND = 2
_LOWER = 0.25
"""The share of the words around a name that must be small; a menu or a headline has fewer."""
_ANSWERED = 0.9
"""The share of the question's words in a sentence that leaves nothing to follow."""


def _query(name: str, question: str, whole: str, chosen: Sequence[Candidate], language: str) -> str:
    """Put the name before those words of the question that no chosen sentence with the name answers yet.

    The run's question comes first: it says where a chain leads, while a sub-question may ask for one link of it.
    """
    met = {stem for candidate in chosen if name in candidate.text for stem in candidate.stems}
    asked = [whole, question] if len(whole.split()) <= _SHORT else [question]
    aspects = unique(word for text in asked for word in phrases(text, language))
    open_words = [word for word in aspects if not set(stems(word, language)) <= met]
    kept = (open_words or list(aspects))[:_ASPECT_WORDS]
    return " ".join([name, *(word for word in kept if word.casefold() not in name.casefold())])
