"""The sort of words that answers a question, and whether a sentence has them."""

import re
from typing import Literal

from deepresearch_mcp.thinkers.extractive.patterns import AUX, MONTH, any_of
from deepresearch_mcp.thinkers.extractive.terms import coverage, names, stems

Sort = Literal["date", "number", "name", "place", "reason", "manner", "meaning", "polarity", "any"]

_HOW_MUCH = "many|much|old|far|tall|big|large|high|long|heavy|deep|wide|fast|often"
_AMOUNTS = "number|percentage|share|amount|price|population"
_PLACES = "country|city|town|state|place|county|region|continent|river|island"
_BEARERS = "person|company|team|actor|author|president|band|club|school|university|organi[sz]ation"
_SORTS: tuple[tuple[Sort, str], ...] = (
    (
        "date",
        r"\bwhen\b(?! (?:should|can|could|would|to|do (?:i|you|we|they))\b)|\bhow long ago\b"
        r"|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b",
    ),
    ("number", rf"\bhow (?:{_HOW_MUCH})\b|\bwhat (?:{_AMOUNTS})\b"),
    ("place", rf"\bwhere\b|\b(?:what|which) (?:{_PLACES})\b"),
    ("name", rf"\bwho(?:m|se)?\b|\b(?:what|which) (?:{_BEARERS})\b"),
    ("reason", r"\bwhy\b|\breasons?\b|\bcauses?\b|\bpurpose\b"),
    ("manner", r"\bhow\b"),
    ("polarity", rf"^{AUX}\b"),
    (
        "meaning",
        r"^(?:what|who) (?:is|are|was|were|does)\b|\bcharacteri[sz]es\b|\bmean(?:s|ing)?\b|\bdefin(?:e|ition)\b",
    ),
)


def expected(question: str) -> Sort:
    """Return what the question asks for; `any` where its form does not say."""
    folded = question.casefold().strip()
    folded = folded.rpartition(": ")[2]
    for sort, pattern in _SORTS:
        if re.search(pattern, folded):
            return sort
    return "any"


_NUMBER_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half|twice"
)
_BECAUSE = any_of(
    r"because|due to|owing to|as a result|so that|in order to|caus(?:e|es|ed|ing)|therefore|for this reason|since",
    r"purposes?|reasons?|led to|leads to|results? (?:in|from)|means that|explain(?:s|ed)?|attributed",
    r"to (?:avoid|prevent|allow|ensure|reduce|make|keep)",
)
_SIGNS: dict[Sort, re.Pattern[str]] = {
    "date": re.compile(rf"\b1\d{{3}}s?\b|\b20\d\d\b|\b{MONTH} \d|\b\d{{1,2}} {MONTH}|\bcentury\b|\bB\.?C\.?E?\b"),
    "number": re.compile(rf"\d|\b(?:{_NUMBER_WORDS})\b", re.IGNORECASE),
    "place": re.compile(r"\b(?:in|at|near|from|to|off|along|across|between|throughout)\s+(?:the\s+)?(?:\w+\s+)?[A-Z]"),
    "reason": re.compile(rf"\b{_BECAUSE}\b", re.IGNORECASE),
    "manner": re.compile(
        r"\b(?:by|through|using|via|when|if|then|first|until|with|each|so that|causes?|allows?|process)\b",
        re.IGNORECASE,
    ),
    "meaning": re.compile(
        r"^.{2,80}?\b(?:is|are|was|were|means?|refers? to|denotes?|describes?|specif(?:y|ies)|defines?|consists? of)\b"
    ),
    "polarity": re.compile(rf"\b(?:{AUX}|cannot|not|never|no|always)\b", re.IGNORECASE),
}


def fits(sort: Sort, text: str, question: str = "") -> bool:
    """Tell whether the sentence holds what was asked for; a name from the question itself does not count."""
    if sort == "any":
        return False
    if sort == "name":
        asked = question.casefold()
        return any(name.casefold() not in asked for name in names(text))
    return bool(_SIGNS[sort].search(text))


_FIGURE = re.compile(r"\d")


def suits(sort: Sort, text: str, question: str = "") -> bool:
    """Tell whether the sentence holds words of a sort that marks an answer; words of reason and manner do not.

    A definition holds for all time, so a sentence with figures in it gives a history or measures instead.
    """
    if sort == "meaning":
        return not _FIGURE.search(text)
    return sort in {"date", "number", "place", "name"} and fits(sort, text, question)


_DEFINITION = re.compile(
    r"^(?:the |an? )?(.{2,70}?)\s+(?:is|are|was|were|means?|refers? to|denotes?|describes?)\s+"
    r"(?!not\b|also\b|then\b|only\b)\w",
    re.IGNORECASE,
)

_SUBORDINATE = re.compile(
    r"(?:after|although|as|because|before|by|even|for|from|if|in|on|once|since|so|though|unless|until|when|whenever|where"
    r"|whereas|whether|while|with|without)\s",
    re.IGNORECASE,
)
"""A clause that begins so has a subject of its own, which the sentence does not define."""


def defines(text: str, subject: tuple[str, ...], language: str = "en") -> bool:
    """Tell whether the sentence defines the subject, given by its stems: `Lists are mutable sequences`."""
    match = _DEFINITION.match(text)
    if not match or not subject or _SUBORDINATE.match(text):
        return False
    opening = stems(match.group(1), language)
    return coverage(subject, opening) >= 0.5 and len(opening) <= len(subject) + 1
