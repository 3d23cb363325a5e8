"""Leads: names that the best sentences bring in and no passage explains, each a query towards the next fact."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.evidence import Lead
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import Candidate
from deepresearch_mcp.thinkers.extractive.terms import names, phrases, stems, unique

_MOST = 2
_LOOKED_AT = 8
_ASPECT_WORDS = 5
_SHORT = 40
"""Words. A longer question has parts that have nothing to do with each other."""
_CALENDAR = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|English|American|"
    r"British|French|German|Italian|European|Chapter|Section|Figure|Table|Note|Internet|Web|AD|BC|CE|BCE|AM|PM|USA?|UK|EU)\b[\d ,]*$"
)


def leads(
    question: str,
    whole: str,
    chosen: Sequence[Candidate],
    found: Sequence[Candidate],
    passages: Sequence[Passage],
    language: str,
) -> tuple[Lead, ...]:
    """Return at most two leads, best first.

    Args:
        question: The sub-question.
        whole: The run's question, whose names are no news either.
        chosen: The sentences that became claims, best first.
        found: All sentences of the passages.
        passages: What was read.
        language: ISO 639-1 of the question.
    """
    known = {word for text in (question, whole) for word in stems(text, language)}
    explained = " \n ".join(passage.heading.casefold() for passage in passages)
    openings = [candidate.text.casefold() for candidate in found]
    ranked: dict[str, float] = {}
    for candidate in chosen[:_LOOKED_AT]:
        for name in names(candidate.text):
            if _CALENDAR.match(name) or set(stems(name, language)) <= known or _is_code(name) or name.islower():
                continue
            folded = name.casefold()
            if folded in explained or any(
                _explains(text, folded) for text in openings if text != candidate.text.casefold()
            ):
                continue
            worth = candidate.score * candidate.covered + 0.1 * (" " in name) + 0.5 * candidate.named - 0.1*min(3,candidate.place)
            ranked[name] = max(ranked.get(name, 0.0), worth)
    best = sorted(ranked, key=lambda name: (-ranked[name], name))
    return tuple(Lead(query=_query(name, question, whole, chosen, language)) for name in best[:_MOST])


def _explains(sentence: str, name: str) -> bool:
    """Tell whether a sentence is about the name: it opens with it and goes on with what it is or does."""
    return bool(re.match(rf"(?:the |an? )?{re.escape(name)}\s+(?:\(|is|was|are|were|has|had|became|[,–—-])", sentence))


def _is_code(name: str) -> bool:
    return "_" in name or name.endswith("()")


def _query(name: str, question: str, whole: str, chosen: Sequence[Candidate], language: str) -> str:
    """Put the name before those words of the question that no chosen sentence with the name answers yet.

    The run's question comes first: where this one asks for a link of a chain, it says where the chain leads.
    """
    met = {stem for candidate in chosen if name in candidate.text for stem in candidate.stems}
    asked = [whole, question] if len(whole.split()) <= _SHORT else [question]
    aspects = unique(word for text in asked for word in phrases(text, language))
    open_words = [word for word in aspects if not set(stems(word, language)) <= met]
    kept = (open_words or list(aspects))[:_ASPECT_WORDS]
    return " ".join([name, *(word for word in kept if word.casefold() not in name.casefold())])
