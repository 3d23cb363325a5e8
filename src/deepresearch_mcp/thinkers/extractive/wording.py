"""What the wording of a sentence says of it: fact, estimate, opinion or forecast, and the date that it holds at."""

import re

from deepresearch_mcp.records.evidence import ClaimKind
from deepresearch_mcp.thinkers.extractive.patterns import MONTH, any_of

_KINDS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    (
        "forecast",
        re.compile(
            any_of(
                r"\b(?:forecasts?|projected to|projections?|predict(?:s|ed)?|expected (?:to|by|in))\b",
                r"\b(?:is|are) (?:set|due|likely|on track) to\b",
                r"\bwill\b[^.]{0,120}\b(?:by|in|until|before) 20\d\d\b",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "opinion",
        re.compile(
            any_of(
                r"\b(?:believe[sd]?|argu(?:e|es|ed|ing)|opine[sd]?|contend(?:s|ed)|claim(?:s|ed) that)\b",
                r"\bsuggests? that\b",
                r"\b(?:in (?:my|our|his|her|their) (?:opinion|view)|i think|we think|arguably|according to critics)\b",
                r"\bcritici[sz](?:e|es|ed)\b",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "estimate",
        re.compile(
            any_of(
                r"\b(?:about|around|nearly|almost|some|up to|more than|less than|over|circa|ca\.?|c\.)\s+[$€£]?\d",
                r"\b(?:approximately|roughly|estimate[sd]?)\b",
            ),
            re.IGNORECASE,
        ),
    ),
)


def kind_of(text: str) -> ClaimKind:
    """Tell from the wording whether a sentence forecasts, holds an opinion, estimates, or states a fact."""
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return kind
    return "fact"


_DATED = re.compile(
    r"\b(?:as of|as at|since|until|by|in|during|on)\s+"
    rf"((?:(?:early|mid|late)[ -])?(?:\d{{1,2}}\s+)?(?:{MONTH}\s+(?:\d{{1,2}},?\s+)?)?(?:1[5-9]|20)\d\d)\b",
    re.IGNORECASE,
)


def dated(text: str) -> str:
    """Return the first date that the sentence says it holds at, as written; "" where it gives none."""
    match = _DATED.search(text)
    return match.group(1) if match else ""
