"""What a statement says, without the words that tell whom it is from."""

import re
from functools import lru_cache

_SAYS = (
    r"(?:says?|said|tells?|told|reports?|reported|writes?|wrote|notes?|noted|states?|stated|claims?|claimed|records?"
    r"|recorded|shows?|showed|suggests?|suggested|finds?|found|holds?|held|gives?|gave|puts?|estimates?|estimated)"
)
_FROM = (
    r"(?:according to|as per|per|in the words of|by the account of|on the evidence of|going by|citing|based on"
    r"|as (?:\w+ed|told|written|given|shown|found|put|held|seen|set down) (?:by|in|on)"
    r"|laut|nach angaben|gemäß|zufolge|selon|d['’]après|según|secondo|segundo|de acordo com|volgens|enligt)"
)
_LEADING = re.compile(rf"\s*{_FROM}\s[^,.;:]{{1,160}}[,:]\s+", re.IGNORECASE)
_SAYING = re.compile(
    rf"\s*(?:[^\W\d_][\w'’.-]*\s+){{1,12}}{_SAYS}(?:\s(?:in|on)\s[^,.;]{{1,30}})?\s+that\s+", re.IGNORECASE
)
_WITHIN = re.compile(rf",\s+{_FROM}\s[^,.;:]{{1,160}},(?=\s)", re.IGNORECASE)
_BRACKET = re.compile(rf"\s*[(\[](?:source:?|see|from|{_FROM})\s[^()\[\]]{{1,160}}[)\]](?=\s*[.!]?\s*$)", re.IGNORECASE)
_TRAILING = re.compile(
    rf"(?:\s*[,;–—-]\s+{_FROM}\s.{{1,200}}"
    rf"|\s+according to (?=(?:an?|the|its|his|her|their|one|two|some|several|official|local)\b|[^\W\d_a-z]).{{1,200}}"
    rf"|\s*[,;–—]\s+(?:as\s+)?(?:[\w'’.-]+\s+){{1,12}}{_SAYS}(?:\s+it)?(?:\s+(?:in|on|at|to)\s.{{1,60}})?"
    rf"|\s*[,;–—]\s+as\s(?:[\w'’.-]+\s+){{1,12}}(?:has|have|had)\s+it"
    rf"|\s*[,;–—]\s+{_SAYS}\s.{{1,160}})\s*$",
    re.IGNORECASE,
)
_LONGEST = 2_000
"""Characters; what is longer is no statement."""
_LEAST = 3
"""Words that a statement must be left with."""


@lru_cache(maxsize=4096)
def unattributed(text: str) -> str:
    """Return a statement without its attribution, wherever that stands; the statement itself where there is none.

    "Ada Lovelace was born on 11 December 1815, according to a parish list" speaks of her birth and not of a list, and
    contradicts a source that gives another day. Words that take the statement back ("denied that")
    are no attribution.
    """
    if len(text) > _LONGEST:
        return text
    said = text.strip()
    stop = said[-1:] if said[-1:] in ".!" else ""
    bare = said.removesuffix(stop) if stop else said
    for pattern in (_BRACKET, _TRAILING, _WITHIN, _LEADING, _SAYING):
        left = _cut(pattern, bare)
        if len(left.split()) >= _LEAST:
            bare = left
    return text if bare == said.removesuffix(stop) else f"{bare[:1].upper()}{bare[1:]}{stop}"


def _cut(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text) if pattern in {_LEADING, _SAYING} else pattern.search(text)
    if match is None:
        return text
    return f"{text[: match.start()]}{text[match.end() :]}".strip()
