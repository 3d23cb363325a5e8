"""Aspects: what several things are compared by, as a question lists it."""

import re

from deepresearch_mcp.thinkers.extractive.patterns import WH

_BETWEEN = re.compile(r",\s*(?:and|or|as well as)\s+|\s*,\s*|\s+(?:and|or|as well as)\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:in terms of|with (?:respect|regard) to|in|on|by|for|regarding|concerning|as to)\s+)?"
    r"(?:the|their|its)?\b\s*",
    re.IGNORECASE,
)
_TIME = re.compile(r",?\s+(?:since|before|after|until|between|from|as of)\s+(?:the\s+)?(?:\w+\s+)?\d.*$", re.IGNORECASE)
_LONGEST = 6
"""Words of an aspect; a longer one was cut at the wrong place."""
_ONE = re.compile(r"^(?:an?|each|one|my|our|your)\s", re.IGNORECASE)
"""What begins like this is one thing: `a small and busy team`."""
_TASK = re.compile(
    r"^(?:compare|contrast|cover|describe|discuss|explain|include|address|consider|treat|look at)\s+(?P<list>.+)$",
    re.IGNORECASE,
)
_ITEM = re.compile(
    rf"^(?:(?:and|or)\s+)?(?:the|their|its|what|how|which|when|where|why|whether|{WH})\s+\S", re.IGNORECASE
)
_COMMA = re.compile(r"\s*[,;]\s+(?:and\s+)?")
_CLOSING = re.compile(r"^(?:how|what|which|when|where|why|whether)\b", re.IGNORECASE)
_FEWEST = 2
_GENERAL = re.compile(
    r"^(?:mechanisms?|approach(?:es)?|differences?|methods?|ways?|strateg(?:y|ies)|means)$", re.IGNORECASE
)
"""What the question before it asks already."""


def aspects_in(about: str) -> list[str]:
    """Return the aspects of `full-text search and in JSON support`, without what joins them; one where it is one."""
    whole = _TIME.sub("", " ".join(about.split())).strip(" ,.;?")
    if not whole:
        return []
    found = [_LEAD.sub("", part).strip() for part in _BETWEEN.split(whole)]
    cut_wrong = any(not part or len(part.split()) > _LONGEST for part in found)
    return [_LEAD.sub("", whole) or whole] if cut_wrong or _ONE.match(whole) else found


def listed_aspects(task: str) -> list[str]:
    """Return what a task wants compared: `Compare the locks, their defaults, and how each recovers`.

    None where the list does not begin like that, as in `Compare A, B and C`.
    """
    match = _TASK.match(task.strip(" .;?"))
    items = [item.strip() for item in _COMMA.split(match["list"])] if match else []
    if len(items) < _FEWEST or not all(_ITEM.match(item) for item in items):
        return []
    found = [item if _CLOSING.match(item) else _LEAD.sub("", item) for item in items]
    return [item for item in found if not _GENERAL.match(item)] or found
